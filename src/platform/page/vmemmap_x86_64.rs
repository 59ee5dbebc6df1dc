// SPDX-License-Identifier: GPL-2.0-only

//! The table's word of a page, where all `struct page`s lie in one array in virtual memory.
//!
//! `struct page` is sixteen times as long as a reference, so a page's word is found from the page's
//! address by a shift and an addition, with no page frame number in between.

use super::{bindings, size_of, BootConstant, NonNull};

/// How many times longer a `struct page` is than a reference.
const RATIO: usize = size_of::<bindings::page>() / size_of::<u32>();

const _: () = assert!(RATIO.is_power_of_two() && size_of::<bindings::page>() % RATIO == 0);

/// Where the table would begin if the address 0 were the first `struct page`.
#[link_section = ".data..ro_after_init"]
static BIAS: BootConstant = BootConstant::new(0);

/// The address behind the last `struct page` that has a word; 0 before there is a table.
#[link_section = ".data..ro_after_init"]
static LIMIT: BootConstant = BootConstant::new(0);

/// The reference's word, unless the page was plugged in after boot or there is no table.
#[inline(always)]
pub(super) fn word(page: *mut bindings::page) -> Option<*mut u32> {
    let page = page.addr();
    if page >= LIMIT.get() {
        return None;
    }
    Some((page / RATIO).wrapping_add(BIAS.get()) as *mut u32)
}

/// Puts the table to use.
///
/// # Safety
///
/// `table` has a zeroed word for every one of `frames` page frames and is never freed. One CPU runs.
pub(super) unsafe fn publish(table: NonNull<u32>, frames: usize) {
    // SAFETY: Set up by `kernel_randomize_memory()`, long before.
    let vmemmap = unsafe { bindings::vmemmap_base };
    let bias = table.addr().get().wrapping_sub(vmemmap / RATIO);
    // SAFETY: One CPU runs, by the caller's promise.
    unsafe {
        BIAS.set(bias);
        LIMIT.set(vmemmap + frames * size_of::<bindings::page>());
    }
}
