// SPDX-License-Identifier: GPL-2.0-only

//! Where references are to be from the first page on.

use super::{frame::COMPRESSED, plugged, table};
use crate::model::reference::Reference;

/// Keeps references among the flags of pages from now on. What a page says that goes with its memory, unfreed, `lost` is told.
///
/// # Safety
///
/// Called during boot, while one CPU runs; no handle of [`HANDLES_IN_FLAGS`] or more is stored.
#[link_section = ".init.text"]
pub unsafe fn compress(lost: fn(Reference)) {
    // SAFETY: One CPU runs, by the caller's promise.
    unsafe {
        COMPRESSED.set(1);
        plugged::init(lost);
    }
}

/// Makes the table, and returns how many bytes of memory it takes, or `None` where memblock has not that much. What a page says
/// that goes with its memory, unfreed, `lost` is told.
///
/// # Safety
///
/// Called during boot, once, while one CPU runs and memory still comes from memblock.
#[link_section = ".init.text"]
pub unsafe fn make_table(lost: fn(Reference)) -> Option<usize> {
    // SAFETY: By the caller's promise.
    unsafe {
        let bytes = table::make()?;
        plugged::init(lost);
        Some(bytes)
    }
}
