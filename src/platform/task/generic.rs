// SPDX-License-Identifier: GPL-2.0-only

//! The current task by C's inline functions.

use kernel::bindings;

/// The current task.
pub(super) fn current() -> *const bindings::task_struct {
    // SAFETY: There always is one.
    unsafe { bindings::get_current() }
}

/// Whether this interrupts the task, softirqs that it runs itself included.
pub(super) fn is_interrupt() -> bool {
    // SAFETY: Asks about this context.
    unsafe { bindings::alloctag_is_interrupt() }
}
