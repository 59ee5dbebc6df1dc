// SPDX-License-Identifier: GPL-2.0-only

//! Updates on x86-64: one instruction, where the C helper behind `Atomic::add()` would be a call.

use super::COUNTERS;
use core::{arch::asm, mem::size_of};
use kernel::sync::atomic::Atomic;

/// Adds to one of these counters.
#[inline(always)]
pub(super) fn add<const AT: usize>(counters: &[Atomic<u64>; COUNTERS], amount: u64) {
    const { assert!(AT < COUNTERS) };
    // SAFETY: The counter is there, and all accesses are atomic.
    unsafe {
        asm!(
            "lock add qword ptr [{counters} + {at}], {amount}",
            counters = in(reg) counters.as_ptr(),
            at = const AT * size_of::<u64>(),
            amount = in(reg) amount,
            options(nostack),
        )
    }
}

/// The same once all else was changed: no access is done after a later one that is locked.
#[inline(always)]
pub(super) fn add_last<const AT: usize>(counters: &[Atomic<u64>; COUNTERS], amount: u64) {
    add::<AT>(counters, amount);
}
