// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a tag keeps: its account, and what is wanted of the call site.

use super::{handle::Handle, sample::Period};

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

/// Which of a call site's allocations are followed until they are freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Following(u32);

impl Following {
    /// None.
    pub const NONE: Self = Self(0);

    /// All.
    pub const ALL: Self = Self(1);

    /// How many bits it has.
    const BITS: u32 = 5;

    /// Those that any byte of a period falls on, which is raised to a power of two; but for the longest, which are 2 GiB.
    pub const fn every(period: Period) -> Self {
        let below = period.bytes().saturating_sub(1);
        let order = u64::BITS - below.leading_zeros();
        let most = (1 << Self::BITS) - 1;
        Self(if order < most { order } else { most })
    }

    /// Whether there are any.
    #[inline(always)]
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }

    /// Whether an allocation of so many bytes is one of them, where all random numbers are as likely.
    pub const fn has(self, bytes: usize, random: u64) -> bool {
        match self.0 {
            0 => false,
            1 => true,
            order => random >> (u64::BITS - order) < bytes as u64,
        }
    }
}

/// An account's handle; in the bits above it a choice; and above that which allocations are followed. Where nothing is wanted it is
/// the handle, and where something is, it is above all handles: so one comparison tells a call site of which nothing is wanted and
/// whose account is one of the first. Where allocations are followed it is above all choices, and hooks draw none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Name(u32);

impl Name {
    /// How many bits a choice has.
    const CHOICE_BITS: u32 = (Choice::NUMBERS + 1).ilog2() + 1;

    /// The first bit behind it.
    const FOLLOWING: u32 = Handle::BITS + Self::CHOICE_BITS;

    /// An account, and what is wanted. Hooks do not draw where allocations are followed.
    pub const fn new(account: Handle, choice: Choice, following: Following) -> Self {
        let choice = if following.is_some() {
            choice.later()
        } else {
            choice
        };
        Self(account.get() | choice.0 << Handle::BITS | following.0 << Self::FOLLOWING)
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
        // One comparison for both ends.
        const FIRST: u32 = Choice::FIRST_DRAWN << Handle::BITS;
        const BEHIND: u32 = (Choice::OPEN.0 + 1) << Handle::BITS;
        if self.0.wrapping_sub(FIRST) >= BEHIND - FIRST {
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
        Choice(self.0 >> Handle::BITS & ((1 << Self::CHOICE_BITS) - 1))
    }

    /// Which allocations are followed.
    #[inline(always)]
    pub const fn following(self) -> Following {
        Following(self.0 >> Self::FOLLOWING)
    }
}

const _: () = assert!(Name::FOLLOWING + Following::BITS == u32::BITS);

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
                let account = Handle::from_word(number);
                let name = Name::new(account, choice, Following::NONE);
                assert_eq!((name.account().get(), name.choice()), (number, choice));
                assert_eq!(name.following(), Following::NONE);
                for following in [Following::ALL, Following(31)] {
                    let name = Name::new(account, choice, following);
                    assert_eq!((name.account(), name.following()), (account, following));
                    assert_eq!(name.choice(), choice.later());
                    assert_eq!((name.by_hook(), name.below(1 << 18)), (None, None));
                }
            }
        }
    }

    #[test]
    fn an_allocation_is_followed_as_often_as_its_bytes_are_in_the_period() {
        let random = |of: u64| of << (u64::BITS - 12);
        let page = Period::new(4096).map(Following::every);
        // Bytes, a number from 0 to 4095, whether it is.
        let table = [
            (0, 0, false),
            (1, 0, true),
            (1, 1, false),
            (1024, 1023, true),
            (1024, 1024, false),
            (4096, 4095, true),
            (1 << 40, 4095, true),
        ];
        for (bytes, number, is_one) in table {
            let has = page.map(|page| page.has(bytes, random(number)));
            assert_eq!(has, Some(is_one));
        }
        assert!(Following::ALL.has(1, u64::MAX) && !Following::NONE.has(1 << 40, 0));
        // Bytes of a period, and what it is raised to.
        for (bytes, order) in [(4097, 13), (1 << 31, 31), ((1 << 32) - 1, 31)] {
            let following = Period::new(bytes).map(Following::every);
            assert_eq!(following, Some(Following(order)));
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
            let name = Name::new(account, choice.unwrap_or(Choice::NONE), Following::NONE);
            assert_eq!(name.below(limit), told.then_some(account));
        }
        assert_eq!(
            Name::new(Handle::from_word(7), Choice::NONE, Following::NONE)
                .bare()
                .get(),
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
                let name = |choice| Name::new(Handle::from_word(7), choice, Following::NONE);
                choice.map(|choice| name(choice).by_hook())
            };
            let number = Choice::FIRST_DRAWN as usize + countdown;
            assert_eq!(name(choice), Some(Some(number)));
            assert_eq!(name(later), Some(None));
        }
        assert_eq!(Choice::drawn(Choice::DRAWN), None);
        // Of which nobody has asked: one more, that is due at once.
        let open = Name::new(Handle::from_word(7), Choice::OPEN, Following::NONE);
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
