// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How a screen is divided.

/// Where things are on a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Lines about the whole.
    pub about: u16,
    /// Whether the table has a head.
    pub head: bool,
    /// Lines of the table.
    pub rows: u16,
    /// Whether there is a line about the state.
    pub state: bool,
}

impl Plan {
    /// What a screen of that height has room for.
    pub fn of(height: u16) -> Plan {
        let about = match height {
            0..=5 => 0,
            6..=9 => 1,
            _ => 3,
        };
        let (head, state) = (height >= 3, height >= 2);
        Plan { about, head, rows: height - about - u16::from(head) - u16::from(state), state }
    }
}
