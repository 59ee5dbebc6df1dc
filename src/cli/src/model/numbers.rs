// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a kernel counted of a call site, or of several.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::magnitudes::MAGNITUDE_LIMIT;
use super::number::{Number, Together, COUNT};

/// The most that a value is, either way.
const MOST: i64 = MAGNITUDE_LIMIT.cast_signed();

/// The value of each [`Number`] that the kernel counts. What it does not count is not known, which is not 0.
///
/// Most kernels count none: that takes no room but a pointer's.
///
/// # Invariants
///
/// No value's magnitude is above [`MAGNITUDE_LIMIT`]: what would be is at it. So the sum and the difference of two fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers(Option<Box<[Option<i64>; COUNT]>>);

impl Numbers {
    /// Nothing is known.
    pub const NONE: Numbers = Numbers(None);

    /// The value, if it is known.
    pub fn get(&self, number: Number) -> Option<i64> {
        self.0.as_ref()?[number.place()]
    }

    /// Makes the value known.
    pub fn set(&mut self, number: Number, value: i64) {
        self.0.get_or_insert_default()[number.place()] = Some(value.clamp(-MOST, MOST));
    }

    /// Makes the value unknown.
    pub fn forget(&mut self, number: Number) {
        *self = self.known().filter(|(known, _)| *known != number).collect();
    }

    /// The same with that value.
    #[must_use]
    pub fn with(mut self, number: Number, value: i64) -> Numbers {
        self.set(number, value);
        self
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// What is known, in the kernel's order.
    pub fn known(&self) -> impl Iterator<Item = (Number, i64)> + '_ {
        // Nothing is gone through where nothing is known.
        let values = self.0.iter().flat_map(|values| values.iter());
        Number::all().zip(values).filter_map(|(number, value)| Some((number, (*value)?)))
    }

    /// Adds others; of what is a most, the larger one stays. What one side does not know is not known of both.
    pub fn add(&mut self, other: &Numbers) {
        *self = self.join(other, |number, a, b| match number.about().together {
            Together::Sum => a + b,
            Together::Most => a.max(b),
        });
    }

    /// What was added since `earlier`. Of what only grows, all where it has begun anew: with the machine, which `anew` says, or
    /// with its module, where it is less now. A most that has not changed is not known of the time in between.
    #[must_use]
    pub fn since(&self, earlier: &Numbers, anew: bool) -> Numbers {
        let added = |number: Number, now: i64, before: i64| match number.about().together {
            Together::Most => (anew || now != before || now == 0).then_some(now),
            Together::Sum if number.about().grows() && (anew || now < before) => Some(now),
            Together::Sum => Some(now - before),
        };
        let both = self.known().filter_map(|(number, value)| Some((number, value, earlier.get(number)?)));
        both.filter_map(|(number, now, before)| Some((number, added(number, now, before)?))).collect()
    }

    /// Applies `with` to each number that both know.
    #[must_use]
    pub fn join(&self, other: &Numbers, with: impl Fn(Number, i64, i64) -> i64) -> Numbers {
        let both = self.known().filter_map(|(number, value)| Some((number, value, other.get(number)?)));
        both.map(|(number, a, b)| (number, with(number, a, b))).collect()
    }
}

impl FromIterator<(Number, i64)> for Numbers {
    fn from_iter<I: IntoIterator<Item = (Number, i64)>>(known: I) -> Numbers {
        known.into_iter().fold(Numbers::NONE, |numbers, (number, value)| numbers.with(number, value))
    }
}

impl Serialize for Numbers {
    /// As a map of those that are known.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (number, value) in self.known() {
            map.serialize_entry(number.name(), &value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_knows_what_all_its_parts_know() {
        let mut sum = Numbers::NONE.with(Number::Slack, 5).with(Number::Allocs, 1);
        sum.add(&Numbers::NONE.with(Number::Slack, -7).with(Number::Failed, 1));
        assert_eq!(sum.known().collect::<Vec<_>>(), [(Number::Slack, -2)]);
        sum.add(&Numbers::NONE);
        assert!(sum.is_empty());
    }

    #[test]
    fn what_is_too_much_to_be_added_up_is_the_most_that_there_is() {
        let numbers = |value| Numbers::NONE.with(Number::Allocated, value).with(Number::StallMaxNs, value);
        let mut sum = numbers(i64::MAX);
        sum.add(&numbers(MOST));
        sum.add(&numbers(7));
        assert_eq!((sum.get(Number::Allocated), sum.get(Number::StallMaxNs)), (Some(MOST), Some(MOST)));
        let slack = |value| Numbers::NONE.with(Number::Slack, value);
        assert_eq!(slack(i64::MIN).since(&slack(i64::MAX), false), slack(-MOST));
    }

    #[test]
    fn the_longest_of_several_is_the_longest_of_any() {
        let numbers = |ns, most| Numbers::NONE.with(Number::StallNs, ns).with(Number::StallMaxNs, most);
        for (a, b, expected) in [
            (numbers(9, 4), numbers(20, 15), numbers(29, 15)),
            (numbers(20, 15), numbers(9, 4), numbers(29, 15)),
            (numbers(0, 0), numbers(7, 7), numbers(7, 7)),
        ] {
            let mut sum = a;
            sum.add(&b);
            assert_eq!(sum, expected);
        }
    }

    #[test]
    fn what_grows_and_is_less_than_before_has_begun_anew() {
        let numbers = |slack, allocs| Numbers::NONE.with(Number::Slack, slack).with(Number::Allocs, allocs);
        for (before, now, expected) in [
            (numbers(5, 5), numbers(7, 9), numbers(2, 4)),
            (numbers(7, 9), numbers(5, 5), numbers(-2, 5)),
            (numbers(1, 1), Numbers::NONE, Numbers::NONE),
        ] {
            assert_eq!(now.since(&before, false), expected);
        }
        assert_eq!(numbers(7, 9).since(&numbers(5, 5), true), numbers(2, 9));
    }

    #[test]
    fn a_most_is_of_the_time_since_only_if_it_has_changed() {
        let most = |value| Numbers::NONE.with(Number::StallMaxNs, value);
        for (before, now, anew, expected) in [
            (5, 9, false, most(9)),
            (5, 5, false, Numbers::NONE),
            (9, 5, false, most(5)),
            (5, 5, true, most(5)),
            (0, 0, false, most(0)),
        ] {
            assert_eq!(most(now).since(&most(before), anew), expected);
        }
    }

    #[test]
    fn machines_are_told_what_is_known() {
        let numbers = Numbers::NONE.with(Number::Failed, 0).with(Number::Slack, 7);
        assert_eq!(serde_json::to_string(&numbers).unwrap(), r#"{"slack":7,"failed":0}"#);
        assert_eq!(serde_json::to_string(&Numbers::NONE).unwrap(), "{}");
    }
}
