// SPDX-License-Identifier: GPL-2.0-only

//! The clock of what is timed.
//!
//! C header: `include/alloctag/ticks.h`; C part: `ticks.c`.

use crate::model::stall::Passed;
use kernel::bindings;

/// Chooses the clock anew. Who does has the rules; may sleep.
pub fn prepare() {
    // SAFETY: May sleep, and nobody else does, who would need the rules.
    unsafe { bindings::alloctag_ticks_prepare() }
}

/// Nanoseconds since a time. In any context.
pub fn elapsed(since: u64) -> u64 {
    // SAFETY: In any context.
    unsafe { bindings::alloctag_elapsed_here(since) }
}

/// The same, and what time it is by the clock that has said since when. In any context.
pub fn passed(since: u64) -> Passed {
    let mut now = 0;
    // SAFETY: In any context; and it can be written.
    let ns = unsafe { bindings::alloctag_passed(since, &mut now) };
    Passed { ns, now }
}
