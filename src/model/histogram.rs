// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How often something took how long: by the binary logarithm of nanoseconds.
//!
//! Such histograms are counted by one increment and merge exactly. As text, `10:3,11:8` are three of 2^10 nanoseconds or more
//! and less than 2^11, and eight of twice as much.

use super::text::{Full, Text};

/// How many buckets there are. The first holds what took no time at all as well, and the last, from nine minutes on, all that
/// took longer.
pub const BUCKETS: usize = 40;

/// The binary logarithm of a number of nanoseconds, rounded down: its bucket, where there is one.
#[inline(always)]
pub const fn logarithm(nanoseconds: u64) -> usize {
    (nanoseconds | 1).ilog2() as usize
}

/// The bucket of a number of nanoseconds.
#[inline(always)]
pub const fn bucket(nanoseconds: u64) -> usize {
    let logarithm = logarithm(nanoseconds);
    if logarithm < BUCKETS {
        logarithm
    } else {
        BUCKETS - 1
    }
}

/// A histogram, with what it does not keep of each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// How many there were.
    pub count: u64,
    /// Nanoseconds of all together; wraps around.
    pub sum: u64,
    /// Nanoseconds of the shortest; meaningless where there was none.
    pub least: u64,
    /// Nanoseconds of the longest.
    pub most: u64,
    /// How many there were of each bucket. One that has come to [`u32::MAX`] stays there.
    pub buckets: [u32; BUCKETS],
}

impl Histogram {
    /// Of nothing.
    pub const EMPTY: Self = Self {
        count: 0,
        sum: 0,
        least: 0,
        most: 0,
        buckets: [0; BUCKETS],
    };

    /// Takes one more into account.
    pub fn add(&mut self, nanoseconds: u64) {
        self.least = if self.count == 0 {
            nanoseconds
        } else {
            self.least.min(nanoseconds)
        };
        self.most = self.most.max(nanoseconds);
        self.count += 1;
        self.sum = self.sum.saturating_add(nanoseconds);
        if let Some(count) = self.buckets.get_mut(bucket(nanoseconds)) {
            *count = count.saturating_add(1);
        }
    }

    /// Whether there was nothing.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Appends how many there were, nanoseconds of all together, and of the shortest and the longest.
    ///
    /// # Errors
    ///
    /// [`Full`]
    pub fn show_numbers(&self, text: &mut Text<'_>) -> Result<(), Full> {
        let least = if self.is_empty() { 0 } else { self.least };
        for number in [self.count, self.sum, least, self.most] {
            text.decimal(number)?;
        }
        Ok(())
    }

    /// Appends the buckets that are not empty; `-` where all are.
    ///
    /// # Errors
    ///
    /// [`Full`]
    pub fn show(&self, text: &mut Text<'_>) -> Result<(), Full> {
        let counts = self.buckets.iter().zip(0u64..);
        let mut is_first = true;
        for (count, number) in counts.filter(|(count, _)| **count != 0) {
            if !is_first {
                text.bytes(b",")?;
            }
            is_first = false;
            text.digits(number)?;
            text.bytes(b":")?;
            text.digits((*count).into())?;
        }
        if is_first {
            text.bytes(b"-")?;
        }
        text.bytes(b" ")
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_histogram))]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_holds_a_power_of_two_and_what_is_less_than_twice_that() {
        // Nanoseconds, bucket.
        let table = [
            (0, 0),
            (1, 0),
            (2, 1),
            (3, 1),
            (4, 2),
            (1023, 9),
            (1024, 10),
            ((1 << 39) - 1, 38),
            (1 << 39, 39),
            (1 << 40, 39),
            (u64::MAX, 39),
        ];
        for (nanoseconds, expected) in table {
            assert_eq!(bucket(nanoseconds), expected);
        }
    }

    #[test]
    fn a_histogram_keeps_count_sum_and_both_ends() {
        let mut histogram = Histogram::EMPTY;
        assert!(histogram.is_empty());
        for nanoseconds in [900, 1200, 40, 1100] {
            histogram.add(nanoseconds);
        }
        assert_eq!(
            (
                histogram.count,
                histogram.sum,
                histogram.least,
                histogram.most
            ),
            (4, 3240, 40, 1200)
        );
        assert_eq!(
            histogram.buckets.get(..12),
            Some(&[0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0][..])
        );
    }

    #[test]
    fn a_bucket_that_is_full_stays_so() {
        let mut histogram = Histogram::EMPTY;
        if let Some(count) = histogram.buckets.get_mut(10) {
            *count = u32::MAX;
        }
        histogram.add(1024);
        assert_eq!(histogram.buckets.get(10), Some(&u32::MAX));
        assert_eq!(histogram.count, 1);
    }

    #[test]
    fn the_text_has_the_buckets_that_are_not_empty() {
        // Nanoseconds of each, text.
        let table: [(&[u64], &[u8]); 3] = [
            (&[], b"- "),
            (&[0], b"0:1 "),
            (&[1024, 2047, 0, 5000], b"0:1,10:2,12:1 "),
        ];
        for (times, expected) in table {
            let mut histogram = Histogram::EMPTY;
            times.iter().for_each(|time| histogram.add(*time));
            let mut buffer = [0; 64];
            let mut text = Text::new(&mut buffer);
            assert!(histogram.show(&mut text).is_ok());
            let used = text.used();
            assert_eq!(buffer.get(..used), Some(expected));
        }
    }

    #[test]
    fn the_longest_text_fits_into_a_page() {
        let mut histogram = Histogram::EMPTY;
        histogram.buckets = [u32::MAX; BUCKETS];
        let mut buffer = [0; 4096];
        let mut text = Text::new(&mut buffer);
        assert!(histogram.show(&mut text).is_ok());
        assert!(text.used() < 600);
    }
}
