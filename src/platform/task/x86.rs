// SPDX-License-Identifier: GPL-2.0-only

//! The current task on x86: one instruction each, where C's inline functions would be calls.

use core::arch::asm;
use kernel::bindings;

/// The current task.
#[inline(always)]
pub(super) fn current() -> *const bindings::task_struct {
    let current;
    // SAFETY: Reads this task's own pointer, which never changes while it runs.
    unsafe {
        asm!(
            "mov {current}, gs:[{symbol}]",
            current = lateout(reg) current,
            symbol = sym bindings::const_current_task,
            options(pure, nomem, nostack, preserves_flags),
        )
    };
    current
}

/// Whether this interrupts the task, softirqs that it runs itself included.
#[cfg(not(CONFIG_PREEMPT_RT))]
#[inline(always)]
pub(super) fn is_interrupt() -> bool {
    let count: u32;
    // SAFETY: Reads this CPU's preemption counter, whose bits for interrupts are the same on whichever CPU a task that was
    // migrated meanwhile reads it.
    unsafe {
        asm!(
            "mov {count:e}, gs:[{symbol}]",
            count = lateout(reg) count,
            symbol = sym bindings::__preempt_count,
            options(nostack, preserves_flags, readonly),
        )
    };
    count & bindings::ALLOC_TAG_INTERRUPT_BITS != 0
}

/// The same where the preemption counter does not tell softirqs.
#[cfg(CONFIG_PREEMPT_RT)]
pub(super) fn is_interrupt() -> bool {
    // SAFETY: Asks about this context.
    unsafe { bindings::alloctag_is_interrupt() }
}
