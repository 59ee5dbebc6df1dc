// SPDX-License-Identifier: GPL-2.0-only

//! What is charged for an object: an account, or more than that.

use super::{kind, place::Place};

/// Whatever keeps count of objects. Slack is given as counters hold it.
pub trait Counted: Copy {
    /// Charges one object of `bytes` bytes, with its slack. `keep` has the object keep what it is charged to: in the midst of it,
    /// where the fewest numbers are in use.
    fn add(self, bytes: usize, slack: usize, keep: impl FnOnce());
    /// Takes one object of `bytes` bytes away, with its slack. With the last, what keeps count may be gone.
    fn sub(self, bytes: usize, slack: usize);
}

impl Counted for Place {
    #[inline(always)]
    fn add(self, bytes: usize, slack: usize, keep: impl FnOnce()) {
        kind::add_slack(self, slack);
        keep();
        kind::add(self, bytes);
    }

    #[inline(always)]
    fn sub(self, bytes: usize, slack: usize) {
        kind::sub_slack(self, slack);
        kind::sub(self, bytes);
    }
}
