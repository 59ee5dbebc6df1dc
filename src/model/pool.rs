// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Which accounts are taken: runs of consecutive places, first fit.
//!
//! A module takes one run for all its tags and gives it back in pieces, because some of its objects
//! may outlive it.

/// Places that are free or taken, a bit for each.
#[derive(Debug)]
pub struct Pool<const WORDS: usize> {
    taken: [u64; WORDS],
    places: usize,
}

impl<const WORDS: usize> Pool<WORDS> {
    /// A pool of as many free places as its words have bits, but no more than `most`.
    pub const fn new(most: usize) -> Self {
        let bits = WORDS * u64::BITS as usize;
        let places = if most < bits { most } else { bits };
        Self {
            taken: [0; WORDS],
            places,
        }
    }

    fn is_taken(&self, place: usize) -> bool {
        let (word, bit) = (place / u64::BITS as usize, place % u64::BITS as usize);
        self.taken
            .get(word)
            .is_none_or(|word| word & (1 << bit) != 0)
    }

    fn set(&mut self, place: usize, taken: bool) {
        let (word, bit) = (place / u64::BITS as usize, place % u64::BITS as usize);
        if let Some(word) = self.taken.get_mut(word) {
            *word = if taken {
                *word | 1 << bit
            } else {
                *word & !(1 << bit)
            };
        }
    }

    /// Takes the first `length` consecutive places that are free, and returns the first of them.
    pub fn take(&mut self, length: usize) -> Option<usize> {
        let mut run = 0;
        for place in 0..self.places {
            run = if self.is_taken(place) { 0 } else { run + 1 };
            if run == length {
                let first = place + 1 - length;
                (first..=place).for_each(|place| self.set(place, true));
                return Some(first);
            }
        }
        None
    }

    /// Takes that place, whether it is free or not.
    pub fn take_one(&mut self, place: usize) {
        self.set(place, true);
    }

    /// The first of the places from `from` on that are taken of which `is` is true.
    pub fn find_from(&self, from: usize, mut is: impl FnMut(usize) -> bool) -> Option<usize> {
        let words = self.taken.iter().enumerate();
        let mut taken = words
            .skip(from / u64::BITS as usize)
            .filter(|(_, word)| **word != 0)
            .flat_map(|(number, _)| {
                (0..u64::BITS as usize).map(move |bit| number * u64::BITS as usize + bit)
            });
        taken.find(|&place| place >= from && self.is_taken(place) && is(place))
    }

    /// Gives one place back.
    pub fn give_back(&mut self, place: usize) {
        self.set(place, false);
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_pool))]
mod tests {
    use super::*;

    #[test]
    fn runs_are_taken_one_behind_the_other_until_none_fits() {
        let mut pool = Pool::<2>::new(100);
        assert_eq!(pool.take(60), Some(0));
        assert_eq!(pool.take(10), Some(60));
        assert_eq!(pool.take(31), None);
        assert_eq!(pool.take(30), Some(70));
        assert_eq!(pool.take(1), None);
    }

    #[test]
    fn a_gap_is_used_again_when_it_is_long_enough() {
        let mut pool = Pool::<2>::new(128);
        assert_eq!(pool.take(128), Some(0));
        for place in [5, 62, 63, 64, 65] {
            pool.give_back(place);
        }
        assert_eq!(pool.take(4), Some(62));
        assert_eq!(pool.take(2), None);
        assert_eq!(pool.take(1), Some(5));
    }

    #[test]
    fn places_that_are_taken_are_found_one_by_one() {
        let mut pool = Pool::<3>::new(192);
        let taken = [0, 63, 130];
        taken.into_iter().for_each(|place| pool.take_one(place));
        for place in taken {
            assert_eq!(pool.find_from(0, |found| found >= place), Some(place));
        }
        assert_eq!(pool.find_from(0, |found| found > 130), None);
        for (from, next) in [
            (1, Some(63)),
            (63, Some(63)),
            (64, Some(130)),
            (131, None),
            (192, None),
        ] {
            assert_eq!(pool.find_from(from, |_| true), next);
        }
        for place in taken {
            assert_eq!(pool.find_from(0, |_| true), Some(place));
            pool.give_back(place);
        }
        assert_eq!(pool.find_from(0, |_| true), None);
    }

    #[test]
    fn there_are_never_more_places_than_bits() {
        let mut pool = Pool::<1>::new(1000);
        assert_eq!(pool.take(65), None);
        assert_eq!(pool.take(64), Some(0));
    }

    #[test]
    fn nothing_is_taken_where_nothing_is_asked_for() {
        let mut pool = Pool::<1>::new(64);
        assert_eq!(pool.take(0), None);
        assert_eq!(pool.take(64), Some(0));
    }
}
