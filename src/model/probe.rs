// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Where a key stands in a table that is searched without a lock.
//!
//! Open addressing: a key stands in its home place or in one of the few that its search looks at
//! next, whose distances from home are the triangular numbers, so that neighbours do not crowd each
//! other. No search looks at more than [`Probe::REACH`] places, whatever the table holds. This file
//! knows places only; who keeps the keys reads and writes them.

/// A table of 2^`ORDER` places.
pub struct Probe<const ORDER: u32>;

/// What a place can hold beside keys, all of which are greater.
pub mod word {
    /// Nothing, and never did: a search ends here.
    pub const EMPTY: usize = 0;
    /// Nothing any more; a search goes on.
    pub const GONE: usize = 1;
    /// Something that nobody is to find any more, until those who have found it are gone.
    pub const LEAVING: usize = 2;
    /// Something that is not to be found.
    pub const KEPT: usize = 3;
}

/// The end of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The key stands here.
    At(usize),
    /// It stands nowhere, and here is room for it.
    Room(usize),
    /// It stands nowhere, and there is no room within reach.
    Full,
}

impl<const ORDER: u32> Probe<ORDER> {
    /// How many places there are.
    pub const PLACES: usize = 1 << ORDER;

    /// How many keys a table takes: a few places stay empty, so that searches end soon.
    pub const MOST: usize = Self::PLACES - Self::PLACES / 8;

    /// How many places a search looks at, at most.
    pub const REACH: usize = reach(Self::PLACES);

    /// The home place of a key, the address of something with the alignment of a word: the upper
    /// bits of a product with 2^64 divided by the golden ratio (Knuth, The Art of Computer
    /// Programming, volume 3, section 6.4).
    #[inline(always)]
    pub const fn home(key: usize) -> usize {
        home(ORDER, key)
    }

    /// Searches for a key; `word` tells what a place holds.
    pub fn search(key: usize, word: impl Fn(usize) -> usize) -> Found {
        search(ORDER, key, word)
    }
}

/// The home place of a key in a table of 2^`order` places, where most are found.
#[inline(always)]
pub const fn home(order: u32, key: usize) -> usize {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    ((key as u64).wrapping_mul(GOLDEN) >> (u64::BITS - order)) as usize
}

/// How many places a search looks at, at most, in a table of so many. With seven of eight places taken, one key in 70
/// finds no room within reach.
const fn reach(places: usize) -> usize {
    if places < 32 {
        places
    } else {
        32
    }
}

/// Searches for a key in a table of 2^`order` places, for those who learn the order late: from 1 to 31. `word` tells what a place
/// holds.
#[inline(always)]
pub fn search(order: u32, key: usize, word: impl Fn(usize) -> usize) -> Found {
    let places = 1 << order;
    let (mut place, mut room) = (home(order, key), None);
    for step in 1..=reach(places) {
        match word(place) {
            found if found == key => return Found::At(place),
            word::EMPTY => return Found::Room(room.unwrap_or(place)),
            word::GONE if room.is_none() => room = Some(place),
            _ => (),
        }
        place = (place + step) % places;
    }
    room.map_or(Found::Full, Found::Room)
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_probe))]
mod tests {
    use super::*;
    use core::cell::Cell;

    type Small = Probe<3>;
    type Large = Probe<9>;

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
    fn rivals_stand_ever_further_from_each_other_until_all_places_are_taken() {
        let mut table = [word::EMPTY; Small::PLACES];
        for (key, place) in rivals().zip([6, 7, 1, 4, 0, 5, 3, 2]) {
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
        for stays in [word::KEPT, word::LEAVING] {
            table[6] = stays;
            assert_eq!(search(&table, one), Found::Room(1));
        }
    }

    #[test]
    fn a_search_is_bounded_whatever_the_places_hold() {
        // What all places hold, and how the search ends.
        let table = [
            (word::GONE, Found::Room(Large::home(64))),
            (word::KEPT, Found::Full),
            (word::LEAVING, Found::Full),
            (8, Found::Full),
        ];
        for (held, end) in table {
            let looks = Cell::new(0);
            let found = Large::search(64, |_| {
                looks.set(looks.get() + 1);
                held
            });
            assert_eq!((found, looks.get()), (end, Large::REACH));
        }
    }

    #[test]
    fn a_table_takes_nearly_all_of_the_keys_that_it_is_to_take() {
        // The low halves, which tell the keys apart, for a kernel's stack is small.
        const BASE: usize = 0xffff_ffff_8100_0000;
        let mut table = [0_u16; Large::PLACES];
        let word_of = |offset: u16| match offset {
            0 => word::EMPTY,
            offset => BASE + usize::from(offset),
        };
        let mut refused = 0;
        for offset in (24..).step_by(24).take(Large::MOST) {
            match Large::search(BASE + usize::from(offset), |place| word_of(table[place])) {
                Found::Room(place) => table[place] = offset,
                _ => refused += 1,
            }
        }
        assert!(refused * 70 < Large::MOST);
    }
}
