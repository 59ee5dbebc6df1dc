// SPDX-License-Identifier: GPL-2.0-only

//! Where references are to be from the first page on.

use super::{frame::COMPRESSED, plugged, table};

/// Keeps references among the flags of pages from now on.
///
/// # Safety
///
/// Called during boot, while one CPU runs; no handle of [`HANDLES_IN_FLAGS`] or more is stored.
#[link_section = ".init.text"]
pub unsafe fn compress() {
    // SAFETY: One CPU runs, by the caller's promise.
    unsafe { COMPRESSED.set(1) };
    plugged::init();
}

/// Makes the table, and returns how many bytes of memory it takes, or `None` where memblock has not that much.
///
/// # Safety
///
/// Called during boot, once, while one CPU runs and memory still comes from memblock.
#[link_section = ".init.text"]
pub unsafe fn make_table() -> Option<usize> {
    // SAFETY: By the caller's promise.
    let bytes = unsafe { table::make()? };
    plugged::init();
    Some(bytes)
}
