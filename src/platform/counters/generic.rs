// SPDX-License-Identifier: GPL-2.0-only

//! Updates by way of C, for architectures without a file of their own: a call, but never wrong.

use super::{__alloc_tag_counters, offset};
use crate::model::handle::Handle;
use kernel::bindings;

/// Adds to this CPU's counter of an account that lies `AT` bytes behind its first.
#[inline(always)]
pub(super) fn add<const AT: usize>(handle: Handle, amount: usize) {
    // SAFETY: The row has counters for every handle that was given out, so the sum is a per-CPU
    // address of one.
    unsafe {
        let counter = (&raw const __alloc_tag_counters).byte_add(offset(handle) + AT);
        bindings::alloctag_this_cpu_add(counter.cast_mut().cast(), amount);
    }
}

/// Takes from such a counter.
#[inline(always)]
pub(super) fn sub<const AT: usize>(handle: Handle, amount: usize) {
    add::<AT>(handle, amount.wrapping_neg());
}

/// Adds one to such a counter.
#[inline(always)]
pub(super) fn increase<const AT: usize>(handle: Handle) {
    add::<AT>(handle, 1);
}

/// Takes one from such a counter.
#[cfg(not(CONFIG_ALLOCTAG_STATS))]
#[inline(always)]
pub(super) fn decrease<const AT: usize>(handle: Handle) {
    sub::<AT>(handle, 1);
}
