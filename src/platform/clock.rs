// SPDX-License-Identifier: GPL-2.0-only

//! The time, as far as it passes while the machine runs.
//!
//! C part: `clock.c`.

use kernel::bindings;

/// Seconds since it was started, without those for which it was suspended. In any context.
pub fn seconds() -> u64 {
    // SAFETY: In any context.
    unsafe { bindings::alloctag_seconds() }
}

/// Nanoseconds of a clock that may differ between CPUs by a tick. In any context.
#[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
pub fn nanoseconds() -> u64 {
    // SAFETY: In any context.
    unsafe { bindings::alloctag_nanoseconds() }
}
