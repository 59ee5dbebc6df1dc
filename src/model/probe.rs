// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Where a key stands in a table that is searched without a lock.
//!
//! Open addressing with linear probing: a key stands in its home place or in one of those that
//! follow, before the next that was never used. This file knows places only; who keeps the keys
//! reads and writes them.

/// A table of 2^`ORDER` places.
pub struct Probe<const ORDER: u32>;

/// What a place can hold beside keys, all of which are greater.
pub mod word {
    /// Nothing, and never did: a search ends here.
    pub const EMPTY: usize = 0;
    /// Nothing any more; a search goes on.
    pub const GONE: usize = 1;
    /// Something that is not to be found.
    pub const KEPT: usize = 2;
}

/// The end of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The key stands here.
    At(usize),
    /// It stands nowhere, and here is room for it.
    Room(usize),
    /// It stands nowhere, and there is no room.
    Full,
}

impl<const ORDER: u32> Probe<ORDER> {
    /// How many places there are.
    pub const PLACES: usize = 1 << ORDER;

    /// How many keys a table takes: a few places stay empty, so that searches end soon.
    pub const MOST: usize = Self::PLACES - Self::PLACES / 8;

    /// The home place of a key, the address of something with the alignment of a word: the upper
    /// bits of a product with 2^64 divided by the golden ratio (Knuth, The Art of Computer
    /// Programming, volume 3, section 6.4).
    #[inline(always)]
    pub const fn home(key: usize) -> usize {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        ((key as u64).wrapping_mul(GOLDEN) >> (u64::BITS - ORDER)) as usize
    }

    /// The place that a search looks at after `place`.
    #[inline(always)]
    pub const fn next(place: usize) -> usize {
        (place + 1) % Self::PLACES
    }

    /// The place that leads on to `place`.
    pub const fn previous(place: usize) -> usize {
        (place + Self::PLACES - 1) % Self::PLACES
    }

    /// Searches for a key; `word` tells what a place holds.
    pub fn search(key: usize, word: impl Fn(usize) -> usize) -> Found {
        let (mut place, mut room) = (Self::home(key), None);
        for _ in 0..Self::PLACES {
            match word(place) {
                found if found == key => return Found::At(place),
                word::EMPTY => return Found::Room(room.unwrap_or(place)),
                word::GONE if room.is_none() => room = Some(place),
                _ => (),
            }
            place = Self::next(place);
        }
        room.map_or(Found::Full, Found::Room)
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_probe))]
mod tests {
    use super::*;

    type Small = Probe<3>;

    /// Some keys whose home is the same.
    fn rivals() -> impl Iterator<Item = usize> {
        (8..).step_by(8).filter(|key| Small::home(*key) == 6)
    }

    fn search(table: &[usize; Small::PLACES], key: usize) -> Found {
        Small::search(key, |place| table.get(place).copied().unwrap_or_default())
    }

    #[test]
    fn homes_are_within_the_table_and_differ() {
        let mut used = [false; Small::PLACES];
        for key in (0xffff_8000_1000_0000usize..).step_by(24).take(64) {
            used[Small::home(key)] = true;
        }
        assert!(used.iter().all(|used| *used));
    }

    #[test]
    fn rivals_stand_behind_each_other_and_the_table_is_a_ring() {
        let mut table = [word::EMPTY; Small::PLACES];
        for (key, place) in rivals().zip([6, 7, 0, 1, 2, 3, 4, 5]) {
            assert_eq!(search(&table, key), Found::Room(place));
            table[place] = key;
            assert_eq!(search(&table, key), Found::At(place));
        }
        let one_more = rivals().nth(Small::PLACES).unwrap_or_default();
        assert_eq!(search(&table, one_more), Found::Full);
    }

    #[test]
    fn a_place_that_was_left_is_used_again_but_ends_no_search() {
        let mut keys = rivals();
        let (one, two, three) = (keys.next(), keys.next(), keys.next());
        let (one, two, three) = (one.unwrap_or(0), two.unwrap_or(0), three.unwrap_or(0));
        let mut table = [word::EMPTY; Small::PLACES];
        (table[6], table[7]) = (word::GONE, two);
        assert_eq!(search(&table, two), Found::At(7));
        assert_eq!(search(&table, three), Found::Room(6));
        table[6] = word::KEPT;
        assert_eq!(search(&table, one), Found::Room(0));
    }
}
