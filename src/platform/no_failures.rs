// SPDX-License-Identifier: GPL-2.0-only

//! Failures are not counted: `failures.rs` where `CONFIG_ALLOCTAG_STATS` is not set.

use crate::model::{chunk::Number, handle::Handle};
use kernel::alloc::AllocError;

/// Never.
pub fn count(_account: Handle) -> u64 {
    0
}

/// None.
pub struct Words(());

impl Words {
    /// Makes none.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn make(_number: Number) -> Result<Self, AllocError> {
        Ok(Self(()))
    }
}

/// There is nothing to forget.
pub fn clear(_account: Handle) {}
