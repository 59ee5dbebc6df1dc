// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A place in the list of call sites that survives the list's changes.
//!
//! The list is a row of slots, each of which holds the call sites of the kernel or of one module. A
//! reader lets go of the lock between two reads; meanwhile a module may leave its slot and another
//! take it, which the slot's sequence number tells.

/// A place in the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    slot: usize,
    sequence: u64,
    index: usize,
}

/// What a slot holds, as far as walking over it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Differs from one holder of the slot to the next; never 0.
    pub sequence: u64,
    /// How many call sites it has.
    pub length: usize,
}

impl Slot {
    /// Nobody holds it.
    pub const EMPTY: Self = Self {
        sequence: 0,
        length: 0,
    };
}

impl Cursor {
    /// Before the first call site.
    pub const START: Self = Self {
        slot: 0,
        sequence: 0,
        index: 0,
    };

    /// The slot, and the call site's number in it.
    pub fn position(self) -> (usize, usize) {
        (self.slot, self.index)
    }

    /// The place as two numbers, which are 0 before the first call site.
    pub fn to_words(self) -> [u64; 2] {
        [
            (self.slot as u64) << u32::BITS | u64::from(self.index as u32),
            self.sequence,
        ]
    }

    /// The place that two numbers say, whatever they are.
    pub fn from_words([place, sequence]: [u64; 2]) -> Self {
        Self {
            slot: (place >> u32::BITS) as usize,
            sequence,
            index: place as u32 as usize,
        }
    }

    /// A number that the call site at this place has for itself as long as the list does not change.
    pub fn id(self) -> u64 {
        Self::id_of(self.sequence, self.index)
    }

    /// The same of the call site of that number among those of the holder with that sequence number.
    pub fn id_of(sequence: u64, index: usize) -> u64 {
        sequence << u32::BITS | u64::from(index as u32)
    }

    /// Moves on to the next call site.
    pub fn advance(&mut self) {
        self.index += 1;
    }

    /// Moves on by some call sites that are all in the slot.
    pub fn advance_by(&mut self, call_sites: usize) {
        self.index += call_sites;
    }

    /// Moves on within the slot, to call sites from that number on.
    pub fn advance_to(&mut self, index: usize) {
        self.index = index;
    }

    /// Makes sure that there is a call site at this place, or moves to the next place that has one;
    /// `false` at the end. `slots` gives what a slot holds, or `None` behind the last.
    ///
    /// Where the slot's holder has gone, what is left of it is gone too, and its successor is shown
    /// from the beginning.
    pub fn settle(&mut self, slots: impl Fn(usize) -> Option<Slot>) -> bool {
        while let Some(slot) = slots(self.slot) {
            if slot.sequence != self.sequence {
                self.sequence = slot.sequence;
                self.index = 0;
            }
            if self.index < slot.length {
                return true;
            }
            *self = Self {
                slot: self.slot + 1,
                ..Self::START
            };
        }
        false
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_cursor))]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_the_same_after_it_was_two_numbers() {
        assert_eq!(Cursor::START.to_words(), [0, 0]);
        for (slot, sequence, index) in [(0, 2, 0), (1, 1, 511), (7, 1 << 33, 4095)] {
            let cursor = Cursor {
                slot,
                sequence,
                index,
            };
            assert_eq!(Cursor::from_words(cursor.to_words()), cursor);
        }
        for words in [[u64::MAX, u64::MAX], [u64::MAX, 2]] {
            let mut cursor = Cursor::from_words(words);
            assert!(!cursor.settle(|slot_number| (slot_number == 0).then(|| slot(2, 5))));
        }
    }

    #[test]
    fn call_sites_of_different_slots_have_different_ids() {
        let ids = [(1, 5), (2, 5), (2, 6)].map(|(sequence, index)| {
            let cursor = Cursor {
                slot: 0,
                sequence,
                index,
            };
            cursor.id()
        });
        assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[2] != ids[0]);
    }

    fn slot(sequence: u64, length: usize) -> Slot {
        Slot { sequence, length }
    }

    /// Walks on from `cursor` and counts the call sites.
    fn count(mut cursor: Cursor, slots: &[Slot]) -> usize {
        let mut count = 0;
        while cursor.settle(|number| slots.get(number).copied()) {
            count += 1;
            cursor.advance();
        }
        count
    }

    #[test]
    fn a_walk_meets_every_call_site_once() {
        assert_eq!(count(Cursor::START, &[]), 0);
        assert_eq!(count(Cursor::START, &[slot(1, 0)]), 0);
        assert_eq!(
            count(Cursor::START, &[slot(1, 3), slot(2, 0), slot(3, 2)]),
            5
        );
    }

    #[test]
    fn a_successor_is_shown_from_its_first_call_site() {
        let mut cursor = Cursor::START;
        let before = [slot(1, 1), slot(2, 5)];
        for _ in 0..3 {
            assert!(cursor.settle(|number| before.get(number).copied()));
            cursor.advance();
        }
        assert_eq!(cursor.position(), (1, 2));
        let after = [slot(1, 1), slot(3, 4)];
        assert_eq!(count(cursor, &after), 4);
    }

    #[test]
    fn a_slot_that_was_emptied_is_passed_over() {
        let mut cursor = Cursor::START;
        let before = [slot(1, 2), slot(2, 2)];
        assert!(cursor.settle(|number| before.get(number).copied()));
        let after = [slot(4, 0), slot(2, 2)];
        assert_eq!(count(cursor, &after), 2);
    }

    #[test]
    fn standing_still_costs_no_call_site() {
        let slots = [slot(1, 2)];
        let mut cursor = Cursor::START;
        for _ in 0..4 {
            assert!(cursor.settle(|number| slots.get(number).copied()));
        }
        assert_eq!(cursor.position(), (0, 0));
    }
}
