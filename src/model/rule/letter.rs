// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The letters of rules.

/// Some of the letters, each of which stands for something that can be wanted of call sites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Letters(u8);

/// All letters, in the order in which they are shown.
const ALL: [(u8, Letters); 5] = [
    (b'c', Letters::CONTEXTS),
    (b'f', Letters::FAULTS),
    (b'l', Letters::LATENCY),
    (b's', Letters::LIFETIMES),
    (b't', Letters::EVENTS),
];

impl Letters {
    /// None.
    pub const NONE: Self = Self(0);
    /// `c`: from where, for whom.
    pub const CONTEXTS: Self = Self(1 << 0);
    /// `f`: allocations fail.
    pub const FAULTS: Self = Self(1 << 1);
    /// `l`: how long allocations take.
    pub const LATENCY: Self = Self(1 << 2);
    /// `s`: how long what is allocated lives.
    pub const LIFETIMES: Self = Self(1 << 3);
    /// `t`: an event for each.
    pub const EVENTS: Self = Self(1 << 4);

    /// The one of that name.
    pub(super) fn of(name: u8) -> Option<Self> {
        let found = ALL.iter().find(|(letter, _)| *letter == name)?;
        Some(found.1)
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of the others are among these.
    pub const fn has(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    /// These and the others.
    #[must_use]
    pub const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// The names of these.
    pub(super) fn names(self) -> impl Iterator<Item = u8> {
        let named = move |(name, letter): &(u8, Self)| self.has(*letter).then_some(*name);
        ALL.iter().filter_map(named)
    }
}
