// SPDX-License-Identifier: GPL-2.0-only

//! Updates on arm64: atomic instructions, where the C helper behind `Atomic::add()` would be a call.

use super::COUNTERS;
use crate::platform::arm64;
use kernel::sync::atomic::Atomic;

/// Adds to one of these counters.
#[inline(always)]
pub(super) fn add<const AT: usize>(counters: &[Atomic<u64>; COUNTERS], amount: u64) {
    const { assert!(AT < COUNTERS) };
    // SAFETY: The counter is there, and all accesses are atomic.
    unsafe { arm64::add(counters[AT].as_ptr().cast(), amount as usize) }
}

/// The same once all else was changed.
#[inline(always)]
pub(super) fn add_last<const AT: usize>(counters: &[Atomic<u64>; COUNTERS], amount: u64) {
    const { assert!(AT < COUNTERS) };
    // SAFETY: As in `add()`.
    unsafe { arm64::add_last(counters[AT].as_ptr().cast(), amount as usize) }
}
