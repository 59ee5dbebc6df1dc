// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A number over time, kept as its changes: most sites hold the same for hours, and then a byte or two is enough.

use crate::model::MAGNITUDE_LIMIT;
use crate::snapshot::varint::{put, take, unzigzag, zigzag};

/// A number's values from profile to profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Course {
    /// Changes as zigzag varints. Behind a 0 stands how many values in a row were those before them.
    code: Vec<u8>,
    /// How many values `code` tells, and the last of them.
    coded: usize,
    last: i64,
    /// How many values the same as the last come behind those.
    still: usize,
}

impl Course {
    /// The course of these values.
    pub(super) fn of(values: &[i64]) -> Course {
        let mut course = Course::default();
        values.iter().enumerate().for_each(|(place, &value)| course.set(place, value));
        course
    }

    /// Adds the value at `place`. It was 0 since what was added last, if that is some places back.
    pub(super) fn set(&mut self, place: usize, value: i64) {
        if self.len() < place {
            self.add(0);
            self.still += place - self.len();
        }
        self.add(value);
    }

    fn add(&mut self, value: i64) {
        if value == self.last {
            self.still += 1;
            return;
        }
        if self.still > 0 {
            self.code.push(0);
            // CAST: usize has no more than 64 bits.
            put(&mut self.code, self.still as u64);
        }
        // Row's invariant rules out overflow.
        put(&mut self.code, zigzag(value - self.last));
        (self.coded, self.still, self.last) = (self.len() + 1, 0, value);
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.coded + self.still
    }

    /// Bytes that the changes take: a report takes about twice as many.
    pub(super) fn size(&self) -> usize {
        self.code.len()
    }

    /// Adds the values to those in `sums`.
    pub(super) fn add_to(&self, sums: &mut [i64]) {
        let (mut code, mut value, mut place) = (self.code.as_slice(), 0, 0);
        while let Some(change) = take(&mut code).map(unzigzag) {
            let times = if change == 0 { take(&mut code).unwrap_or_default() } else { 1 };
            value += change;
            // CAST: it was a usize.
            let end = place + times as usize;
            sums[place..end].iter_mut().for_each(|sum| add(sum, value));
            place = end;
        }
        sums[place..self.len()].iter_mut().for_each(|sum| add(sum, self.last));
    }

    /// All `count` values; those that were never added are 0.
    pub(super) fn values(&self, count: usize) -> Vec<i64> {
        let mut values = vec![0; count];
        self.add_to(&mut values);
        values
    }
}

/// Adds a value of a row to a sum of such. Both are within [`MAGNITUDE_LIMIT`], and there the sum stops.
fn add(sum: &mut i64, value: i64) {
    const MOST: i64 = MAGNITUDE_LIMIT.cast_signed();
    *sum = (*sum + value).clamp(-MOST, MOST);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_whatever_they_are() {
        const MOST: i64 = (1 << 62) - 1;
        for values in [
            &[][..],
            &[0],
            &[5],
            &[0, 0, 7, 7, 7, 0, 0, -1],
            &[3, 3, 3, 3],
            &[MOST, -MOST, MOST, 0, -MOST],
            &[1, 2, 3, 2, 1, 1, 1, 9],
        ] {
            let course = Course::of(values);
            assert_eq!((course.values(values.len()), course.len()), (values.to_vec(), values.len()));
            let doubled: Vec<i64> = values.iter().map(|value| value / 2 * 2).collect();
            let half = Course::of(&values.iter().map(|value| value / 2).collect::<Vec<_>>());
            let mut sums = half.values(values.len());
            half.add_to(&mut sums);
            assert_eq!(sums, doubled);
            // Sums that would be too large stop there.
            course.add_to(&mut sums);
            course.add_to(&mut sums);
            assert!(sums.iter().all(|sum| (-MOST..=MOST).contains(sum)), "{sums:?}");
        }
    }

    #[test]
    fn what_was_not_there_held_nothing() {
        let mut course = Course::default();
        for (place, value) in [(2, 7), (3, 7), (6, 4), (8, 4)] {
            course.set(place, value);
        }
        assert_eq!(course.values(11), [0, 0, 7, 7, 0, 0, 4, 0, 4, 0, 0]);
    }

    #[test]
    fn what_stays_the_same_takes_no_room() {
        let mut course = Course::of(&[1 << 20; 480]);
        assert!(course.size() <= 4, "{}", course.size());
        course.set(1_000_000, 1);
        assert!(course.size() <= 16, "{}", course.size());
    }
}
