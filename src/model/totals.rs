// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What an account has alive.

/// Bytes and objects alive, summed over CPUs.
///
/// One CPU's share means nothing by itself, because an object may be freed on another CPU than it was allocated on. The
/// shares are read without stopping anybody, so a sum taken while allocations go on may be off by those, and the two
/// numbers need not belong to the same moment; once all is quiet both are exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Totals {
    /// Live bytes, signed because a free may be seen before its allocation.
    pub bytes: i64,
    /// Live objects, pages or areas.
    pub calls: u64,
}

impl Totals {
    /// Adds one CPU's share. The shares wrap around, and so does their sum.
    #[inline]
    pub fn add(&mut self, share: Totals) {
        self.bytes = self.bytes.wrapping_add(share.bytes);
        self.calls = self.calls.wrapping_add(share.calls);
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_totals))]
mod tests {
    use super::*;

    #[test]
    fn what_one_cpu_frees_for_another_cancels_out() {
        let mut totals = Totals::default();
        totals.add(Totals {
            bytes: 128,
            calls: 2,
        });
        totals.add(Totals {
            bytes: -64,
            calls: u64::MAX,
        });
        assert_eq!(
            totals,
            Totals {
                bytes: 64,
                calls: 1
            }
        );
    }

    #[test]
    fn a_free_that_is_seen_first_is_a_negative_size() {
        let mut totals = Totals::default();
        totals.add(Totals {
            bytes: -64,
            calls: u64::MAX,
        });
        assert_eq!(totals.bytes, -64);
    }
}
