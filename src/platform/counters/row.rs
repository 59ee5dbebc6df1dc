// SPDX-License-Identifier: GPL-2.0-only

//! A CPU's row of counters.
//!
//! The rows lie in the per-CPU section; the linker sizes them from the number of tags
//! (`ALLOC_TAG_ROW_OF_COUNTERS` in `include/alloctag/tag.h`).

use super::place::Place;
use crate::platform::published;
use core::slice::from_raw_parts;
use kernel::{
    bindings::{self, alloctag_counters as Layout},
    sync::atomic::Atomic,
};

extern "C" {
    /// The linker script's: where the row of counters begins, as a per-CPU address.
    pub(super) static __alloc_tag_counters: u8;
}

/// Makes the list of CPUs that readers go by.
///
/// # Errors
///
/// `ENOMEM`, or what the hotplugging of CPUs says.
#[link_section = ".init.text"]
pub fn init() -> kernel::error::Result {
    // SAFETY: `__alloc_tag_counters` is a per-CPU address; once, and may sleep.
    kernel::error::to_result(unsafe {
        bindings::alloctag_rows_init((&raw const __alloc_tag_counters).cast())
    })
}

/// The rows of all CPUs that have ever run; none before [`init()`].
#[inline(always)]
pub(super) fn met() -> &'static [*const Layout] {
    // SAFETY: All accesses are atomic, C's too.
    let length = unsafe { Atomic::from_ptr(&raw mut bindings::alloctag_nr_rows) };
    // Pairs with the release of who adds one.
    match published::load(length) {
        0 => &[],
        // SAFETY: There are so many rows, in an array that stays, and none is ever taken away.
        length => unsafe { from_raw_parts((&raw const bindings::alloctag_rows).read(), length) },
    }
}

/// The rows of all CPUs that there can be.
pub(super) fn possible() -> impl Iterator<Item = *const Layout> {
    let row = |cpu| {
        // SAFETY: `__alloc_tag_counters` is a per-CPU address, and the CPU's number is in range.
        unsafe { bindings::alloctag_cpu_counters((&raw const __alloc_tag_counters).cast(), cpu) }
    };
    // Of a CPU that is not possible, there is none.
    (0..kernel::cpu::nr_cpu_ids())
        .map(row)
        .filter(|row| !row.is_null())
}

/// A CPU's counters at a place: from one CPU to another it is as far with all per-CPU data.
#[inline(always)]
pub(super) fn at(row: *const Layout, place: Place) -> *const Layout {
    row.wrapping_byte_add(place.bytes())
}

/// Adds one CPU's counter to a sum.
///
/// # Safety
///
/// `counter` is one of an account's on a CPU.
#[inline(always)]
pub(super) unsafe fn gather(sum: &mut u64, counter: *const u64) {
    // SAFETY: The caller's promise; the CPU changes it meanwhile by single aligned stores.
    let counter = unsafe { Atomic::from_ptr(counter.cast_mut()) };
    // SAFETY: All accesses are of whole words. A relaxed load would be a call of C.
    *sum = sum.wrapping_add(unsafe { counter.as_ptr().read_volatile() });
}
