// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How many contexts, or histograms, there can be.

/// So many.
///
/// # Invariants
///
/// A power of two from [`Capacity::LEAST`] to [`Capacity::MOST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity(u32);

impl Capacity {
    /// The fewest: of an eighth, less than which is scarce, there is something left.
    pub const LEAST: u32 = 1 << 4;

    /// The most: half of the handles that there are.
    pub const MOST: u32 = 1 << 17;

    /// As many as there are unless somebody asks for others.
    // INVARIANT: It is one.
    pub const DEFAULT: Self = Self(1 << 14);

    /// At least so many; `None` where that is no number of them.
    pub const fn of(number: u32) -> Option<Self> {
        if number < Self::LEAST || number > Self::MOST {
            return None;
        }
        // INVARIANT: Both bounds are powers of two.
        Some(Self(number.next_power_of_two()))
    }

    /// The same for a number in decimal.
    pub fn parse(text: &[u8]) -> Option<Self> {
        Self::of(core::str::from_utf8(text).ok()?.parse().ok()?)
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_capacity))]
mod tests {
    use super::*;

    #[test]
    fn a_number_between_the_bounds_is_raised_to_a_power_of_two() {
        // Text, number.
        let table: [(&[u8], Option<u32>); 12] = [
            (b"16", Some(16)),
            (b"17", Some(32)),
            (b"16384", Some(16384)),
            (b"20000", Some(32768)),
            (b"131071", Some(131072)),
            (b"131072", Some(131072)),
            (b"15", None),
            (b"131073", None),
            (b"4294967296", None),
            (b"", None),
            (b"-16", None),
            (b"16K", None),
        ];
        for (text, number) in table {
            assert_eq!(Capacity::parse(text).map(Capacity::get), number);
        }
    }

    #[test]
    fn what_it_is_unless_somebody_asks_is_one() {
        assert_eq!(
            Capacity::of(Capacity::DEFAULT.get()),
            Some(Capacity::DEFAULT)
        );
    }
}
