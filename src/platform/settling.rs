// SPDX-License-Identifier: GPL-2.0-only

//! Waiting for what is freed later.
//!
//! C part: `settling.c`.

use kernel::bindings;

/// Until all is freed that was to be after a grace period, and was given to RCU before this. May sleep, for long.
pub fn wait() {
    // SAFETY: The caller may sleep.
    unsafe { bindings::alloctag_settle() }
}
