// SPDX-License-Identifier: GPL-2.0-only

//! Letting others run in a walk that may be long, for kernels that do not preempt it.
//!
//! C header: [`include/linux/sched.h`](srctree/include/linux/sched.h).

use kernel::bindings;

/// Steps of a walk between two rests. A step is a look at a call site; some of them sum counters, of
/// as many call sites at a time.
const STEPS: u64 = 64;

/// Rests if it is time at that step of a walk; they are counted from anywhere. May sleep.
#[inline(always)]
pub fn at_step(step: u64) {
    if step % STEPS == 0 {
        // SAFETY: The caller may sleep.
        unsafe { bindings::alloctag_cond_resched() };
    }
}
