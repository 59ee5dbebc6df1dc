// SPDX-License-Identifier: GPL-2.0-only

//! The accounts that are made at run time, beside those of built-in tags.

use super::holders;
use crate::{
    model::{handle::Handle, pool::Pool},
    platform::resched,
};
use kernel::bindings;

/// How many there can be at a time; the counters of every CPU have room for as many.
const SPARE: usize = bindings::ALLOC_TAG_SPARE_ACCOUNTS as usize;

/// A bit for each.
type Spare = Pool<{ SPARE.div_ceil(64) }>;

/// Which of the spare accounts are taken.
pub(super) struct Accounts {
    pool: Spare,
    /// Those of them that no section knows any more: there was no memory to keep their rows.
    lost: Spare,
    /// The number of accounts before the first spare one.
    builtin: usize,
}

impl Accounts {
    /// All spare accounts are free.
    pub(super) const fn new() -> Self {
        Self {
            pool: Pool::new(SPARE),
            lost: Pool::new(SPARE),
            builtin: 0,
        }
    }

    /// Says how many accounts built-in tags have.
    pub(super) fn begin_behind(&mut self, builtin: usize) {
        self.builtin = builtin;
    }

    /// How many handles there can ever be, those that name no account included.
    pub(super) fn handles(&self) -> usize {
        let most = Handle::MASK as usize + 1;
        most.min(Handle::FIRST as usize + self.builtin + SPARE)
    }

    /// Takes `length` accounts that follow each other, and returns the first.
    pub(super) fn take(&mut self, length: usize) -> Option<Handle> {
        let place = self.builtin + self.pool.take(length)?;
        // The last of them has a name, too, or none is taken.
        let named = Handle::nth(place + length - 1).and(Handle::nth(place));
        if named.is_none() {
            (0..length).for_each(|index| self.pool.give_back(place - self.builtin + index));
        }
        named
    }

    /// The account's place among the spare ones.
    fn place(&self, handle: Handle) -> Option<usize> {
        handle
            .index()
            .checked_sub(Handle::FIRST as usize + self.builtin)
    }

    /// Gives back an account that is free.
    pub(super) fn give_back(&mut self, handle: Handle) {
        if let Some(place) = self.place(handle) {
            self.pool.give_back(place);
        }
    }

    /// Takes over an account that is not free and has no row any more, until it is.
    pub(super) fn lose(&mut self, handle: Handle) {
        if let Some(place) = self.place(handle) {
            self.lost.take_one(place);
        }
    }

    /// Gives back those of the accounts without rows that have become free.
    pub(super) fn sweep(&mut self) {
        let first = Handle::FIRST + self.builtin as u32;
        let is_free = |place: usize| {
            resched::at_step(place as u64);
            holders::retire(Handle::from_word(first + place as u32))
        };
        let mut from = 0;
        while let Some(place) = self.lost.find_from(from, is_free) {
            self.lost.give_back(place);
            self.pool.give_back(place);
            from = place + 1;
        }
    }
}
