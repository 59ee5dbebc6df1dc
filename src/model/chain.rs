// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Which places are rows of the same hash: short chains through a table's places.
//!
//! For what has to be found by a name and is but seldom looked for, under a lock. A chain has at
//! most [`Chains::LONGEST`] places, and what is looked for is compared with no more than these.

/// What a name comes to: FNV-1a, 64 bits, and a last multiplication that the upper bits may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash(u64);

impl Hash {
    const PRIME: u64 = 0x0100_0000_01b3;
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    /// 2^64 divided by the golden ratio.
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Of a text.
    pub fn of(text: &[u8]) -> Self {
        Self(text.iter().fold(Self::BASIS, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(Self::PRIME)
        }))
    }

    /// Of that and a number besides.
    pub const fn with(self, number: u64) -> Self {
        let mixed = (self.0 ^ number).wrapping_mul(Self::GOLDEN);
        Self(mixed ^ mixed >> 32)
    }
}

/// Chains through `PLACES` places, a power of two up to 2^14.
pub struct Chains<const PLACES: usize> {
    /// For each remainder of a hash, the link to the first place of its chain.
    first: [Link; PLACES],
    /// For each place, the link to the next of its chain.
    next: [Link; PLACES],
}

/// A place plus 1, or 0 at the end.
type Link = u16;

fn place_of(link: Link) -> Option<usize> {
    usize::from(link).checked_sub(1)
}

impl<const PLACES: usize> Chains<PLACES> {
    /// How long a chain can get. With as many places as there are, one chain in 10^14 would be longer.
    pub const LONGEST: usize = 16;

    /// Chains without places.
    pub const fn new() -> Self {
        assert!(PLACES.is_power_of_two() && PLACES < Link::MAX as usize);
        Self {
            first: [0; PLACES],
            next: [0; PLACES],
        }
    }

    const fn bucket(hash: Hash) -> usize {
        hash.0 as usize % PLACES
    }

    /// The places of a hash's chain, the youngest first.
    fn chain(&self, hash: Hash) -> impl Iterator<Item = usize> + '_ {
        let link = self.first.get(Self::bucket(hash)).copied().unwrap_or(0);
        core::iter::successors(place_of(link), |place| place_of(*self.next.get(*place)?))
            .take(Self::LONGEST)
    }

    /// The place of that hash of which `is` is true.
    pub fn find(&self, hash: Hash, mut is: impl FnMut(usize) -> bool) -> Option<usize> {
        self.chain(hash).find(|place| is(*place))
    }

    /// Adds a place, which is in no chain, unless the chain is as long as it can get.
    pub fn add(&mut self, hash: Hash, place: usize) {
        if self.chain(hash).count() == Self::LONGEST {
            return;
        }
        let (first, next) = (
            self.first.get_mut(Self::bucket(hash)),
            self.next.get_mut(place),
        );
        if let (Some(first), Some(next)) = (first, next) {
            *next = *first;
            *first = place as Link + 1;
        }
    }

    /// Takes a place out of the chain of its hash, if it is there.
    pub fn remove(&mut self, hash: Hash, place: usize) {
        let Some(after) = self.next.get(place).copied() else {
            return;
        };
        let before = (self.chain(hash)).find(|at| {
            self.next
                .get(*at)
                .is_some_and(|link| place_of(*link) == Some(place))
        });
        let link = match before {
            Some(before) => self.next.get_mut(before),
            None => self.first.get_mut(Self::bucket(hash)),
        };
        if let Some(link) = link.filter(|link| place_of(**link) == Some(place)) {
            *link = after;
        }
    }
}

impl<const PLACES: usize> Default for Chains<PLACES> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_chain))]
mod tests {
    use super::*;

    /// Some hashes whose chain is that of `Hash(3)`.
    fn rival(number: u64) -> Hash {
        Hash(3 + 8 * number)
    }

    #[test]
    fn a_place_is_found_by_its_hash_until_it_is_removed() {
        // Which place is removed, and which are left of 0, 1 and 2.
        let table = [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])];
        for (gone, left) in table {
            let mut chains = Chains::<8>::new();
            for place in 0..3 {
                chains.add(rival(place as u64), place);
            }
            chains.remove(rival(7), gone);
            assert_eq!(chains.find(rival(0), |place| place == gone), None);
            for place in left {
                assert_eq!(chains.find(rival(0), |found| found == place), Some(place));
            }
            assert_eq!(chains.find(Hash(4), |_| true), None);
        }
    }

    #[test]
    fn removing_what_is_not_there_removes_nothing() {
        let mut chains = Chains::<8>::new();
        chains.add(rival(0), 5);
        for (hash, place) in [(rival(0), 4), (Hash(4), 5), (rival(0), 8)] {
            chains.remove(hash, place);
            assert_eq!(chains.find(rival(0), |_| true), Some(5));
        }
    }

    #[test]
    fn a_chain_gets_no_longer_than_it_may() {
        let mut chains = Chains::<32>::new();
        let mut compared = 0;
        (0..32).for_each(|place| chains.add(Hash(9), place));
        let found = chains.find(Hash(9), |_| {
            compared += 1;
            false
        });
        assert_eq!((found, compared), (None, Chains::<32>::LONGEST));
        // What was left out is not there, and does no harm when it goes.
        chains.remove(Hash(9), 31);
        (0..Chains::<32>::LONGEST).for_each(|place| chains.remove(Hash(9), place));
        assert_eq!(chains.find(Hash(9), |_| true), None);
    }

    #[test]
    fn lines_of_a_file_and_modules_of_a_line_come_to_chains_of_their_own() {
        const PLACES: usize = 512;
        let file = Hash::of(b"drivers/android/binder/process.rs");
        let (mut lines, mut modules) = ([0_u8; PLACES], [0_u8; PLACES]);
        for number in 0..PLACES as u64 {
            lines[Chains::<PLACES>::bucket(file.with(number).with(0))] += 1;
            let module = 0xffff_ffff_c000_0000 + (number << 12);
            modules[Chains::<PLACES>::bucket(file.with(7).with(module))] += 1;
        }
        assert!(lines
            .iter()
            .chain(&modules)
            .all(|length| usize::from(*length) < Chains::<PLACES>::LONGEST / 2));
    }
}
