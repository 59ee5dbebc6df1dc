// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a tag keeps beside its account: the line, what is done with its calls of allocators, and whether all was counted.

/// When a call site fails: the number of something that says it, or never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arming(u32);

impl Arming {
    /// Never.
    pub const NEVER: Self = Self(0);

    /// When what is set for all of them says so.
    pub const SHARED: Self = Self(1);

    /// Nobody has decided yet.
    pub const OPEN: Self = Self(Line::ARMINGS - 1);

    /// How many there are that say it for one rule.
    pub const OWN: usize = Self::OPEN.0 as usize - Self::FIRST_OWN as usize;

    const FIRST_OWN: u32 = Self::SHARED.0 + 1;

    /// That of the place in a list of as many as there are for one rule.
    pub const fn own(place: usize) -> Option<Self> {
        if place < Self::OWN {
            Some(Self(Self::FIRST_OWN + place as u32))
        } else {
            None
        }
    }

    /// The place in that list.
    pub const fn place(self) -> Option<usize> {
        if self.0 < Self::FIRST_OWN || self.0 >= Self::OPEN.0 {
            None
        } else {
            Some((self.0 - Self::FIRST_OWN) as usize)
        }
    }
}

/// What is done with the calls of allocators of a call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calls {
    /// When they fail.
    pub arming: Arming,
    /// Whether it is measured how long they take.
    pub is_timed: bool,
}

impl Calls {
    /// Nothing.
    pub const LEFT_ALONE: Self = Self {
        arming: Arming::NEVER,
        is_timed: false,
    };

    /// Nobody has decided yet.
    pub const OPEN: Self = Self {
        arming: Arming::OPEN,
        is_timed: false,
    };
}

/// The word with the line: that in its lower bits, above them whether calls are timed and an arming, and in the last bit whether
/// something went uncounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line(u32);

impl Line {
    /// How many bits a line's number has.
    pub const BITS: u32 = 23;

    const TIMED: u32 = 1 << Self::BITS;
    const ARMING: u32 = Self::BITS + 1;
    const ARMINGS: u32 = 1 << 7;
    const INACCURATE: u32 = 1 << 31;

    /// Of a line of which nothing is known; of none so far down that its number does not fit.
    pub const fn new(number: u32) -> Self {
        if number >> Self::BITS == 0 {
            Self(number)
        } else {
            Self(0)
        }
    }

    /// As a tag keeps it.
    pub const fn word(self) -> u32 {
        self.0
    }

    /// That of such a word.
    pub const fn from_word(word: u32) -> Self {
        Self(word)
    }

    /// The line's number.
    pub const fn number(self) -> u32 {
        self.0 & ((1 << Self::BITS) - 1)
    }

    /// What is done with calls.
    pub const fn calls(self) -> Calls {
        Calls {
            arming: Arming(self.0 >> Self::ARMING & (Self::ARMINGS - 1)),
            is_timed: self.0 & Self::TIMED != 0,
        }
    }

    /// The same with whose calls something else is done.
    #[must_use]
    pub const fn with_calls(self, calls: Calls) -> Self {
        let others = self.0 & !(Self::TIMED | (Self::ARMINGS - 1) << Self::ARMING);
        let timed = if calls.is_timed { Self::TIMED } else { 0 };
        Self(others | timed | calls.arming.0 << Self::ARMING)
    }

    /// Whether all that the call site allocated was counted.
    pub const fn is_accurate(self) -> bool {
        self.0 & Self::INACCURATE == 0
    }

    /// The same where something was not.
    #[must_use]
    pub const fn inaccurate(self) -> Self {
        Self(self.0 | Self::INACCURATE)
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_line))]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_keeps_is_kept_apart() {
        let last = (1 << Line::BITS) - 1;
        for number in [0, 1, 4711, last] {
            let armings = [Arming::NEVER, Arming::SHARED, Arming::OPEN];
            for (arming, is_timed) in armings.into_iter().zip([true, false, true]) {
                let calls = Calls { arming, is_timed };
                let line = Line::new(number).with_calls(calls);
                assert_eq!((line.number(), line.calls()), (number, calls));
                assert!(line.is_accurate());
                let line = Line::from_word(line.inaccurate().word());
                assert_eq!((line.number(), line.calls()), (number, calls));
                assert!(!line.is_accurate());
                let line = line.with_calls(Calls::LEFT_ALONE);
                assert_eq!((line.number(), line.calls()), (number, Calls::LEFT_ALONE));
                assert!(!line.is_accurate());
            }
        }
    }

    #[test]
    fn a_number_that_does_not_fit_is_none() {
        assert_eq!(Line::new(1 << Line::BITS), Line::new(0));
        assert_eq!(Line::new(u32::MAX), Line::new(0));
    }

    #[test]
    fn every_place_has_an_arming_of_its_own() {
        for place in 0..Arming::OWN {
            let arming = Arming::own(place);
            assert_eq!(arming.and_then(Arming::place), Some(place));
            let kept = arming.map(|arming| {
                let is_timed = false;
                let line = Line::new(7).with_calls(Calls { arming, is_timed });
                line.calls().arming
            });
            assert_eq!(kept, arming);
        }
        assert_eq!(Arming::own(Arming::OWN), None);
        for arming in [Arming::NEVER, Arming::SHARED, Arming::OPEN] {
            assert_eq!(arming.place(), None);
        }
    }
}
