// SPDX-License-Identifier: GPL-2.0-only

//! Updates on arm64: atomic, so that it does not matter which CPU executes them, and neither preemption nor migration has to be
//! kept away. What is alone with its CPU's counters mostly finds them in its cache.

use super::{place::Place, row::__alloc_tag_counters};
use crate::platform::arm64;

/// This CPU's counter of an account that lies `AT` bytes behind its first.
#[inline(always)]
pub(super) fn counter<const AT: usize>(place: Place) -> *mut usize {
    let row = (&raw const __alloc_tag_counters).cast::<usize>();
    row.wrapping_byte_add(AT)
        .wrapping_byte_add(arm64::per_cpu_offset())
        .wrapping_add(place.words())
        .cast_mut()
}

/// Adds to such a counter.
#[inline(always)]
pub(super) fn add<const AT: usize>(place: Place, amount: usize) {
    // SAFETY: There are counters at a place, on every CPU.
    unsafe { arm64::add(counter::<AT>(place), amount) }
}

/// Takes from such a counter.
#[inline(always)]
pub(super) fn sub<const AT: usize>(place: Place, amount: usize) {
    add::<AT>(place, amount.wrapping_neg());
}

/// Takes one from such a counter.
#[cfg(not(CONFIG_ALLOCTAG_STATS))]
#[inline(always)]
pub(super) fn decrease<const AT: usize>(place: Place) {
    sub::<AT>(place, 1);
}
