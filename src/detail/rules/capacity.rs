// SPDX-License-Identifier: GPL-2.0-only

//! How many contexts the next table has room for.

use crate::model::capacity::Capacity;
use kernel::sync::atomic::{Atomic, Relaxed};

static CAPACITY: Atomic<u32> = Atomic::new(Capacity::DEFAULT.get());

/// How many.
pub fn get() -> Capacity {
    Capacity::of(CAPACITY.load(Relaxed)).unwrap_or(Capacity::DEFAULT)
}

/// From now on so many. A table that is there stays as it is.
pub fn set(capacity: Capacity) {
    CAPACITY.store(capacity.get(), Relaxed);
}
