// SPDX-License-Identifier: GPL-2.0-only

//! Updates by the kernel's atomic operations.

use super::COUNTERS;
use kernel::sync::atomic::{Atomic, Relaxed, Release};

/// Adds to one of these counters.
#[inline(always)]
pub(super) fn add<const AT: usize>(counters: &[Atomic<u64>; COUNTERS], amount: u64) {
    if let Some(counter) = counters.get(AT) {
        counter.add(amount, Relaxed);
    }
}

/// The same once all else was changed.
#[inline(always)]
pub(super) fn add_last<const AT: usize>(counters: &[Atomic<u64>; COUNTERS], amount: u64) {
    if let Some(counter) = counters.get(AT) {
        counter.fetch_add(amount, Release);
    }
}
