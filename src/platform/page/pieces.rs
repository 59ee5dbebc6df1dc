// SPDX-License-Identifier: GPL-2.0-only

//! Words in pieces of table, one for each section of memory, or in one table where memory is flat.
//!
//! For what has no range of virtual memory to itself (`range.rs`).
//!
//! C parts: `sections.c`, `flat.c`.

#[cfg(CONFIG_MEMORY_HOTPLUG)]
use super::words;
#[cfg(CONFIG_MEMORY_HOTPLUG)]
use core::ops::Range;
use kernel::bindings;
#[cfg(CONFIG_MEMORY_HOTPLUG)]
use kernel::{error::to_result, ffi::c_int, prelude::*};

/// The word of any page, unless it has none.
#[inline(always)]
pub(super) fn word(page: *mut bindings::page) -> Option<*mut u32> {
    // SAFETY: The caller's page is one.
    let word = unsafe { bindings::alloctag_piece_word(page) };
    (!word.is_null()).then_some(word)
}

/// Makes the pieces for all memory that there is, and returns how many bytes they take, or `None` where memblock has not that
/// much.
///
/// # Safety
///
/// Called during boot, once, while one CPU runs and memory still comes from memblock.
#[link_section = ".init.text"]
pub(super) unsafe fn make() -> Option<usize> {
    // SAFETY: By the caller's promise.
    let bytes = unsafe { bindings::alloctag_pieces_make() };
    (bytes > 0).then_some(bytes)
}

/// Gives words to memory that comes, of its node's memory.
///
/// # Errors
///
/// `ENOMEM`: some of the memory may have its words then, until it goes.
#[cfg(CONFIG_MEMORY_HOTPLUG)]
pub(super) fn come(frames: &Range<usize>, node: c_int) -> Result {
    // SAFETY: The sections exist, and hotplug is serialized.
    to_result(unsafe { bindings::alloctag_pieces_come(frames.start, frames.end, node) })
}

/// Takes the words of memory that has gone, or has not come, but for pieces that stay.
#[cfg(CONFIG_MEMORY_HOTPLUG)]
pub(super) fn go(frames: &Range<usize>) {
    // SAFETY: The sections exist, hotplug is serialized, and none of their memory is online.
    unsafe { bindings::alloctag_pieces_go(frames.start, frames.end, Some(words::stay)) };
}
