// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Which allocations are looked at where not all are, and what each of them then stands for.
//!
//! Of every so many bytes one is looked at, at random and each as likely as any other, and with it the allocation that it
//! belongs to: as the heap profilers of user space do it (tcmalloc, jemalloc, Go). So one of `size` bytes is looked at in
//! `1 - exp(-size / every)` of all cases, and stands for the inverse of that many. This depends on nothing but its size,
//! so that freeing takes off what allocating added; and sums over what is looked at are estimates without bias.
//!
//! Everything is integers: there are no others in the kernel.

/// How many bytes lie between those that are looked at, on an average.
///
/// # Invariants
///
/// At least [`Period::LEAST`], at most [`Period::MOST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period(u64);

/// What an allocation that is looked at stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Bytes.
    pub bytes: u64,
    /// Allocations, in parts of which [`Weight::ONE`] make a whole one.
    pub calls: u64,
}

impl Weight {
    /// One allocation.
    pub const ONE: u64 = 1 << 16;

    /// Whether a part is still looked at of something that was, so that it is as likely to be as anything of its size. `random`
    /// is any number, each as likely as any other.
    pub const fn keeps(self, part: Self, random: u64) -> bool {
        // Each is looked at in one of so many cases.
        let drawn = (random as u128 * part.calls as u128) >> u64::BITS;
        (drawn as u64) < self.calls
    }
}

/// Bits behind the point of numbers that have a whole part.
const POINT: u32 = 31;
/// 1.
const ONE: u64 = 1 << POINT;
/// Bits behind the point of ratios. A number of [`POINT`] is below 2^37, so that this many more fit.
const FINE: u32 = 26;
/// The natural logarithm of 2, with as many bits behind the point as there are of [`POINT`]: 2^31 times 0.69314718056.
const LN_2: u64 = 1_488_522_236;
/// So many periods are never without a byte that is looked at: but for one case in 2^64.
const CERTAIN: u64 = 45;

/// The product of two numbers, of which the second has [`POINT`] bits behind the point.
const fn times(number: u64, fixed: u64) -> u64 {
    ((number as u128 * fixed as u128) >> POINT) as u64
}

impl Period {
    /// The shortest period, in bytes: weights of whole bytes are then off by no more than a part in 8,192.
    pub const LEAST: u64 = 4096;

    /// The longest period, in bytes.
    pub const MOST: u64 = u32::MAX as u64;

    /// A period of so many bytes, if there can be such a one.
    pub const fn new(every: u64) -> Option<Self> {
        match every {
            // INVARIANT: As it says.
            Self::LEAST..=Self::MOST => Some(Self(every)),
            _ => None,
        }
    }

    /// The bytes.
    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// How many bytes there are up to the next that is looked at, that one included. `random` is any number, each as likely
    /// as any other.
    pub fn gap(self, random: u64) -> u64 {
        // Zero is no less likely than one, and has no logarithm.
        let random = random | 1;
        let zeros = random.leading_zeros();
        // From 1 to 2, exclusively.
        let mut rest = (random << zeros) >> (u64::BITS - 1 - POINT);
        let mut log2 = 0;
        for _ in 0..POINT {
            rest = times(rest, rest);
            log2 <<= 1;
            if rest >= 2 * ONE {
                rest >>= 1;
                log2 |= 1;
            }
        }
        // By how many powers of two it is below 2^64.
        let below = (u64::from(zeros) + 1) * ONE - log2;
        times(self.0, times(below, LN_2)) + 1
    }

    /// What an allocation of `size` bytes stands for.
    pub fn weight(self, size: u64) -> Weight {
        let every = self.0;
        if size / CERTAIN >= every {
            return Weight {
                bytes: size,
                calls: Weight::ONE,
            };
        }
        // Bytes, in as fine parts as calls are given in; below 2^54.
        let bytes = u128::from(every) * u128::from(stretch(periods(size, every)));
        let bytes = (bytes >> (POINT - Weight::ONE.trailing_zeros())) as u64;
        // Less than itself it cannot stand for, but for what was cut off.
        Weight {
            bytes: ((bytes + Weight::ONE / 2) / Weight::ONE).max(size),
            calls: quotient(bytes, size.max(1)).max(Weight::ONE),
        }
    }
}

/// A quotient; of a divisor that is not 0.
const fn quotient(number: u64, divisor: u64) -> u64 {
    match number.checked_div(divisor) {
        Some(quotient) => quotient,
        None => 0,
    }
}

/// How many periods a size is, below [`CERTAIN`], with [`POINT`] bits behind the point.
const fn periods(size: u64, every: u64) -> u64 {
    // What is cut off is less than a part in 2^31.
    let over = (u64::BITS - size.leading_zeros()).saturating_sub(u64::BITS - POINT);
    quotient((size >> over) << POINT, every >> over)
}

/// `x / (1 - exp(-x))`: how many periods something stands for that is `x` long.
fn stretch(x: u64) -> u64 {
    // For what is below a quarter, a few terms of the series: 1 + x/2 + x^2/12 - x^4/720.
    let halvings = (u64::BITS - x.leading_zeros()).saturating_sub(POINT - 2);
    let mut x = x >> halvings;
    let square = times(x, x);
    let mut stretch = ONE + x / 2 + square / 12 - times(square, square) / 720;
    for _ in 0..halvings {
        // Twice as long: exp(-x) is 1 - x / stretch.
        let certainty = quotient(x << FINE, stretch);
        stretch = quotient(stretch << FINE, (1 << FINE) - certainty / 2);
        x *= 2;
    }
    stretch
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_sample))]
mod tests {
    use super::*;

    /// Within so many parts of a million, and one.
    fn near(found: u64, wanted: u64, parts: u64) -> bool {
        found.abs_diff(wanted) <= wanted * parts / 1_000_000 + 1
    }

    #[test]
    fn parts_are_looked_at_as_often_as_others_of_their_size() {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        // Bytes of the whole and of its parts. So many parts of a million are four times what the sum of some 10,000 may be off by.
        for (part, parts) in [(4096, 16), (8192, 2), (4096, 512), (4096, 1)] {
            // No division that could panic: objtool knows of no such function that it does not come back.
            let whole = part * parts;
            let (Some(period), Some(runs)) = (Period::new(65536), 200_000_u64.checked_div(parts))
            else {
                continue;
            };
            let (of_whole, of_part) = (period.weight(whole), period.weight(part));
            let (mut wholes, mut estimate) = (0, 0);
            for _ in 0..runs {
                wholes += 1;
                // In so many cases the whole is looked at; else none of its parts is.
                let chance = (u128::from(random.next()) * u128::from(of_whole.calls)) >> 64;
                if chance as u64 >= Weight::ONE {
                    continue;
                }
                for _ in 0..parts {
                    if of_whole.keeps(of_part, random.next()) {
                        estimate += of_part.bytes;
                    }
                }
            }
            assert!(near(estimate, wholes * whole, 60_000));
        }
    }

    #[test]
    fn a_weight_is_the_inverse_of_the_probability() {
        // Period, size, bytes, parts of calls: by floating point.
        let table = [
            (524288, 1, 524289, 34359771136),
            (524288, 64, 524320, 536903681),
            (524288, 4096, 526339, 8421419),
            (524288, 131072, 592552, 296276),
            (524288, 524288, 829411, 103676),
            (524288, 2097152, 2136279, 66759),
            (524288, 20000000, 20000000, 65536),
            (524288, 33554432, 33554432, 65536),
            (4096, 1, 4097, 268468225),
            (4096, 4096, 6480, 103676),
            (4294967295, 8, 4294967299, 35184372113408),
            (4294967295, 4294967295, 6794538217, 103676),
            (5000, 1665, 5879, 231388),
        ];
        for (every, size, bytes, calls) in table {
            let weight = Period::new(every).map(|period| period.weight(size));
            assert!(weight.is_some_and(|weight| near(weight.bytes, bytes, 1)));
            assert!(weight.is_some_and(|weight| near(weight.calls, calls, 10)));
        }
    }

    #[test]
    fn a_gap_is_an_exponential_of_its_number() {
        // Number, bytes: by floating point.
        let table = [
            (1 << 63, 363409),
            (1, 23258160),
            (u64::MAX, 0),
            (1 << 32, 11629080),
            (6_786_177_901_268_885_274, 524288),
        ];
        for (random, bytes) in table {
            let gap = Period::new(1 << 19).map(|period| period.gap(random));
            assert!(gap.is_some_and(|gap| near(gap, bytes, 1)));
        }
    }

    #[test]
    fn a_period_is_neither_too_short_nor_too_long() {
        assert_eq!(Period::new(0), None);
        assert_eq!(Period::new(Period::LEAST - 1), None);
        assert!(Period::new(Period::LEAST).is_some());
        assert_eq!(Period::new(Period::MOST + 1), None);
        assert!(Period::new(Period::MOST).is_some());
    }

    #[test]
    fn weights_are_within_bounds_for_all_periods_and_sizes() {
        let powers = (0..u64::BITS).map(|bit| 1u64 << bit);
        for every in powers.clone().filter_map(Period::new) {
            for size in powers.clone().chain([0, u64::MAX]) {
                let weight = every.weight(size);
                assert!(weight.bytes >= size && weight.calls >= Weight::ONE);
            }
        }
    }

    /// Numbers that do not repeat themselves: Marsaglia's xorshift.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }
    }

    #[test]
    fn what_is_looked_at_stands_for_all() {
        // Period, size, allocations. Some ten thousand of each are looked at, so that a sum deviates by a hundredth of itself;
        // four times as much is let pass.
        let table = [
            (4096, 40, 1_000_000),
            (4096, 2800, 50_000),
            (4096, 12000, 20_000),
        ];
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for (every, size, count) in table {
            let Some(period) = Period::new(every) else {
                continue;
            };
            let (mut left, mut bytes, mut calls) = (period.gap(random.next()), 0, 0);
            for _ in 0..count {
                if left > size {
                    left -= size;
                    continue;
                }
                let weight = period.weight(size);
                bytes += weight.bytes;
                calls += weight.calls;
                left = period.gap(random.next());
            }
            assert!(near(bytes, size * count, 40_000));
            assert!(near(calls / Weight::ONE, count, 40_000));
        }
    }
}
