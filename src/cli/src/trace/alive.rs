// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What has been allocated and is not freed yet.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;

use super::event::{Actor, Memory, Place, SiteId};

/// An allocation that lives, or what is left of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Whose it is.
    pub site: SiteId,
    /// When it was made.
    pub time: u64,
    /// On which CPU.
    pub cpu: u32,
    /// By whom.
    pub actor: Actor,
    /// Bytes.
    pub bytes: u64,
    /// Whether it is among those that are counted.
    pub counted: bool,
}

/// All that live.
///
/// # Invariants
///
/// No two runs of pages overlap, and none is empty.
#[derive(Debug)]
pub struct Alive {
    objects: HashMap<u64, Held, RandomState>,
    /// Runs of pages by their first one, with how many they are.
    pages: BTreeMap<u64, (u64, Held)>,
    /// Bytes.
    page_size: u64,
}

impl Alive {
    /// None, on a machine with pages of so many bytes.
    pub fn new(page_size: u64) -> Alive {
        Alive { objects: HashMap::default(), pages: BTreeMap::new(), page_size: page_size.max(1) }
    }

    /// Something is allocated. What was there before and was not seen to be freed is taken out: its last part.
    pub fn put(&mut self, memory: &Memory, held: Held) -> Option<Held> {
        match memory.place {
            Place::Object(address) => self.objects.insert(address, held),
            Place::Page(first) => {
                let count = self.count(memory);
                let before = self.cut(first, count);
                self.pages.insert(first, (count, held));
                before
            }
        }
    }

    /// Something is freed, which may be a part of what was allocated as one. `None` if it is from before.
    pub fn take(&mut self, memory: &Memory) -> Option<Held> {
        match memory.place {
            Place::Object(address) => self.objects.remove(&address),
            Place::Page(first) => self.cut(first, self.count(memory)),
        }
    }

    /// All that live.
    pub fn iter(&self) -> impl Iterator<Item = Held> + '_ {
        self.objects.values().copied().chain(self.pages.values().map(|(_, held)| *held))
    }

    fn count(&self, memory: &Memory) -> u64 {
        (memory.bytes / self.page_size).max(1)
    }

    /// Takes a run of pages out of those that it overlaps; the last of these.
    fn cut(&mut self, first: u64, count: u64) -> Option<Held> {
        let end = first.saturating_add(count);
        let mut found = None;
        while let Some((&from, &(length, held))) = self.pages.range(..end).next_back() {
            let to = from.saturating_add(length);
            if to <= first {
                break;
            }
            self.pages.remove(&from);
            let mut keep = |from: u64, to: u64| {
                if from < to {
                    let bytes = (to - from).saturating_mul(self.page_size);
                    self.pages.insert(from, (to - from, Held { bytes, ..held }));
                }
            };
            keep(from, first);
            keep(end, to);
            found = found.or(Some(held));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(place: Place, bytes: u64) -> Memory {
        Memory { site: 0, place, requested: bytes, bytes, order: 0, node: None }
    }

    fn held(site: SiteId, bytes: u64) -> Held {
        Held { site, time: 1, cpu: 0, actor: Actor::Interrupt, bytes, counted: true }
    }

    /// Runs as first page, pages, site.
    fn runs(alive: &Alive) -> Vec<(u64, u64, SiteId)> {
        alive.pages.iter().map(|(from, (count, held))| (*from, *count, held.site)).collect()
    }

    #[test]
    fn objects_are_known_by_their_address() {
        let mut alive = Alive::new(4096);
        let object = memory(Place::Object(64), 32);
        assert_eq!(alive.put(&object, held(1, 32)), None);
        // Its end was not seen.
        assert_eq!(alive.put(&object, held(2, 32)), Some(held(1, 32)));
        assert_eq!(alive.take(&memory(Place::Page(64), 32)), None);
        assert_eq!(alive.take(&object), Some(held(2, 32)));
        assert_eq!((alive.take(&object), alive.iter().count()), (None, 0));
    }

    #[test]
    fn pages_are_freed_whole_and_in_parts() {
        for (name, freed, expected) in [
            ("whole", &[(8, 8)][..], vec![]),
            ("the head", &[(8, 1)], vec![(9, 7, 1)]),
            ("the tail", &[(9, 7)], vec![(8, 1, 1)]),
            ("the middle", &[(10, 2)], vec![(8, 2, 1), (12, 4, 1)]),
            ("all parts", &[(8, 4), (14, 2), (12, 2)], vec![]),
            ("others", &[(0, 8), (16, 8)], vec![(8, 8, 1)]),
            ("more than there is", &[(0, 100)], vec![]),
            ("over the edge", &[(15, u64::MAX / 4096)], vec![(8, 7, 1)]),
        ] {
            let mut alive = Alive::new(4096);
            alive.put(&memory(Place::Page(8), 8 * 4096), held(1, 8 * 4096));
            for &(first, count) in freed {
                let found = alive.take(&memory(Place::Page(first), count * 4096));
                assert_eq!(found.is_some(), first + count > 8 && first < 16, "{name}");
            }
            assert_eq!(runs(&alive), expected, "{name}");
            let bytes: u64 = alive.iter().map(|held| held.bytes).sum();
            assert_eq!(bytes, expected.iter().map(|run| run.1 * 4096).sum::<u64>(), "{name}");
        }
    }

    #[test]
    fn pages_whose_end_was_not_seen_make_room() {
        let mut alive = Alive::new(4096);
        alive.put(&memory(Place::Page(8), 8 * 4096), held(1, 8 * 4096));
        assert_eq!(alive.put(&memory(Place::Page(12), 8 * 4096), held(2, 8 * 4096)), Some(held(1, 8 * 4096)));
        assert_eq!(runs(&alive), [(8, 4, 1), (12, 8, 2)]);
    }
}
