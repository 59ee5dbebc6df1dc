// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The first word of a key, but for the call site.

use crate::model::{handle::Handle, rule::Keys};

/// By how many bits things are shifted beside the account of the call site.
const KEYS: u32 = Handle::BITS;
const HIGH: u32 = 32;

/// The bit that says that some allocations only are looked at.
const SAMPLED: u64 = 1 << 31;

const _: () = assert!((Keys::ALL as u64) << KEYS < SAMPLED);

/// What a rule has keys begin with: its number, and what it tells contexts apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start(u64);

impl Start {
    /// That of the rule of that number, which tells contexts apart by these keys, and looks at all allocations or at some.
    pub const fn new(rule: u32, keys: Keys, is_sampled: bool) -> Self {
        let sampled = if is_sampled { SAMPLED } else { 0 };
        Self((keys.bits() as u64) << KEYS | sampled | (rule as u64) << HIGH)
    }

    /// The word to store.
    pub const fn word(self) -> u64 {
        self.0
    }

    /// What was stored as a word.
    #[inline(always)]
    pub const fn from_word(word: u64) -> Self {
        Self(word)
    }

    /// What contexts are told apart by.
    #[inline(always)]
    pub const fn keys(self) -> Keys {
        Keys::from_bits((self.0 >> KEYS) as u16 & Keys::ALL)
    }

    /// Whether all allocations are looked at, and told apart by what is at hand.
    #[inline(always)]
    pub const fn is_short(self) -> bool {
        self.0 & (SAMPLED | (Keys::LONG.bits() as u64) << KEYS) == 0
    }

    /// The number of the rule.
    pub const fn rule(self) -> u32 {
        (self.0 >> HIGH) as u32
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_context_start))]
mod tests {
    use super::*;
    use crate::model::rule::By;

    #[test]
    fn by_what_is_at_hand_and_of_all_allocations_the_way_is_short() {
        let all = Keys::from_bits(Keys::ALL);
        // Keys, whether some allocations only are looked at, whether it is short.
        let table = [
            (Keys::NONE.with(By::Node), false, true),
            (Keys::OF_TASK.with(By::Node), false, true),
            (Keys::NONE.with(By::Node), true, false),
            (Keys::OF_TASK.with(By::Stack), false, false),
            (Keys::NONE.with(By::Caller), false, false),
            (Keys::NONE.with(By::Order), false, false),
            (all, true, false),
        ];
        for (keys, is_sampled, is_short) in table {
            let start = Start::new(u32::MAX, keys, is_sampled);
            assert_eq!(start.is_short(), is_short);
            assert_eq!((start.keys(), start.rule()), (keys, u32::MAX));
        }
    }
}
