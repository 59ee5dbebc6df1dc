// SPDX-License-Identifier: GPL-2.0-only

//! Accounts in chunks, each of which is made when it is needed and given back some time after its last account.
//!
//! What fits into one chunk goes into the first with room; more than that gets chunks of its own, whose numbers follow each
//! other, and leaves the rest of the last to others.
//!
//! An account that is free in the sense of `holders` may still be counted in: by a hook that has looked it up, and was
//! preempted before it came to count. In a dense row such a count is at worst on another line. A chunk goes, so it is marked
//! when it is empty, and dropped when all hooks that ran then have ended and nothing has come of them.

use super::ledger::Ledger;
use crate::{
    model::{
        chunk::{gap, place, Number, ACCOUNTS, NUMBERS},
        handle::Handle,
    },
    platform::{
        counters,
        detailed::{self, Detailed},
    },
    registry::holders,
};
use kernel::{alloc::AllocError, alloc_hooks, prelude::*};

/// A chunk: its counters, and which of them are whose.
struct Chunk {
    ledger: Ledger<{ ACCOUNTS.div_ceil(64) }>,
    _counters: counters::Chunk,
    /// It was empty when it was looked at, and has been since.
    leaving: bool,
}

impl Chunk {
    fn is_empty(&self) -> bool {
        self.ledger.is_empty()
    }

    /// Takes so many places that follow each other.
    fn take(&mut self, length: usize) -> Option<usize> {
        let first = self.ledger.take(length)?;
        self.leaving = false;
        Some(first)
    }
}

/// All chunks.
pub(super) struct Chunks {
    /// By number, from that of the first behind the dense rows.
    chunks: KVVec<Option<Chunk>>,
    /// That of the first, settled with it.
    first: usize,
    /// The number behind the last that there may be.
    limit: usize,
    /// The hooks that know chunks, while there is one.
    hooks: Option<Detailed>,
}

impl Chunks {
    /// There is none.
    pub(super) const fn new() -> Self {
        Self {
            chunks: KVVec::new(),
            first: 0,
            limit: NUMBERS,
            hooks: None,
        }
    }

    /// Takes `length` accounts that follow each other, behind those of so many handles; makes the chunks that are missing.
    pub(super) fn take(&mut self, length: usize, behind: usize, hooks: Detailed) -> Option<Handle> {
        if length <= ACCOUNTS {
            let mut chunks = self.chunks.iter_mut().enumerate();
            let found =
                chunks.find_map(|(index, chunk)| Some((index, chunk.as_mut()?.take(length)?)));
            if let Some((index, place)) = found {
                return Some(self.account(index, place));
            }
        }
        let first = Number::behind(behind, 0)?.index();
        let in_use = |chunk: &Option<Chunk>| chunk.as_ref().is_some_and(|chunk| !chunk.is_empty());
        let wanted = length.div_ceil(ACCOUNTS);
        let most = self.limit.checked_sub(first)?;
        let index = gap(self.chunks.iter().map(in_use), wanted, most)?;
        self.first = first;
        // Before there is a chunk, and as long as there is one.
        self.hooks.get_or_insert(hooks);
        if self.make(index, length).is_ok() {
            return Some(self.account(index, 0));
        }
        let end = self.chunks.len().min(index + wanted);
        for chunk in self.chunks.get_mut(index..end).unwrap_or_default() {
            if let Some(chunk) = chunk {
                chunk.ledger = Ledger::new(ACCOUNTS);
            }
        }
        detailed::reap_soon();
        None
    }

    /// Has no chunk made for handles from that one on; `false` where there is one.
    pub(super) fn end_before(&mut self, handle: usize) -> bool {
        let limit = handle / ACCOUNTS;
        let fits = self.first + self.chunks.len() <= limit;
        if fits {
            self.limit = limit;
        }
        fits
    }

    /// Makes chunks for so many accounts from the `index`th on, where there is none, and takes these accounts.
    fn make(&mut self, index: usize, length: usize) -> Result<(), AllocError> {
        for (index, from) in (index..).zip((0..length).step_by(ACCOUNTS)) {
            while self.chunks.len() <= index {
                alloc_hooks!(self.chunks.push(None, GFP_KERNEL)).map_err(|_| AllocError)?;
            }
            let slot = self.chunks.get_mut(index).ok_or(AllocError)?;
            let chunk = match slot {
                Some(chunk) => chunk,
                None => slot.insert(Chunk {
                    ledger: Ledger::new(ACCOUNTS),
                    _counters: counters::Chunk::make(
                        Number::behind(self.first * ACCOUNTS, index).ok_or(AllocError)?,
                    )?,
                    leaving: false,
                }),
            };
            chunk.take(ACCOUNTS.min(length - from)).ok_or(AllocError)?;
        }
        Ok(())
    }

    /// The account at a place of the `index`th chunk.
    fn account(&self, index: usize, place: usize) -> Handle {
        Handle::from_word(((self.first + index) * ACCOUNTS + place) as u32)
    }

    /// The chunk of an account.
    fn of(&mut self, handle: Handle) -> Option<&mut Chunk> {
        let index = Number::of(handle).index().checked_sub(self.first)?;
        self.chunks.get_mut(index)?.as_mut()
    }

    /// Gives back an account that is free.
    pub(super) fn give_back(&mut self, handle: Handle) {
        if let Some(chunk) = self.of(handle) {
            chunk.ledger.give_back(place(handle));
            if chunk.is_empty() {
                detailed::reap_soon();
            }
        }
    }

    /// Takes over an account that is not free and has no row any more, until it is.
    pub(super) fn lose(&mut self, handle: Handle) {
        if let Some(chunk) = self.of(handle) {
            chunk.ledger.lose(place(handle));
        }
    }

    /// Gives back those of the accounts without rows that have become free.
    pub(super) fn sweep(&mut self) {
        for index in 0..self.chunks.len() {
            let first = self.account(index, 0);
            if let Some(Some(chunk)) = self.chunks.get_mut(index) {
                if chunk.ledger.sweep(first) && chunk.is_empty() {
                    detailed::reap_soon();
                }
            }
        }
    }

    /// Marks the chunks that are empty. Returns whether there is something to be given back: one of them, or the place of the
    /// plain hooks, where no chunk has come about.
    pub(super) fn mark(&mut self) -> bool {
        let mut any = false;
        for chunk in self.chunks.iter_mut().flatten() {
            chunk.leaving = chunk.is_empty();
            any |= chunk.leaving;
        }
        any || self.hooks.is_some() && self.chunks.iter().all(Option::is_none)
    }

    /// Drops the chunks that have been empty since they were marked. All hooks that ran then have ended; what one of them has
    /// counted keeps its account, and so the chunk, until it is free.
    pub(super) fn reap(&mut self) {
        for index in 0..self.chunks.len() {
            let first = self.account(index, 0);
            let Some(slot) = self.chunks.get_mut(index) else {
                return;
            };
            let Some(chunk) = slot.as_mut().filter(|chunk| chunk.leaving) else {
                continue;
            };
            for place in 0..ACCOUNTS {
                if !holders::is_unknown(Handle::from_word(first.get() + place as u32)) {
                    chunk.ledger.take_over(place);
                }
            }
            if chunk.is_empty() {
                *slot = None;
            }
        }
        // Without a chunk, the plain hooks do.
        if self.chunks.iter().all(Option::is_none) {
            self.chunks = KVVec::new();
            self.hooks = None;
        }
    }
}
