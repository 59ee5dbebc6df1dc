// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a tag keeps: its account, and what is wanted of the call site.

use super::handle::Handle;

/// What is wanted of a call site: the number of something that says it, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice(u32);

/// How it is drawn which allocations of a call site are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// By that countdown, on which the hook has counted the allocation before it comes to anything else.
    ByHook(usize),
    /// By that countdown, on which nobody has counted it yet.
    Later(usize),
}

impl Choice {
    /// Nothing.
    pub const NONE: Self = Self(0);

    /// How many numbers there are, from 1 on.
    pub const NUMBERS: usize = 255;

    /// Nobody has asked yet.
    pub const OPEN: Self = Self(Self::NUMBERS as u32 + 1);

    /// How many of the numbers say that allocations are drawn. They are the last, so that hooks tell them by one comparison;
    /// and before them come as many for call sites whose accounts the hooks do not look after.
    pub const DRAWN: usize = 15;

    /// The first of the numbers that say so to hooks.
    pub const FIRST_DRAWN: u32 = (Self::NUMBERS - Self::DRAWN) as u32 + 1;

    /// The first of those that say so to others.
    const FIRST_LATER: u32 = Self::FIRST_DRAWN - Self::DRAWN as u32;

    /// How many numbers are left for where all allocations are looked at.
    pub const PLAIN: usize = Self::FIRST_LATER as usize - 1;

    /// That of the place in a list of as many as there are numbers.
    pub const fn at(place: usize) -> Option<Self> {
        if place < Self::NUMBERS {
            Some(Self(place as u32 + 1))
        } else {
            None
        }
    }

    /// The one by which hooks draw on that countdown.
    pub const fn drawn(countdown: usize) -> Option<Self> {
        if countdown < Self::DRAWN {
            Some(Self(Self::FIRST_DRAWN + countdown as u32))
        } else {
            None
        }
    }

    /// The same, for a call site whose account the hooks do not look after.
    #[must_use]
    pub const fn later(self) -> Self {
        match self.by() {
            Some(Drawn::ByHook(_)) => Self(self.0 - Self::DRAWN as u32),
            _ => self,
        }
    }

    /// How allocations are drawn, unless all are looked at.
    pub const fn by(self) -> Option<Drawn> {
        if self.0 < Self::FIRST_LATER || self.0 > Self::NUMBERS as u32 {
            None
        } else if self.0 < Self::FIRST_DRAWN {
            Some(Drawn::Later((self.0 - Self::FIRST_LATER) as usize))
        } else {
            Some(Drawn::ByHook((self.0 - Self::FIRST_DRAWN) as usize))
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

    /// The number by which hooks draw, if they do; or where nobody has asked yet what is wanted, one more.
    #[inline(always)]
    pub const fn by_hook(self) -> Option<usize> {
        if self.0 < Choice::FIRST_DRAWN << Handle::BITS {
            return None;
        }
        Some((self.0 >> Handle::BITS) as usize)
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
    fn hooks_draw_by_the_last_numbers_and_others_by_those_before() {
        for countdown in 0..Choice::DRAWN {
            let choice = Choice::drawn(countdown);
            assert_eq!(choice.and_then(Choice::by), Some(Drawn::ByHook(countdown)));
            let later = choice.map(Choice::later);
            assert_eq!(later.and_then(Choice::by), Some(Drawn::Later(countdown)));
            assert_eq!(later.map(Choice::later), later);
            let name = |choice: Option<Choice>| {
                choice.map(|choice| Name::new(Handle::from_word(7), choice).by_hook())
            };
            let number = Choice::FIRST_DRAWN as usize + countdown;
            assert_eq!(name(choice), Some(Some(number)));
            assert_eq!(name(later), Some(None));
        }
        assert_eq!(Choice::drawn(Choice::DRAWN), None);
        // Of which nobody has asked: one more, that is due at once.
        let open = Name::new(Handle::from_word(7), Choice::OPEN);
        assert_eq!(open.by_hook(), Some(Choice::NUMBERS + 1));
        for plain in [
            Some(Choice::NONE),
            Some(Choice::OPEN),
            Choice::at(Choice::PLAIN - 1),
        ] {
            assert_eq!(plain.and_then(Choice::by), None);
        }
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
