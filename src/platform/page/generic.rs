// SPDX-License-Identifier: GPL-2.0-only

//! The table's word of a page by its page frame number, for any memory model.

use super::{bindings, BootConstant, NonNull, FRAMES};

/// The table's address.
#[link_section = ".data..ro_after_init"]
static TABLE: BootConstant = BootConstant::new(0);

/// The reference's word, unless the page was plugged in after boot or there is no table.
#[inline(always)]
pub(super) fn word(page: *mut bindings::page) -> Option<*mut u32> {
    // SAFETY: The caller's page is one.
    let frame = unsafe { bindings::alloctag_page_pfn(page) };
    if frame >= FRAMES.get() {
        return None;
    }
    Some((TABLE.get() as *mut u32).wrapping_add(frame))
}

/// Puts the table to use.
///
/// # Safety
///
/// `table` has a zeroed word for every one of `frames` page frames and is never freed. One CPU runs.
pub(super) unsafe fn publish(table: NonNull<u32>, _frames: usize) {
    // SAFETY: One CPU runs, by the caller's promise.
    unsafe { TABLE.set(table.addr().get()) }
}
