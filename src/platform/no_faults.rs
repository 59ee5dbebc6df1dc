// SPDX-License-Identifier: GPL-2.0-only

//! No call site fails: `faults.rs` where `CONFIG_ALLOCTAG_FAULTS` is not set.

#[cfg(CONFIG_ALLOCTAG_CALLS)]
use super::tag::Tag;
use crate::model::rule::Faults;
#[cfg(CONFIG_ALLOCTAG_CALLS)]
use kernel::bindings::gfp_t;
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

/// None is to fail.
#[cfg(CONFIG_ALLOCTAG_CALLS)]
pub fn decide(_tag: &Tag, _bytes: usize, _flags: gfp_t) -> bool {
    false
}

/// There is nothing to tell.
#[cfg(CONFIG_ALLOCTAG_CALLS)]
pub fn trace(_tag: &Tag, _file: &[u8], _bytes: usize, _flags: gfp_t) {}

/// There is nothing to make room for.
///
/// # Errors
///
/// Never.
pub fn prepare() -> Result {
    Ok(())
}
