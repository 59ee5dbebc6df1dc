// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a tag keeps: its account, and what is wanted of the call site.

use super::handle::Handle;

/// What is wanted of a call site: the number of something that says it, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice(u32);

impl Choice {
    /// Nothing.
    pub const NONE: Self = Self(0);

    /// How many numbers there are, from 1 on.
    pub const NUMBERS: usize = 255;

    /// Nobody has asked yet.
    pub const OPEN: Self = Self(Self::NUMBERS as u32 + 1);

    /// That of the place in a list of as many as there are numbers.
    pub const fn at(place: usize) -> Option<Self> {
        if place < Self::NUMBERS {
            Some(Self(place as u32 + 1))
        } else {
            None
        }
    }

    /// The place in that list.
    #[inline(always)]
    pub const fn place(self) -> Option<usize> {
        // Nothing comes behind all others.
        let place = self.0.wrapping_sub(1) as usize;
        if place < Self::NUMBERS {
            Some(place)
        } else {
            None
        }
    }
}

/// An account's handle, and in the bits above it a choice. Where nothing is wanted it is the handle, and where something is, it
/// is above all handles: so one comparison tells a call site of which nothing is wanted and whose account is one of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Name(u32);

impl Name {
    /// An account and a choice.
    pub const fn new(account: Handle, choice: Choice) -> Self {
        Self(account.get() | choice.0 << Handle::BITS)
    }

    /// The word that a tag keeps.
    pub const fn word(self) -> u32 {
        self.0
    }

    /// The account.
    #[inline(always)]
    pub const fn account(self) -> Handle {
        Handle::from_word(self.0)
    }

    /// The account, if its handle is below a limit and nothing is wanted. The limit is no more than there are handles.
    #[inline(always)]
    pub const fn below(self, limit: usize) -> Option<Handle> {
        if self.0 as usize >= limit {
            return None;
        }
        Some(Handle::bare(self.0))
    }

    /// The account, while nothing is wanted of any call site.
    #[inline(always)]
    pub const fn bare(self) -> Handle {
        Handle::bare(self.0)
    }

    /// What is wanted.
    #[inline(always)]
    pub const fn choice(self) -> Choice {
        Choice(self.0 >> Handle::BITS)
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_name))]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_the_account_beside_any_choice() {
        let choices = [
            Some(Choice::NONE),
            Some(Choice::OPEN),
            Choice::at(0),
            Choice::at(254),
        ];
        for choice in choices.into_iter().flatten() {
            for number in [0, Handle::FIRST, Handle::MASK] {
                let name = Name::new(Handle::from_word(number), choice);
                assert_eq!((name.account().get(), name.choice()), (number, choice));
            }
        }
    }

    #[test]
    fn one_comparison_tells_the_first_of_which_nothing_is_wanted() {
        let limit = 5000;
        // Account, choice, whether it is told.
        let table = [
            (4999, Some(Choice::NONE), true),
            (5000, Some(Choice::NONE), false),
            (4999, Choice::at(0), false),
            (2, Some(Choice::OPEN), false),
        ];
        for (number, choice, told) in table {
            let account = Handle::from_word(number);
            let name = Name::new(account, choice.unwrap_or(Choice::NONE));
            assert_eq!(name.below(limit), told.then_some(account));
        }
        assert_eq!(
            Name::new(Handle::from_word(7), Choice::NONE).bare().get(),
            7
        );
    }

    #[test]
    fn choices_are_numbered_as_their_list_is() {
        assert_eq!(Choice::at(Choice::NUMBERS), None);
        assert_eq!(Choice::NONE.place(), None);
        assert_eq!(Choice::OPEN.place(), None);
        for place in [0, 1, 254] {
            assert_eq!(Choice::at(place).and_then(Choice::place), Some(place));
        }
    }
}
