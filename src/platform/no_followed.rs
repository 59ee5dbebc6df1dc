// SPDX-License-Identifier: GPL-2.0-only

//! Nothing is followed: `followed.rs` where `CONFIG_ALLOCTAG_LIFETIMES` is not set.

use crate::model::handle::Handle;

/// There is nothing that is.
#[derive(Clone, Copy)]
pub enum Followed {}

impl Followed {
    /// Nothing has such a handle.
    #[inline(always)]
    pub fn of(_handle: Handle) -> Option<Self> {
        None
    }

    /// What it keeps.
    pub fn handle(self) -> Handle {
        match self {}
    }

    /// What it would keep.
    pub fn kept(self) -> Handle {
        match self {}
    }

    /// From now on it would keep that.
    pub fn keep(self, _kept: Handle) {
        match self {}
    }
}
