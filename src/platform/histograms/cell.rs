// SPDX-License-Identifier: GPL-2.0-only

//! A histogram that all CPUs count in.

#[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
use crate::platform::add::mb_after_adding;
use crate::{
    model::histogram::{bucket, logarithm, Histogram, BUCKETS},
    platform::{
        add::{add_to, increment_last, increment_short},
        published,
        tally::raise,
    },
};
use core::array::from_fn;
use kernel::sync::atomic::{Atomic, Relaxed};

/// It. All zeroes is one of nothing. The totals are at its address, which saves who counts two instructions.
#[repr(C)]
pub(super) struct Cell {
    totals: [Atomic<u64>; 2],
    /// The complement of the shortest, which only grows.
    least: Atomic<u64>,
    most: Atomic<u64>,
    buckets: [Atomic<u32>; BUCKETS],
}

/// Of the totals, how many there were, and their sum.
const COUNT: usize = 0;
const SUM: usize = 1;

/// What a word is now.
#[inline(always)]
fn look(word: &Atomic<u64>) -> u64 {
    // SAFETY: All accesses are of whole words. A relaxed load would be a call of C.
    unsafe { word.as_ptr().read_volatile() }
}

/// From here on a bucket is counted with care, lest it wraps around: no more CPUs than that are at it at a time.
const NEARLY_FULL: u32 = u32::MAX - (1 << 16);

impl Cell {
    /// Of nothing.
    pub(super) const fn new() -> Self {
        Self {
            totals: [const { Atomic::new(0) }; 2],
            least: Atomic::new(0),
            most: Atomic::new(0),
            buckets: [const { Atomic::new(0) }; BUCKETS],
        }
    }

    /// One more. In any context.
    #[inline(always)]
    pub(super) fn add(&self, ns: u64) {
        // Beyond the last one is none.
        let bucket = self.buckets.get(logarithm(ns));
        let is_usual = |bucket: &&Atomic<u32>| {
            // SAFETY: All accesses are of whole words. A relaxed load would be a call of C.
            (unsafe { bucket.as_ptr().read_volatile() }) < NEARLY_FULL
        };
        match bucket.filter(is_usual) {
            Some(bucket) if ns <= look(&self.most) && ns >= !look(&self.least) => {
                increment_short(bucket);
                add_to::<SUM, 2>(&self.totals, ns);
                // Last: who finds that there is one finds its ends.
                increment_last(&self.totals[COUNT]);
            }
            _ => self.add_unusual(ns),
        }
    }

    /// The same of what is the shortest or the longest so far, or beyond the last bucket, or of one that is nearly full. Apart, so
    /// that the others need to save no registers.
    #[cold]
    #[inline(never)]
    fn add_unusual(&self, ns: u64) {
        self.add_but_sum(ns);
        add_to::<SUM, 2>(&self.totals, ns);
        increment_last(&self.totals[COUNT]);
    }

    /// The same where the sum stays at its end once it is there, and seen before anything that comes: the account that it is of may
    /// be another's next.
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    pub(super) fn add_long(&self, ns: u64) {
        self.add_but_sum(ns);
        let total = &self.totals[SUM];
        let mut sum = look(total);
        while let Err(now) = total.cmpxchg(sum, sum.saturating_add(ns), Relaxed) {
            sum = now;
        }
        increment_last(&self.totals[COUNT]);
        mb_after_adding();
    }

    fn add_but_sum(&self, ns: u64) {
        if let Some(bucket) = self.buckets.get(bucket(ns)) {
            match bucket.load(Relaxed) {
                count if count < NEARLY_FULL => increment_short(bucket),
                count => fill(bucket, count),
            }
        }
        raise(&self.most, ns);
        raise(&self.least, !ns);
    }

    /// What was counted. While others count, one may be in some of the numbers and not in others.
    pub(super) fn read(&self) -> Histogram {
        let bucket = |place| {
            self.buckets
                .get(place)
                .map_or(0, |count: &Atomic<u32>| count.load(Relaxed))
        };
        // Pairs with `increment_last()`.
        let count = published::load_count(&self.totals[COUNT]);
        Histogram {
            count,
            sum: published::load_count(&self.totals[SUM]),
            least: !published::load_count(&self.least),
            most: published::load_count(&self.most),
            buckets: from_fn(bucket),
        }
    }

    /// Forgets it.
    pub(super) fn clear(&self) {
        for bucket in &self.buckets {
            bucket.store(0, Relaxed);
        }
        for word in [
            &self.totals[COUNT],
            &self.totals[SUM],
            &self.least,
            &self.most,
        ] {
            word.store(0, Relaxed);
        }
    }
}

/// Counts one more in a bucket, unless it is full.
fn fill(bucket: &Atomic<u32>, mut count: u32) {
    while count < u32::MAX {
        match bucket.cmpxchg(count, count + 1, Relaxed) {
            Ok(_) => return,
            Err(now) => count = now,
        }
    }
}
