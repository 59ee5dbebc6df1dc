// SPDX-License-Identifier: GPL-2.0-only

//! Updates on x86-64: read-modify-write instructions on memory that GS makes this CPU's own.
//!
//! The C helpers behind `this_cpu_add()` would be calls here, because Rust cannot inline them.

use super::{__alloc_tag_counters, offset};
use crate::model::handle::Handle;
use core::arch::asm;

/// Charges one object of `bytes` bytes.
#[inline(always)]
pub fn add(handle: Handle, bytes: usize) {
    // SAFETY: The row has a counter for every handle that was given out, and no other memory is
    // written. Nothing in Rust holds a reference to it.
    unsafe {
        asm!(
            "add qword ptr gs:[{row} + {at}], {bytes}",
            "inc qword ptr gs:[{row} + {at} + 8]",
            row = sym __alloc_tag_counters,
            at = in(reg) offset(handle),
            bytes = in(reg) bytes,
            options(nostack),
        )
    }
}

/// Takes one object of `bytes` bytes away.
#[inline(always)]
pub fn sub(handle: Handle, bytes: usize) {
    // SAFETY: As in `add()`.
    unsafe {
        asm!(
            "sub qword ptr gs:[{row} + {at}], {bytes}",
            "dec qword ptr gs:[{row} + {at} + 8]",
            row = sym __alloc_tag_counters,
            at = in(reg) offset(handle),
            bytes = in(reg) bytes,
            options(nostack),
        )
    }
}

/// Charges `calls` more objects, whose bytes are charged already.
#[inline(always)]
pub fn add_calls(handle: Handle, calls: usize) {
    // SAFETY: As in `add()`.
    unsafe {
        asm!(
            "add qword ptr gs:[{row} + {at} + 8], {calls}",
            row = sym __alloc_tag_counters,
            at = in(reg) offset(handle),
            calls = in(reg) calls,
            options(nostack),
        )
    }
}

/// Takes bytes away from an object that lives on.
#[inline(always)]
pub fn sub_bytes(handle: Handle, bytes: usize) {
    // SAFETY: As in `add()`.
    unsafe {
        asm!(
            "sub qword ptr gs:[{row} + {at}], {bytes}",
            row = sym __alloc_tag_counters,
            at = in(reg) offset(handle),
            bytes = in(reg) bytes,
            options(nostack),
        )
    }
}
