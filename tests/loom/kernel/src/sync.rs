// SPDX-License-Identifier: GPL-2.0-only

//! What threads have in common.

pub mod atomic;
pub mod barrier;
pub mod rcu;

use atomic::{Acquire, Atomic, Relaxed, Release};

/// A lock that is nobody's in particular, as C's are.
pub(crate) struct Spinning(Atomic<u32>);

impl Spinning {
    pub(crate) const fn new() -> Self {
        Self(Atomic::new(0))
    }

    /// Has loom know it.
    pub(crate) fn begin(&self) {
        self.0.load(Relaxed);
    }

    pub(crate) fn lock(&self) {
        while self.0.cmpxchg(0, 1, Acquire).is_err() {
            loom::thread::yield_now();
        }
    }

    pub(crate) fn unlock(&self) {
        self.0.store(0, Release);
    }
}
