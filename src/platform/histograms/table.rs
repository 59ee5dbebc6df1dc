// SPDX-License-Identifier: GPL-2.0-only

//! A table of histograms, found by account and kind without a lock.

use super::cell::Cell;
use crate::{
    model::{
        handle::Handle,
        histogram::Histogram,
        probe::{self, word, Found},
    },
    platform::published,
};
use kernel::{
    alloc::AllocError,
    alloc_hooks,
    prelude::*,
    sync::atomic::{Atomic, Relaxed},
};

/// How many bits of a key say which kind it is.
const KIND_BITS: u32 = 3;

/// Of which account a histogram is, and of which kind.
///
/// # Invariants
///
/// Not what [`word`] has beside keys: the account is none of those that are not counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(usize);

impl Key {
    /// That of an account that is counted, and of a kind below eight.
    #[inline(always)]
    pub(super) const fn new(account: Handle, kind: usize) -> Self {
        // INVARIANT: The least account that is counted is 2.
        Self(account.index() << KIND_BITS | kind)
    }

    /// The account.
    pub(super) const fn account(self) -> Handle {
        Handle::from_word((self.0 >> KIND_BITS) as u32)
    }

    /// The kind.
    pub(super) const fn kind(self) -> usize {
        self.0 & ((1 << KIND_BITS) - 1)
    }
}

/// A histogram, and whose it is.
#[repr(C)]
struct Entry {
    cell: Cell,
    /// [`word::EMPTY`], or a key.
    key: Atomic<usize>,
}

/// The table.
///
/// # Invariants
///
/// It has 2^`order` entries.
pub(super) struct Table {
    order: u32,
    entries: KVVec<Entry>,
}

impl Table {
    /// One of so many, a power of two from 16 on. May sleep.
    ///
    /// # Errors
    ///
    /// [`AllocError`]
    pub(super) fn make(entries: u32) -> Result<KBox<Self>, AllocError> {
        let count = entries as usize;
        let mut table = Self {
            order: entries.trailing_zeros(),
            entries: alloc_hooks!(KVVec::with_capacity(count, GFP_KERNEL))?,
        };
        for _ in 0..count {
            // There is room.
            let entry = Entry {
                key: Atomic::new(word::EMPTY),
                cell: Cell::new(),
            };
            table
                .entries
                .push_within_capacity(entry)
                .map_err(|_| AllocError)?;
        }
        // INVARIANT: So many were pushed.
        alloc_hooks!(KBox::new(table, GFP_KERNEL))
    }

    /// Where a key is, or could be.
    #[inline(always)]
    fn search(&self, key: Key) -> Found {
        let entries = &self.entries;
        let word = |place| {
            let entry: Option<&Entry> = entries.get(place);
            entry.map_or(word::KEPT, |entry| published::load(&entry.key))
        };
        probe::search(self.order, key.0, word)
    }

    /// The histogram of a key.
    pub(super) fn find(&self, key: Key) -> Option<&Cell> {
        match self.search(key) {
            Found::At(place) => Some(&self.entries.get(place)?.cell),
            _ => None,
        }
    }

    /// The same, if it stands where it is looked for first.
    #[inline(always)]
    pub(super) fn at_home(&self, key: Key) -> Option<&Cell> {
        // SAFETY: A home is below 2^`order`, and by the type's invariant there are so many.
        let entry = unsafe { self.entries.get_unchecked(probe::home(self.order, key.0)) };
        (published::load(&entry.key) == key.0).then_some(&entry.cell)
    }

    /// The same, which is taken where there is none yet; `None` where none is left within reach. In any context.
    pub(super) fn find_or_take(&self, key: Key) -> Option<&Cell> {
        loop {
            match self.search(key) {
                Found::At(place) => return Some(&self.entries.get(place)?.cell),
                Found::Full => return None,
                // Whoever is first has it; it may be for the same key.
                Found::Room(place) => {
                    let entry = self.entries.get(place)?;
                    let _ = entry.key.cmpxchg(word::EMPTY, key.0, Relaxed);
                }
            }
        }
    }

    /// Forgets all, while nobody looks for any.
    pub(super) fn clear(&self) {
        for entry in &self.entries {
            entry.key.store(word::EMPTY, Relaxed);
            entry.cell.clear();
        }
    }

    /// What is at a place, and of what, if it is of anything; `None` behind the last one.
    pub(super) fn at(&self, place: usize) -> Option<Option<(Key, Histogram)>> {
        let entry = self.entries.get(place)?;
        let key = published::load(&entry.key);
        let histogram = entry.cell.read();
        let is_same = key != word::EMPTY && published::load(&entry.key) == key;
        // INVARIANT: It was one that was put there.
        Some(is_same.then_some((Key(key), histogram)))
    }
}
