// SPDX-License-Identifier: GPL-2.0-only

//! Which accounts are taken, of some whose handles follow each other, and which of these no section knows.

use crate::{
    model::{handle::Handle, pool::Pool},
    platform::resched,
    registry::holders,
};

/// A bit for each.
pub(super) struct Ledger<const WORDS: usize> {
    taken: Pool<WORDS>,
    /// Those of them that no section knows any more: there was no memory to keep their rows.
    lost: Pool<WORDS>,
}

impl<const WORDS: usize> Ledger<WORDS> {
    /// None is taken, of so many.
    pub(super) const fn new(accounts: usize) -> Self {
        Self {
            taken: Pool::new(accounts),
            lost: Pool::new(accounts),
        }
    }

    /// Takes the first `length` places that follow each other and are free.
    pub(super) fn take(&mut self, length: usize) -> Option<usize> {
        self.taken.take(length)
    }

    /// Gives a place back whose account is free.
    pub(super) fn give_back(&mut self, place: usize) {
        self.taken.give_back(place);
    }

    /// Takes over a place whose account is not free and has no row any more, until it is.
    pub(super) fn lose(&mut self, place: usize) {
        self.lost.take_one(place);
    }

    /// The same for a place that was free, as it seemed.
    pub(super) fn take_over(&mut self, place: usize) {
        self.taken.take_one(place);
        self.lost.take_one(place);
    }

    /// Gives back those without rows that have become free; `first` is the account of the first place. Returns whether there
    /// was one.
    pub(super) fn sweep(&mut self, first: Handle) -> bool {
        let is_free = |place: usize| {
            resched::at_step(place as u64);
            holders::retire(Handle::from_word(first.get() + place as u32))
        };
        let mut from = 0;
        while let Some(place) = self.lost.find_from(from, is_free) {
            self.lost.give_back(place);
            self.taken.give_back(place);
            from = place + 1;
        }
        from > 0
    }

    /// Whether no place is taken.
    pub(super) fn is_empty(&self) -> bool {
        self.taken.find_from(0, |_| true).is_none()
    }
}
