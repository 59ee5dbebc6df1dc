// SPDX-License-Identifier: GPL-2.0-only

//! No call site has events: `marks.rs` where `CONFIG_ALLOCTAG_EVENTS` is not set.

use crate::model::handle::Handle;
use kernel::alloc::AllocError;

/// There is nothing to keep.
pub struct Marks;

impl Marks {
    /// There is nothing to make.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn make() -> Result<Self, AllocError> {
        Ok(Self)
    }
}

/// There is nothing to say.
pub fn set(_account: Handle, _marked: bool) {}

/// Likewise.
pub fn open() {}

/// There is none of which nobody has decided.
pub fn take_open() -> bool {
    false
}
