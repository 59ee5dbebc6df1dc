// SPDX-License-Identifier: GPL-2.0-only

//! Trying something in all orders.

use loom::model::Builder;

/// How often a CPU may be interrupted by others between two of its steps, where nothing has it wait.
const INTERRUPTIONS: usize = 2;

/// Most steps of a run.
const STEPS: usize = 100_000;

/// Runs something in each order that there is.
pub fn all(run: impl Fn() + Send + Sync + 'static) {
    with(INTERRUPTIONS, run);
}

/// The same with other interruptions, where there would be too many orders.
pub fn with(interruptions: usize, run: impl Fn() + Send + Sync + 'static) {
    let mut orders = Builder::new();
    orders.preemption_bound = Some(interruptions);
    orders.max_branches = STEPS;
    orders.check(move || {
        kernel::begin();
        run();
    });
}
