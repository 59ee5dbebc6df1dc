// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What an object comes to in the counters of a context.

use super::{
    reference::Reference,
    sample::{Period, Weight},
    totals::Totals,
};

/// Bytes, objects and slack. Slack is given as references hold it, in the bits above the handle; objects are whole ones where
/// all are looked at, and parts of [`Weight::ONE`] where some stand for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Bytes.
    pub bytes: u64,
    /// Objects.
    pub calls: u64,
    /// Of the bytes, those that nobody asked for.
    pub slack: u64,
}

impl Load {
    /// That of one object.
    #[inline(always)]
    pub const fn of(bytes: usize, slack: usize) -> Self {
        Self {
            bytes: bytes as u64,
            calls: 1,
            slack: slack as u64,
        }
    }

    /// What is left of it without another one; wraps around.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.wrapping_sub(other.bytes),
            calls: self.calls.wrapping_sub(other.calls),
            slack: self.slack.wrapping_sub(other.slack),
        }
    }

    /// That of what an object stands for that was looked at once in a period; its own where all are looked at.
    #[inline(always)]
    #[must_use]
    pub fn over(self, period: Option<Period>) -> Self {
        match period {
            Some(period) => self.weighed(period.weight(self.bytes)),
            None => self,
        }
    }

    /// That of an object which stands for others, of the same size and with the same slack.
    #[must_use]
    const fn weighed(self, weight: Weight) -> Self {
        let bytes = self.slack >> Reference::SLACK_SHIFT;
        let slack = (bytes as u128 * weight.calls as u128 / Weight::ONE as u128) as u64;
        Self {
            bytes: weight.bytes,
            calls: weight.calls,
            slack: slack << Reference::SLACK_SHIFT,
        }
    }
}

/// Whole objects, of totals that were counted in parts; what is left of one is one from the half on.
pub const fn whole(totals: Totals) -> Totals {
    let calls = totals.calls as i64;
    Totals {
        // Less than none where a free was seen before its allocation.
        calls: if calls < 0 { 0 } else { rounded(totals.calls) },
        allocs: rounded(totals.allocs),
        frees: rounded(totals.frees),
        ..totals
    }
}

const fn rounded(parts: u64) -> u64 {
    parts.wrapping_add(Weight::ONE / 2) / Weight::ONE
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_load))]
mod tests {
    use super::*;

    const SLACK: usize = 1 << Reference::SLACK_SHIFT;

    #[test]
    fn what_stands_for_others_has_its_own_slack_for_each_of_them() {
        let load = Load::of(96, 5 * SLACK);
        let weight = Weight {
            bytes: 240,
            calls: 5 * Weight::ONE / 2,
        };
        let expected = Load {
            bytes: 240,
            calls: 5 * Weight::ONE / 2,
            slack: 12 << Reference::SLACK_SHIFT,
        };
        assert_eq!(load.weighed(weight), expected);
        let alone = Weight {
            bytes: 96,
            calls: Weight::ONE,
        };
        assert_eq!(load.weighed(alone).slack, load.slack);
    }

    #[test]
    fn what_shrinks_leaves_the_rest() {
        let rest = Load::of(8192, SLACK).without(Load::of(4096, 0));
        let expected = Load {
            bytes: 4096,
            calls: 0,
            slack: SLACK as u64,
        };
        assert_eq!(rest, expected);
    }

    #[test]
    fn parts_of_objects_are_shown_as_whole_ones() {
        let half = Weight::ONE / 2;
        // Parts that are alive, as many objects.
        let table = [
            (0, 0),
            (half - 1, 0),
            (half, 1),
            (Weight::ONE, 1),
            (7 * half, 4),
            (half.wrapping_neg(), 0),
        ];
        for (parts, objects) in table {
            let totals = Totals {
                calls: parts,
                allocs: 3 * Weight::ONE,
                frees: Weight::ONE,
                ..Totals::default()
            };
            let shown = whole(totals);
            assert_eq!((shown.calls, shown.allocs, shown.frees), (objects, 3, 1));
        }
    }
}
