// SPDX-License-Identifier: GPL-2.0-only

//! The current task on arm64: one instruction, where C's inline functions would be calls.

use core::arch::asm;
use kernel::bindings;

/// The current task.
#[inline(always)]
pub(super) fn current() -> *const bindings::task_struct {
    let current;
    // SAFETY: Reads this task's own pointer, which never changes while it runs.
    unsafe {
        asm!(
            "mrs {current}, sp_el0",
            current = lateout(reg) current,
            options(pure, nomem, nostack, preserves_flags),
        )
    };
    current
}

/// Whether this interrupts the task, softirqs that it runs itself included.
#[cfg(not(CONFIG_PREEMPT_RT))]
#[inline(always)]
pub(super) fn is_interrupt() -> bool {
    // SAFETY: The current task is live, and its preemption counter its own.
    let count = unsafe {
        (&raw const (*current()).thread_info.__bindgen_anon_1.preempt.count).read_volatile()
    };
    count & bindings::ALLOC_TAG_INTERRUPT_BITS != 0
}

/// The same where the preemption counter does not tell softirqs.
#[cfg(CONFIG_PREEMPT_RT)]
pub(super) fn is_interrupt() -> bool {
    // SAFETY: Asks about this context.
    unsafe { bindings::alloctag_is_interrupt() }
}
