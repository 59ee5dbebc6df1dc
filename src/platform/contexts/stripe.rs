// SPDX-License-Identifier: GPL-2.0-only

//! The counters of a context.
//!
//! There are many contexts, and on a large machine many CPUs, so that not every CPU can have counters of its own for each of
//! them. Some CPUs share a stripe, and add to it atomically.

#[cfg_attr(CONFIG_X86_64, path = "stripe/x86_64.rs")]
#[cfg_attr(not(CONFIG_X86_64), path = "stripe/generic.rs")]
mod arch;

use crate::model::{load::Load, totals::Counters};
use arch::{add, add_last};
use core::mem::offset_of;
use kernel::sync::atomic::{Acquire, Atomic, Relaxed};

/// What some CPUs have done for a context.
pub(super) struct Stripe {
    given: Atomic<u64>,
    allocs: Atomic<u64>,
    taken: Atomic<u64>,
    frees: Atomic<u64>,
    /// As counters of accounts hold it.
    slack: Atomic<u64>,
}

impl Stripe {
    /// Where what was taken back lies, how many objects that was, and slack.
    pub(super) const AT: [usize; 3] = [
        offset_of!(Self, taken),
        offset_of!(Self, frees),
        offset_of!(Self, slack),
    ];

    /// Nothing.
    pub(super) const fn new() -> Self {
        Self {
            given: Atomic::new(0),
            allocs: Atomic::new(0),
            taken: Atomic::new(0),
            frees: Atomic::new(0),
            slack: Atomic::new(0),
        }
    }

    /// Charges so much.
    #[inline(always)]
    pub(super) fn give(&self, load: Load) {
        self.slack(load.slack);
        add(&self.given, load.bytes);
        add(&self.allocs, load.calls);
    }

    /// Takes so much back. The count of objects is the last to change: by it a context is idle.
    #[inline(always)]
    pub(super) fn take(&self, load: Load) {
        self.slack(load.slack.wrapping_neg());
        add(&self.taken, load.bytes);
        add_last(&self.frees, load.calls);
    }

    /// Takes so much away as if it had never been.
    pub(super) fn undo(&self, load: Load) {
        self.slack(load.slack.wrapping_neg());
        add(&self.given, load.bytes.wrapping_neg());
        add_last(&self.allocs, load.calls.wrapping_neg());
    }

    /// Charges bytes that nobody asked for; wraps around.
    #[inline(always)]
    pub(super) fn slack(&self, slack: u64) {
        // Most have none, and a line of the cache that others change is dear.
        if slack != 0 {
            add(&self.slack, slack);
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        for counter in [
            &self.given,
            &self.allocs,
            &self.taken,
            &self.frees,
            &self.slack,
        ] {
            counter.store(0, Relaxed);
        }
    }

    /// Adds what was taken back to a sum, and then, of all stripes, what was given: so that nothing looks idle that is not.
    pub(super) fn sum(stripes: &[Self]) -> Counters {
        let mut sum = Counters::default();
        for stripe in stripes {
            // Acquire: whoever finds that nothing is alive finds all else that its last free has changed.
            sum.frees = sum.frees.wrapping_add(stripe.frees.load(Acquire));
            sum.taken = sum.taken.wrapping_add(stripe.taken.load(Relaxed));
        }
        for stripe in stripes {
            sum.given = sum.given.wrapping_add(stripe.given.load(Relaxed));
            sum.allocs = sum.allocs.wrapping_add(stripe.allocs.load(Relaxed));
            sum.slack = sum.slack.wrapping_add(stripe.slack.load(Relaxed));
        }
        sum
    }
}
