// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The 32-bit name of an account.
//!
//! An account is what totals are kept for. Objects and pages carry its handle instead of a pointer: half the bytes, and
//! nothing dangles when the tag goes away with its module.

/// The name of an account.
///
/// # Invariants
///
/// The number fits in [`Handle::BITS`] bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Handle(u32);

impl Handle {
    /// How many bits a handle takes in a reference; 2^18 accounts, less the two that stand for none.
    pub const BITS: u32 = 18;

    /// The bits of a reference that hold the handle.
    pub const MASK: u32 = (1 << Self::BITS) - 1;

    /// No account: nothing was counted.
    pub const NONE: Self = Self(0);

    /// Deliberately not counted, which the debugging checks tell from a mistake.
    pub const EMPTY: Self = Self(1);

    /// The number of the first account that counts.
    pub const FIRST: u32 = 2;

    /// The handle in the low bits of a word.
    #[inline(always)]
    pub const fn from_word(word: u32) -> Self {
        // INVARIANT: The mask leaves `BITS` bits.
        Self(word & Self::MASK)
    }

    /// The handle that a word is which is nothing else.
    #[inline(always)]
    pub(super) const fn bare(word: u32) -> Self {
        // INVARIANT: As the caller has asked.
        Self(word)
    }

    /// The handle of the account that is the `index`th to count, if so many can be named.
    pub const fn nth(index: usize) -> Option<Self> {
        if index > (Self::MASK - Self::FIRST) as usize {
            return None;
        }
        // INVARIANT: At most `MASK`, by the test above.
        Some(Self(Self::FIRST + index as u32))
    }

    /// The handle as a number.
    #[inline(always)]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Where the account's counters stand in a row of them.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether there is an account behind it.
    #[inline(always)]
    pub const fn is_counted(self) -> bool {
        self.0 >= Self::FIRST
    }
}

/// Accounts whose handles follow each other.
///
/// # Invariants
///
/// The handle of each of them fits, as [`Handle`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    first: Handle,
    length: usize,
}

impl Run {
    /// The account of that handle, and as many behind it as make up the length.
    pub const fn of(first: Handle, length: usize) -> Self {
        let most = (Handle::MASK - first.0) as usize + 1;
        // INVARIANT: No more than there are handles.
        Self {
            first,
            length: if length < most { length } else { most },
        }
    }

    /// The first handle.
    #[inline(always)]
    pub const fn first(self) -> Handle {
        self.first
    }

    /// How many accounts there are.
    #[inline(always)]
    pub const fn length(self) -> usize {
        self.length
    }

    /// Whether an account is one of them.
    pub const fn has(self, account: Handle) -> bool {
        self.first.0 <= account.0 && account.0 - self.first.0 < self.length as u32
    }

    /// The accounts' handles, one after the other.
    #[inline(always)]
    pub fn handles(self) -> impl Iterator<Item = Handle> {
        let first = self.first.0;
        // INVARIANT: They fit, as this type's invariant says.
        (first..first + self.length as u32).map(Handle)
    }

    /// The rest behind the first, unless there is none.
    #[inline(always)]
    pub const fn next(self) -> Option<Self> {
        if self.length < 2 {
            return None;
        }
        // INVARIANT: There is a second account.
        Some(Self {
            first: Handle(self.first.0 + 1),
            length: self.length - 1,
        })
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_handle))]
mod tests {
    use super::*;

    #[test]
    fn the_reserved_handles_name_no_account() {
        assert!(!Handle::NONE.is_counted());
        assert!(!Handle::EMPTY.is_counted());
        assert!(Handle::from_word(Handle::FIRST).is_counted());
    }

    #[test]
    fn accounts_are_numbered_until_the_bits_run_out() {
        let most = (Handle::MASK - Handle::FIRST) as usize;
        assert_eq!(Handle::nth(0), Some(Handle::from_word(Handle::FIRST)));
        assert_eq!(Handle::nth(most), Some(Handle::from_word(Handle::MASK)));
        assert_eq!(Handle::nth(most + 1), None);
        assert_eq!(Handle::nth(usize::MAX), None);
    }

    #[test]
    fn a_run_is_walked_to_its_end_and_no_further_than_handles_go() {
        let last = Handle::from_word(Handle::MASK);
        // First, length, how many are met.
        let table = [
            (Handle::nth(0), 3, 3),
            (Some(last), 1, 1),
            (Some(last), 9, 1),
        ];
        for (first, length, met) in table {
            let whole = first.map(|first| Run::of(first, length));
            let rests = core::iter::successors(whole, |run| run.next());
            for (run, number) in rests.clone().zip(first.map_or(0, Handle::get)..) {
                assert_eq!(run.first().get(), number);
            }
            assert_eq!(rests.count(), met);
            assert_eq!(whole.map_or(0, |run| run.handles().count()), met);
        }
        assert_eq!(Run::of(Handle::NONE, 0).next(), None);
    }

    #[test]
    fn a_run_has_its_accounts_and_no_others() {
        let run = Run::of(Handle::from_word(10), 3);
        for (number, is_one) in [(9, false), (10, true), (12, true), (13, false)] {
            assert_eq!(run.has(Handle::from_word(number)), is_one);
        }
        assert!(!Run::of(Handle::NONE, 0).has(Handle::NONE));
    }

    #[test]
    fn other_bits_of_a_word_are_not_the_handle() {
        assert_eq!(Handle::from_word(0xffff_ffff).get(), Handle::MASK);
        assert_eq!(Handle::from_word(1 << Handle::BITS), Handle::NONE);
    }
}
