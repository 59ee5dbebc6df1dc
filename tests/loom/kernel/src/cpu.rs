// SPDX-License-Identifier: GPL-2.0-only

//! CPUs: each thread is one.

use crate::sync::barrier::{smp_mb, Full};
use core::cell::Cell;

/// How many there can be.
pub const CPUS: usize = 3;

loom::thread_local! {
    static NUMBER: Cell<usize> = Cell::new(0);
}

/// How many there can be.
pub fn nr_cpu_ids() -> u32 {
    CPUS as u32
}

/// Which one this is.
pub(crate) fn number() -> usize {
    NUMBER.with(Cell::get)
}

/// Runs something as another CPU than 0, which runs the test.
pub fn on<T: 'static>(
    cpu: usize,
    run: impl FnOnce() -> T + 'static,
) -> loom::thread::JoinHandle<T> {
    assert!((1..CPUS).contains(&cpu), "one of the others");
    loom::thread::spawn(move || {
        NUMBER.with(|number| number.set(cpu));
        run()
    })
}

/// Goes on as another CPU, which nobody else is. The scheduler's barriers lie between.
pub fn migrate(cpu: usize) {
    smp_mb(Full);
    NUMBER.with(|number| number.set(cpu));
}
