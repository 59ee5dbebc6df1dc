// SPDX-License-Identifier: GPL-2.0-only

//! No call site fails: `faults.rs` where `CONFIG_ALLOCTAG_FAULTS` is not set.

use crate::model::rule::Faults;
use kernel::prelude::*;

/// There is nothing to begin.
///
/// # Errors
///
/// `EINVAL`
pub fn begin(_place: usize, _faults: &Faults) -> Result {
    Err(EINVAL)
}

/// There is nothing to mute.
pub fn mute(_place: usize) {}

/// There is nothing to end.
pub fn end(_place: usize) {}

/// There is nothing to switch.
///
/// # Errors
///
/// Never.
pub fn switch(_on: bool) -> Result {
    Ok(())
}
