// SPDX-License-Identifier: GPL-2.0-only

//! Failures are not counted: `failures.rs` where `CONFIG_ALLOCTAG_STATS` is not set.

use crate::model::{chunk::Number, handle::Handle};
use kernel::alloc::AllocError;

/// Never.
pub fn count(_account: Handle) -> u64 {
    0
}

/// Never.
pub fn injected(_account: Handle) -> u64 {
    0
}

/// There are none to make.
///
/// # Errors
///
/// Never.
pub fn provide(_number: Number) -> Result<(), AllocError> {
    Ok(())
}

/// There is nothing to forget.
pub fn clear(_account: Handle) {}
