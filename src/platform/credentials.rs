// SPDX-License-Identifier: GPL-2.0-only

//! What the current task may do.
//!
//! C part: `credentials.c`.

use kernel::bindings;

/// Whether kallsyms shows addresses to it, and did to whoever opened the file.
///
/// # Safety
///
/// `file` is open.
pub unsafe fn may_see_addresses(file: *mut bindings::file) -> bool {
    // SAFETY: By the caller's promise.
    unsafe { bindings::alloctag_may_see_addresses(file) }
}

/// Whether a lockdown keeps everybody from what debugfs would have the machine do. The log says so.
pub fn is_locked_down() -> bool {
    // SAFETY: Asks about this machine.
    unsafe { bindings::alloctag_is_locked_down() }
}

/// Whether it may change what the whole machine does.
pub fn may_administer() -> bool {
    // SAFETY: Asks about this task.
    unsafe { bindings::alloctag_may_administer() }
}
