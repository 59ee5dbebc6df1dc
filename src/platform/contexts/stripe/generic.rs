// SPDX-License-Identifier: GPL-2.0-only

//! Updates by the kernel's atomic operations.

use kernel::sync::atomic::{Atomic, Relaxed, Release};

/// Adds to a counter.
pub(super) fn add(counter: &Atomic<u64>, amount: u64) {
    counter.add(amount, Relaxed);
}

/// The same once all else was changed.
pub(super) fn add_last(counter: &Atomic<u64>, amount: u64) {
    counter.fetch_add(amount, Release);
}
