// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What an account has alive, and what has passed through it.

/// Bytes and objects, summed over CPUs.
///
/// One CPU's share means nothing by itself, because an object may be freed on another CPU than it was allocated on. The
/// shares are read without stopping anybody, so a sum taken while allocations go on may be off by those, and the
/// numbers need not belong to the same moment; once all is quiet they are exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Totals {
    /// Live bytes, signed because a free may be seen before its allocation.
    pub bytes: i64,
    /// Live objects, pages or areas.
    pub calls: u64,
    /// Of the live bytes, those that nobody asked for.
    pub slack: i64,
    /// Objects, pages or areas that were ever allocated.
    pub allocs: u64,
    /// Those of them that were taken back.
    pub frees: u64,
    /// Bytes that were ever allocated.
    pub allocated: u64,
}

impl Totals {
    /// Whether nothing is alive, nor on its way to the counters: those that a free changes may be seen in any order, that of
    /// slack last of all.
    pub fn is_idle(&self) -> bool {
        self.bytes == 0 && self.calls == 0 && self.slack == 0
    }
}

/// The counters of an account, as they stand on one CPU or summed over some. They wrap around, and so does their sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Bytes that were allocated.
    pub given: u64,
    /// Objects, pages or areas that were allocated.
    pub allocs: u64,
    /// Bytes that were taken back.
    pub taken: u64,
    /// Objects, pages or areas that were taken back.
    pub frees: u64,
    /// Slack as references hold it, in the bits above the handle.
    pub slack: u64,
}

impl Counters {
    /// What they come to, where slack stands so many bits above what it is in bytes.
    pub fn totals(self, slack_shift: u32) -> Totals {
        Totals {
            bytes: self.given.wrapping_sub(self.taken) as i64,
            calls: self.allocs.wrapping_sub(self.frees),
            slack: self.slack as i64 >> slack_shift,
            allocs: self.allocs,
            frees: self.frees,
            allocated: self.given,
        }
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_totals))]
mod tests {
    use super::*;

    #[test]
    fn what_is_alive_is_the_difference_of_what_only_grows() {
        let counters = Counters {
            given: 192,
            allocs: 3,
            taken: 64,
            frees: 1,
            slack: 7 << 18,
        };
        let totals = Totals {
            bytes: 128,
            calls: 2,
            slack: 7,
            allocs: 3,
            frees: 1,
            allocated: 192,
        };
        assert_eq!(counters.totals(18), totals);
        assert!(!totals.is_idle());
    }

    #[test]
    fn a_free_that_is_seen_first_is_a_negative_size() {
        let counters = Counters {
            taken: 64,
            frees: 1,
            slack: (7u64 << 18).wrapping_neg(),
            ..Counters::default()
        };
        let totals = counters.totals(18);
        assert_eq!((totals.bytes, totals.calls), (-64, u64::MAX));
        assert_eq!(totals.slack, -7);
    }

    #[test]
    fn counters_that_have_wrapped_around_have_the_same_difference() {
        let counters = Counters {
            given: 32,
            allocs: 0,
            taken: u64::MAX - 31,
            frees: u64::MAX,
            slack: 0,
        };
        let totals = counters.totals(18);
        assert_eq!((totals.bytes, totals.calls), (64, 1));
    }

    #[test]
    fn an_account_is_idle_when_all_that_it_gave_was_taken_back() {
        // Taken of 64 bytes, frees of one, slack that is left.
        let table = [
            (64, 1, 0, true),
            (0, 1, 0, false),
            (64, 0, 0, false),
            (64, 1, 7 << 18, false),
        ];
        for (taken, frees, slack, is_idle) in table {
            let counters = Counters {
                given: 64,
                allocs: 1,
                taken,
                frees,
                slack,
            };
            assert_eq!(counters.totals(18).is_idle(), is_idle);
        }
    }
}
