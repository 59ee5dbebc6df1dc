// SPDX-License-Identifier: GPL-2.0-only

//! Updates on x86-64: one instruction, where the C helper behind `Atomic::add()` would be a call.

use core::arch::asm;
use kernel::sync::atomic::Atomic;

/// Adds to a counter.
#[inline(always)]
pub(super) fn add(counter: &Atomic<u64>, amount: u64) {
    // SAFETY: The counter is there, and all accesses are atomic.
    unsafe {
        asm!(
            "lock add qword ptr [{counter}], {amount}",
            counter = in(reg) counter.as_ptr(),
            amount = in(reg) amount,
            options(nostack),
        )
    }
}

/// The same once all else was changed: no access is done after a later one that is locked.
#[inline(always)]
pub(super) fn add_last(counter: &Atomic<u64>, amount: u64) {
    add(counter, amount);
}
