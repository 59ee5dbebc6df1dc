// SPDX-License-Identifier: GPL-2.0-only

//! What is charged for an object: an account, or more than that.

use super::{kind, place::Place};

/// Whatever keeps count of objects. Slack is given as counters hold it.
pub trait Counted: Copy {
    /// Charges one object of `bytes` bytes.
    fn add(self, bytes: usize);
    /// Takes one object of `bytes` bytes away. With the last, what keeps count may be gone.
    fn sub(self, bytes: usize);
    /// Charges slack.
    fn add_slack(self, slack: usize);
    /// Takes slack away.
    fn sub_slack(self, slack: usize);
}

impl Counted for Place {
    #[inline(always)]
    fn add(self, bytes: usize) {
        kind::add(self, bytes);
    }

    #[inline(always)]
    fn sub(self, bytes: usize) {
        kind::sub(self, bytes);
    }

    #[inline(always)]
    fn add_slack(self, slack: usize) {
        kind::add_slack(self, slack);
    }

    #[inline(always)]
    fn sub_slack(self, slack: usize) {
        kind::sub_slack(self, slack);
    }
}
