// SPDX-License-Identifier: GPL-2.0-only

//! The accounts that are made at run time, beside those of built-in tags.

use crate::model::{handle::Handle, pool::Pool};
use kernel::bindings;

/// How many there can be at a time; the counters of every CPU have room for as many.
const SPARE: usize = bindings::ALLOC_TAG_SPARE_ACCOUNTS as usize;

/// Which of the spare accounts are taken.
pub(super) struct Accounts {
    pool: Pool<{ SPARE.div_ceil(64) }>,
    /// The number of accounts before the first spare one.
    builtin: usize,
}

impl Accounts {
    /// All spare accounts are free.
    pub(super) const fn new() -> Self {
        Self {
            pool: Pool::new(SPARE),
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

    /// Gives back an account that has nothing alive.
    pub(super) fn give_back(&mut self, handle: Handle) {
        let first = Handle::FIRST as usize + self.builtin;
        if let Some(place) = handle.index().checked_sub(first) {
            self.pool.give_back(place);
        }
    }
}
