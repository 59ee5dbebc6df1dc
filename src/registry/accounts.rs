// SPDX-License-Identifier: GPL-2.0-only

//! The accounts that are made at run time, beside those of built-in tags.
//!
//! As many as Kconfig says are spare: their counters are in the dense rows, behind those of built-in tags. When there is no
//! room left among them, further ones come in chunks.

mod chunks;
mod ledger;

use crate::{model::handle::Handle, platform::detailed::Detailed};
use chunks::Chunks;
use kernel::bindings;
use ledger::Ledger;

/// How many spare accounts there can be at a time; the counters of every CPU have room for as many.
const SPARE: usize = bindings::ALLOC_TAG_SPARE_ACCOUNTS as usize;

/// The bound of somebody who asks for none.
const UNBOUND: usize = Handle::MASK as usize + 1;

/// Which of these accounts are taken.
pub(super) struct Accounts {
    spare: Ledger<{ SPARE.div_ceil(64) }>,
    chunks: Chunks,
    /// From which handles on there may be none, for each of those who ask for that.
    bounds: [usize; 2],
    /// The number of accounts before the first spare one.
    builtin: usize,
}

impl Accounts {
    /// All spare accounts are free, and there is no chunk.
    pub(super) const fn new() -> Self {
        Self {
            spare: Ledger::new(SPARE),
            chunks: Chunks::new(),
            bounds: [UNBOUND; 2],
            builtin: 0,
        }
    }

    /// Says how many accounts built-in tags have.
    pub(super) fn begin_behind(&mut self, builtin: usize) {
        self.builtin = builtin;
    }

    /// How many handles the dense rows have room for, those that name no account included.
    pub(super) fn handles(&self) -> usize {
        let most = Handle::MASK as usize + 1;
        most.min(Handle::FIRST as usize + self.builtin + SPARE)
    }

    /// Takes `length` spare accounts that follow each other, and returns the first.
    pub(super) fn take(&mut self, length: usize) -> Option<Handle> {
        let place = self.spare.take(length)?;
        // The last of them has a name, too, or none is taken.
        let (first, last) = (self.builtin + place, self.builtin + place + length - 1);
        let named = Handle::nth(last).and(Handle::nth(first));
        if named.is_none() {
            (place..place + length).for_each(|place| self.spare.give_back(place));
        }
        named
    }

    /// Takes `length` accounts that follow each other from chunks, and returns the first; `None` where there is no memory
    /// for their counters or no handle left.
    pub(super) fn take_from_chunks(&mut self, length: usize, hooks: Detailed) -> Option<Handle> {
        self.chunks.take(length, self.handles(), hooks)
    }

    /// Gives no account a handle from that one on, until who asks for it is done. Returns by which number that is said; `None`
    /// where an account has such a handle, and where two have asked already.
    pub(super) fn reserve(&mut self, handle: usize) -> Option<usize> {
        let number = self.bounds.iter().position(|bound| *bound == UNBOUND)?;
        self.bound(number, handle).then_some(number)
    }

    /// Whoever asked for that is done.
    pub(super) fn release(&mut self, number: usize) {
        self.bound(number, UNBOUND);
    }

    /// Somebody's bound is another one; `false`, and it is not, where an account has a handle behind it.
    fn bound(&mut self, number: usize, handle: usize) -> bool {
        let mut bounds = self.bounds;
        if let Some(bound) = bounds.get_mut(number) {
            *bound = handle;
        }
        let least = bounds.into_iter().min().unwrap_or(handle);
        let fits = self.handles() <= least && self.chunks.end_before(least);
        if fits {
            self.bounds = bounds;
        }
        fits
    }

    /// The account's place among the spare ones, if it is one of them.
    fn place(&self, handle: Handle) -> Option<usize> {
        let place = handle
            .index()
            .checked_sub(Handle::FIRST as usize + self.builtin)?;
        (place < SPARE).then_some(place)
    }

    /// Gives back an account that is free.
    pub(super) fn give_back(&mut self, handle: Handle) {
        match self.place(handle) {
            Some(place) => self.spare.give_back(place),
            None => self.chunks.give_back(handle),
        }
    }

    /// Takes over an account that is not free and has no row any more, until it is.
    pub(super) fn lose(&mut self, handle: Handle) {
        match self.place(handle) {
            Some(place) => self.spare.lose(place),
            None => self.chunks.lose(handle),
        }
    }

    /// Gives back those of the accounts without rows that have become free.
    pub(super) fn sweep(&mut self) {
        if let Some(first) = Handle::nth(self.builtin) {
            self.spare.sweep(first);
        }
        self.chunks.sweep();
    }

    /// Marks what nobody needs of what was made for accounts. Returns whether there is some.
    pub(super) fn mark(&mut self) -> bool {
        self.chunks.mark()
    }

    /// Gives back what was marked and is needed by nobody still. All hooks that ran then have ended.
    pub(super) fn reap(&mut self) {
        self.chunks.reap();
    }
}
