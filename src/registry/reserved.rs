// SPDX-License-Identifier: GPL-2.0-only

//! Handles that no account has.

use super::SECTIONS;

/// No account has one of the handles from one on, as long as this lives. There are two at a time, at most.
pub struct Reserved(usize);

impl Reserved {
    /// Sees to it; `None` where an account has such a handle.
    pub fn from(handle: usize) -> Option<Self> {
        SECTIONS.write().accounts.reserve(handle).map(Self)
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        SECTIONS.write().accounts.release(self.0);
    }
}
