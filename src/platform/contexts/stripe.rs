// SPDX-License-Identifier: GPL-2.0-only

//! The counters of a context.
//!
//! There are many contexts, and on a large machine many CPUs, so that not every CPU can have counters of its own for each of
//! them. Some CPUs share a stripe, and add to it atomically.

#[cfg_attr(CONFIG_X86_64, path = "stripe/x86_64.rs")]
#[cfg_attr(CONFIG_ARM64, path = "stripe/arm64.rs")]
#[cfg_attr(not(any(CONFIG_X86_64, CONFIG_ARM64)), path = "stripe/generic.rs")]
mod arch;

use crate::model::{load::Load, totals::Counters};
use arch::{add, add_last};
use core::mem::size_of;
use kernel::sync::atomic::{Acquire, Atomic, Relaxed};

/// Which counter is which. Slack is held as counters of accounts hold it.
const GIVEN: usize = 0;
const ALLOCS: usize = 1;
const TAKEN: usize = 2;
const FREES: usize = 3;
const SLACK: usize = 4;
const COUNTERS: usize = 5;

/// What some CPUs have done for a context.
pub(super) struct Stripe([Atomic<u64>; COUNTERS]);

impl Stripe {
    /// Where what was taken back lies, how many objects that was, and slack.
    pub(super) const AT: [usize; 3] = [
        TAKEN * size_of::<u64>(),
        FREES * size_of::<u64>(),
        SLACK * size_of::<u64>(),
    ];

    /// Nothing.
    pub(super) const fn new() -> Self {
        Self([const { Atomic::new(0) }; COUNTERS])
    }

    /// Charges so much.
    #[inline(always)]
    pub(super) fn give(&self, load: Load) {
        self.slack(load.slack);
        add::<GIVEN>(&self.0, load.bytes);
        add::<ALLOCS>(&self.0, load.calls);
    }

    /// Takes so much back. The count of objects is the last to change: by it a context is idle.
    #[inline(always)]
    pub(super) fn take(&self, load: Load) {
        self.slack(load.slack.wrapping_neg());
        add::<TAKEN>(&self.0, load.bytes);
        add_last::<FREES>(&self.0, load.calls);
    }

    /// Takes so much away as if it had never been.
    pub(super) fn undo(&self, load: Load) {
        self.slack(load.slack.wrapping_neg());
        add::<GIVEN>(&self.0, load.bytes.wrapping_neg());
        add_last::<ALLOCS>(&self.0, load.calls.wrapping_neg());
    }

    /// Charges bytes that nobody asked for; wraps around.
    #[inline(always)]
    pub(super) fn slack(&self, slack: u64) {
        // Most have none, and a line of the cache that others change is dear.
        if slack != 0 {
            add::<SLACK>(&self.0, slack);
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        for counter in &self.0 {
            counter.store(0, Relaxed);
        }
    }

    /// Adds what was taken back to a sum, and then, of all stripes, what was given: so that nothing looks idle that is not.
    pub(super) fn sum(stripes: &[Self]) -> Counters {
        let mut sum = Counters::default();
        for Self([_, _, taken, frees, _]) in stripes {
            // Acquire: whoever finds that nothing is alive finds all else that its last free has changed.
            sum.frees = sum.frees.wrapping_add(frees.load(Acquire));
            sum.taken = sum.taken.wrapping_add(taken.load(Relaxed));
        }
        for Self([given, allocs, _, _, slack]) in stripes {
            sum.given = sum.given.wrapping_add(given.load(Relaxed));
            sum.allocs = sum.allocs.wrapping_add(allocs.load(Relaxed));
            sum.slack = sum.slack.wrapping_add(slack.load(Relaxed));
        }
        sum
    }
}
