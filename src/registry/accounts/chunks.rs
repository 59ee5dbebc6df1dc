// SPDX-License-Identifier: GPL-2.0-only

//! Accounts in chunks, each of which is made when it is needed and given back with its last account.
//!
//! What fits into one chunk goes into the first with room; more than that gets chunks of its own, whose numbers follow each
//! other, and leaves the rest of the last to others.

use super::ledger::Ledger;
use crate::{
    model::{
        chunk::{gap, place, Number, ACCOUNTS, NUMBERS},
        handle::Handle,
    },
    platform::{counters, detailed::Detailed},
};
use kernel::{alloc::AllocError, alloc_hooks, prelude::*};

/// A chunk: its counters, and which of them are whose.
struct Chunk {
    ledger: Ledger<{ ACCOUNTS.div_ceil(64) }>,
    _counters: counters::Chunk,
}

/// All chunks.
pub(super) struct Chunks {
    /// By number, from that of the first behind the dense rows.
    chunks: KVVec<Option<Chunk>>,
    /// That of the first, settled with it.
    first: usize,
    /// The hooks that know chunks, while there is one.
    hooks: Option<Detailed>,
}

impl Chunks {
    /// There is none.
    pub(super) const fn new() -> Self {
        Self {
            chunks: KVVec::new(),
            first: 0,
            hooks: None,
        }
    }

    /// Takes `length` accounts that follow each other, behind those of so many handles; makes the chunks that are missing.
    pub(super) fn take(&mut self, length: usize, behind: usize, hooks: Detailed) -> Option<Handle> {
        if length <= ACCOUNTS {
            let mut chunks = self.chunks.iter_mut().enumerate();
            let found = chunks
                .find_map(|(index, chunk)| Some((index, chunk.as_mut()?.ledger.take(length)?)));
            if let Some((index, place)) = found {
                return Some(self.account(index, place));
            }
        }
        let first = Number::behind(behind, 0)?.index();
        let there = self.chunks.iter().map(Option::is_some);
        let index = gap(there, length.div_ceil(ACCOUNTS), NUMBERS - first)?;
        self.first = first;
        // Before there is a chunk, and as long as there is one.
        self.hooks.get_or_insert(hooks);
        let made = self.make(index, length);
        if made.is_err() {
            let end = self.chunks.len().min(index + length.div_ceil(ACCOUNTS));
            for chunk in self.chunks.get_mut(index..end).unwrap_or_default() {
                *chunk = None;
            }
            self.rest();
        }
        made.ok().map(|()| self.account(index, 0))
    }

    /// Makes chunks for so many accounts from the `index`th on, where there is none, and takes these accounts.
    fn make(&mut self, index: usize, length: usize) -> Result<(), AllocError> {
        for (index, from) in (index..).zip((0..length).step_by(ACCOUNTS)) {
            let number = Number::behind(self.first * ACCOUNTS, index).ok_or(AllocError)?;
            let mut chunk = Chunk {
                ledger: Ledger::new(ACCOUNTS),
                _counters: counters::Chunk::make(number)?,
            };
            chunk.ledger.take(ACCOUNTS.min(length - from));
            while self.chunks.len() <= index {
                alloc_hooks!(self.chunks.push(None, GFP_KERNEL)).map_err(|_| AllocError)?;
            }
            *self.chunks.get_mut(index).ok_or(AllocError)? = Some(chunk);
        }
        Ok(())
    }

    /// The account at a place of the `index`th chunk.
    fn account(&self, index: usize, place: usize) -> Handle {
        Handle::from_word(((self.first + index) * ACCOUNTS + place) as u32)
    }

    /// The chunk of an account.
    fn of(&mut self, handle: Handle) -> Option<&mut Option<Chunk>> {
        let index = Number::of(handle).index().checked_sub(self.first)?;
        self.chunks.get_mut(index)
    }

    /// Gives back an account that is free, and its chunk with the last.
    pub(super) fn give_back(&mut self, handle: Handle) {
        let Some(slot) = self.of(handle) else { return };
        if let Some(chunk) = slot {
            chunk.ledger.give_back(place(handle));
            if chunk.ledger.is_empty() {
                *slot = None;
                self.rest();
            }
        }
    }

    /// Takes over an account that is not free and has no row any more, until it is.
    pub(super) fn lose(&mut self, handle: Handle) {
        if let Some(Some(chunk)) = self.of(handle) {
            chunk.ledger.lose(place(handle));
        }
    }

    /// Gives back those of the accounts without rows that have become free.
    pub(super) fn sweep(&mut self) {
        for index in 0..self.chunks.len() {
            let first = self.account(index, 0);
            if let Some(slot) = self.chunks.get_mut(index) {
                if let Some(chunk) = slot {
                    chunk.ledger.sweep(first);
                }
                slot.take_if(|chunk| chunk.ledger.is_empty());
            }
        }
        self.rest();
    }

    /// Without a chunk, the plain hooks do.
    fn rest(&mut self) {
        if self.chunks.iter().all(Option::is_none) {
            self.chunks = KVVec::new();
            self.hooks = None;
        }
    }
}
