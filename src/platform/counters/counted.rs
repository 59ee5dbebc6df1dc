// SPDX-License-Identifier: GPL-2.0-only

//! What is charged for an object: an account, or more than that.
//!
//! Pages and areas have no slack that their references say: `None`, which is no instruction, as adding a 0 would be.

use super::{kind, place::Place};

/// Whatever something that lives is charged to. Slack is given as counters hold it.
pub trait Counted: Copy {
    /// Takes one object of `bytes` bytes away, with its slack. With the last, what keeps count may be gone.
    fn sub(self, bytes: usize, slack: Option<usize>);
}

impl Place {
    /// Charges one object of `bytes` bytes, with its slack. `keep` has the object keep what it is charged to: before it, or in
    /// the midst of it, where the fewest numbers are in use.
    #[inline(always)]
    pub fn add(self, bytes: usize, slack: Option<usize>, keep: impl FnOnce()) {
        kind::add(self, bytes, slack, keep);
    }
}

impl Counted for Place {
    #[inline(always)]
    fn sub(self, bytes: usize, slack: Option<usize>) {
        kind::sub(self, bytes, slack);
    }
}
