// SPDX-License-Identifier: GPL-2.0-only

//! Updates on arm64: atomic, so that it does not matter which CPU executes them, and neither preemption nor migration has to be
//! kept away. What is alone with its CPU's counters mostly finds them in its cache.

use super::{place::Place, row::__alloc_tag_counters};
use crate::platform::arm64;

/// Adds to this CPU's counter of an account that lies `AT` bytes behind its first.
#[inline(always)]
pub(super) fn add<const AT: usize>(place: Place, amount: usize) {
    let row = (&raw const __alloc_tag_counters).cast::<usize>();
    // The compiler finds what the counters of an account have in common.
    let counter = row
        .wrapping_byte_add(arm64::per_cpu_offset())
        .wrapping_add(place.words())
        .wrapping_byte_add(AT);
    // SAFETY: There are counters at a place, on every CPU.
    unsafe { arm64::add(counter.cast_mut(), amount) }
}

/// Takes from such a counter.
#[inline(always)]
pub(super) fn sub<const AT: usize>(place: Place, amount: usize) {
    add::<AT>(place, amount.wrapping_neg());
}

/// Adds one to such a counter.
#[inline(always)]
pub(super) fn increase<const AT: usize>(place: Place) {
    add::<AT>(place, 1);
}

/// Takes one from such a counter.
#[cfg(not(CONFIG_ALLOCTAG_STATS))]
#[inline(always)]
pub(super) fn decrease<const AT: usize>(place: Place) {
    sub::<AT>(place, 1);
}
