// SPDX-License-Identifier: GPL-2.0-only

//! Nothing is counted that is seldom: `tally.rs` where `CONFIG_ALLOCTAG_STATS` is not set.

use crate::model::{chunk::Number, handle::Handle};
use kernel::alloc::AllocError;

/// There are no words to make.
///
/// # Errors
///
/// Never.
pub fn provide(_number: Number) -> Result<(), AllocError> {
    Ok(())
}

/// There is nothing to forget.
pub fn clear(_account: Handle) {}
