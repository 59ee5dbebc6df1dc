// SPDX-License-Identifier: GPL-2.0-only

//! Updates on x86-64: read-modify-write instructions on memory that GS makes this CPU's own.
//!
//! The C helpers behind `this_cpu_add()` would be calls here, because Rust cannot inline them.

use super::{place::Place, row::__alloc_tag_counters};
use core::arch::asm;

/// Adds to this CPU's counter of an account that lies `AT` bytes behind its first.
#[inline(always)]
pub(super) fn add<const AT: usize>(place: Place, amount: usize) {
    // SAFETY: There are counters at a place, and no other memory is written. Nothing in Rust holds a
    // reference to them.
    unsafe {
        asm!(
            "add qword ptr gs:[{row} + {of} * 8 + {at}], {amount}",
            row = sym __alloc_tag_counters,
            of = in(reg) place.words(),
            at = const AT,
            amount = in(reg) amount,
            options(nostack),
        )
    }
}

/// Takes from such a counter.
#[inline(always)]
pub(super) fn sub<const AT: usize>(place: Place, amount: usize) {
    // SAFETY: As in `add()`.
    unsafe {
        asm!(
            "sub qword ptr gs:[{row} + {of} * 8 + {at}], {amount}",
            row = sym __alloc_tag_counters,
            of = in(reg) place.words(),
            at = const AT,
            amount = in(reg) amount,
            options(nostack),
        )
    }
}

/// Adds one to such a counter.
#[inline(always)]
pub(super) fn increase<const AT: usize>(place: Place) {
    // SAFETY: As in `add()`.
    unsafe {
        asm!(
            "inc qword ptr gs:[{row} + {of} * 8 + {at}]",
            row = sym __alloc_tag_counters,
            of = in(reg) place.words(),
            at = const AT,
            options(nostack),
        )
    }
}

/// Takes one from such a counter.
#[cfg(not(CONFIG_ALLOCTAG_STATS))]
#[inline(always)]
pub(super) fn decrease<const AT: usize>(place: Place) {
    // SAFETY: As in `add()`.
    unsafe {
        asm!(
            "dec qword ptr gs:[{row} + {of} * 8 + {at}]",
            row = sym __alloc_tag_counters,
            of = in(reg) place.words(),
            at = const AT,
            options(nostack),
        )
    }
}
