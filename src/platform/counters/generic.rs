// SPDX-License-Identifier: GPL-2.0-only

//! Updates by way of C, for architectures without a file of their own: a call, but never wrong.

use super::{__alloc_tag_counters, offset};
use crate::model::handle::Handle;
use kernel::bindings;

/// Adds to this CPU's counter of an account; the numbers wrap around.
#[inline(always)]
fn update(handle: Handle, bytes: usize, calls: usize) {
    // SAFETY: The row has a counter for every handle that was given out, so the sum is a per-CPU
    // address of one.
    unsafe {
        let counter = (&raw const __alloc_tag_counters).byte_add(offset(handle));
        bindings::alloctag_this_cpu_add(counter.cast_mut().cast(), bytes, calls);
    }
}

/// Charges one object of `bytes` bytes.
#[inline(always)]
pub fn add(handle: Handle, bytes: usize) {
    update(handle, bytes, 1);
}

/// Takes one object of `bytes` bytes away.
#[inline(always)]
pub fn sub(handle: Handle, bytes: usize) {
    update(handle, bytes.wrapping_neg(), 1usize.wrapping_neg());
}

/// Charges `calls` more objects, whose bytes are charged already.
#[inline(always)]
pub fn add_calls(handle: Handle, calls: usize) {
    update(handle, 0, calls);
}

/// Takes bytes away from an object that lives on.
#[inline(always)]
pub fn sub_bytes(handle: Handle, bytes: usize) {
    update(handle, bytes.wrapping_neg(), 0);
}
