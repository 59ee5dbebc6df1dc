// SPDX-License-Identifier: GPL-2.0-only

//! Updates by way of C, for architectures without a file of their own: a call, but never wrong.

use super::{place::Place, row::__alloc_tag_counters};
use kernel::bindings;

/// Adds to this CPU's counter of an account that lies `AT` bytes behind its first.
#[inline(always)]
pub(super) fn add<const AT: usize>(place: Place, amount: usize) {
    let row = (&raw const __alloc_tag_counters).cast::<u64>();
    let counter = row.wrapping_add(place.words()).wrapping_byte_add(AT);
    // SAFETY: There are counters at a place, so this is the per-CPU address of one.
    unsafe { bindings::alloctag_this_cpu_add(counter.cast_mut().cast(), amount) }
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
