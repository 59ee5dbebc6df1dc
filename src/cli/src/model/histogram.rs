// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How often something took how long.

use std::fmt;

pub use alloctag_core::model::histogram::{bucket, BUCKETS};

/// Numbers of things by the binary logarithm, rounded down, of the nanoseconds that each took.
///
/// Bucket N has those of 2^N up to but not with 2^(N+1) nanoseconds, the first one those of 0 as well, and the last one all that
/// took longer. All histograms have the same buckets, so that adding them up is exact: the sum is what one histogram of
/// everything would have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Histogram {
    count: u64,
    ns: u64,
    min_ns: u64,
    max_ns: u64,
    buckets: [u64; BUCKETS],
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { count: 0, ns: 0, min_ns: 0, max_ns: 0, buckets: [0; BUCKETS] }
    }
}

impl Histogram {
    /// That of so many things, which took `ns` altogether, each of them `min_ns` to `max_ns`. A kernel counts while it is being
    /// read: what the buckets have may be a few more or less than `count`.
    pub fn new(count: u64, ns: u64, min_ns: u64, max_ns: u64, buckets: [u64; BUCKETS]) -> Histogram {
        match count {
            0 => Histogram { count, ns, min_ns: 0, max_ns: 0, buckets },
            _ => Histogram { count, ns, min_ns, max_ns: max_ns.max(min_ns), buckets },
        }
    }

    /// That of things of which only the buckets are known: the shortest and the longest are where their buckets end.
    pub fn of_buckets(buckets: [u64; BUCKETS]) -> Histogram {
        let count = buckets.iter().fold(0, |sum: u64, count| sum.saturating_add(*count));
        let first = buckets.iter().position(|&count| count > 0).map_or(0, least);
        let last = buckets.iter().rposition(|&count| count > 0).map_or(0, most);
        Histogram { count, ns: 0, min_ns: first, max_ns: last, buckets }
    }

    /// The same of so many things, whatever the buckets have.
    #[must_use]
    pub fn counting(self, count: u64) -> Histogram {
        Histogram { count, ..self }
    }

    /// How many things.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How long they took altogether, in nanoseconds.
    pub fn ns(&self) -> u64 {
        self.ns
    }

    /// The shortest, in nanoseconds.
    pub fn min_ns(&self) -> Option<u64> {
        (self.count > 0).then_some(self.min_ns)
    }

    /// The longest, in nanoseconds.
    pub fn max_ns(&self) -> Option<u64> {
        (self.count > 0).then_some(self.max_ns)
    }

    /// How long one took on average, in nanoseconds.
    pub fn mean_ns(&self) -> Option<u64> {
        self.ns.checked_div(self.count)
    }

    /// How many each bucket has.
    pub fn buckets(&self) -> &[u64; BUCKETS] {
        &self.buckets
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.count == 0 && self.buckets.iter().all(|&count| count == 0)
    }

    /// Adds one thing that took so long.
    pub fn record(&mut self, ns: u64) {
        self.min_ns = if self.count > 0 { self.min_ns.min(ns) } else { ns };
        self.max_ns = self.max_ns.max(ns);
        self.count = self.count.saturating_add(1);
        self.ns = self.ns.saturating_add(ns);
        let count = &mut self.buckets[bucket(ns)];
        *count = count.saturating_add(1);
    }

    /// Adds another one.
    pub fn add(&mut self, other: &Histogram) {
        if other.count > 0 {
            self.min_ns = if self.count > 0 { self.min_ns.min(other.min_ns) } else { other.min_ns };
            self.max_ns = self.max_ns.max(other.max_ns);
        }
        self.count = self.count.saturating_add(other.count);
        self.ns = self.ns.saturating_add(other.ns);
        for (sum, count) in self.buckets.iter_mut().zip(other.buckets) {
            *sum = sum.saturating_add(count);
        }
    }

    /// How long `percent` of them took at most, in nanoseconds; `None` without any.
    ///
    /// The bucket is exact, what is within it is spread evenly. So it is less than twice, and more than half of what it would be if
    /// every time were known, and never shorter than the shortest or longer than the longest. (Where a kernel's bucket was full,
    /// what came later is missing from it.)
    pub fn quantile(&self, percent: u8) -> Option<u64> {
        let total: u128 = self.buckets.iter().map(|&count| u128::from(count)).sum();
        // The place of the one that is asked for, from 1.
        let place = (total * u128::from(percent.min(100))).div_ceil(100).max(1);
        let mut before = 0;
        if self.count == 0 {
            return None;
        }
        for (bucket, &count) in self.buckets.iter().enumerate().filter(|(_, &count)| count > 0) {
            let count = u128::from(count);
            if before + count < place {
                before += count;
                continue;
            }
            let bounded = |ns: u64| ns.clamp(self.min_ns, self.max_ns);
            // The last one has no end of its own.
            let end = if bucket + 1 == BUCKETS { u64::MAX } else { most(bucket) };
            let (from, to) = (bounded(least(bucket)), bounded(end));
            // In the middle of its share of the bucket; at the share's end where there are so many that the product would not fit.
            let (width, share) = (u128::from(to - from), place - before);
            let twice = width.checked_mul(share * 2 - 1);
            let within = twice.map_or(width * share / count, |twice| twice / (count * 2));
            return Some(from + u64::try_from(within).unwrap_or(0));
        }
        None
    }
}

/// The fewest nanoseconds in a bucket.
pub fn least(bucket: usize) -> u64 {
    if bucket == 0 {
        0
    } else {
        1 << bucket.min(BUCKETS - 1)
    }
}

/// The most nanoseconds in a bucket; of the last one, what would be if it were like the others.
pub fn most(bucket: usize) -> u64 {
    (2 << bucket.min(BUCKETS - 1)) - 1
}

impl fmt::Display for Histogram {
    /// The buckets, as the kernel writes them: `10:3,11:8`, or `-` for none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for (bucket, count) in self.buckets.iter().enumerate().filter(|(_, &count)| count > 0) {
            write!(f, "{between}{bucket}:{count}")?;
            between = ",";
        }
        if between.is_empty() {
            f.write_str("-")?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "histogram/tests.rs"]
mod tests;
