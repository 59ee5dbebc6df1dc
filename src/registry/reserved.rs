// SPDX-License-Identifier: GPL-2.0-only

//! Handles that no account has.

use super::SECTIONS;
use crate::model::handle::Handle;

/// No account has one of the handles from one on, as long as this lives. There is one at a time.
pub struct Reserved(());

impl Reserved {
    /// Sees to it; `None` where an account has such a handle.
    pub fn from(handle: usize) -> Option<Self> {
        SECTIONS
            .write()
            .accounts
            .end_before(handle)
            .then_some(Self(()))
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        SECTIONS
            .write()
            .accounts
            .end_before(Handle::MASK as usize + 1);
    }
}
