// SPDX-License-Identifier: GPL-2.0-only

//! RCU: who waits does so for all CPUs that have begun to look before, and is seen by all that begin later.
//!
//! A CPU says that it looks, and a full barrier comes before it does; who waits has one before it asks the CPUs and one behind.

use super::{
    atomic::{Acquire, Atomic, Relaxed, Release},
    barrier::{smp_mb, Full},
};
use crate::{
    cpu::{self, CPUS},
    types::NotThreadSafe,
};
use core::marker::PhantomData;

/// How deep each CPU is in it.
static DEPTHS: [Atomic<u32>; CPUS] = [const { Atomic::new(0) }; CPUS];

/// This CPU looks as long as this is there.
pub struct Guard(NotThreadSafe);

impl Guard {
    pub fn new() -> Self {
        let depth = &DEPTHS[cpu::number()];
        depth.store(depth.load(Relaxed) + 1, Relaxed);
        smp_mb(Full);
        Self(PhantomData)
    }
}

impl Default for Guard {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let depth = &DEPTHS[cpu::number()];
        // Release: who waits finds all that was done.
        depth.store(depth.load(Relaxed) - 1, Release);
    }
}

pub fn read_lock() -> Guard {
    Guard::new()
}

pub fn synchronize_rcu() {
    smp_mb(Full);
    for depth in &DEPTHS {
        while depth.load(Acquire) > 0 {
            loom::thread::yield_now();
        }
    }
    smp_mb(Full);
}

/// Has loom know what this is made of, before there is another thread.
pub(crate) fn begin() {
    for depth in &DEPTHS {
        depth.load(Relaxed);
    }
}
