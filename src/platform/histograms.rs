// SPDX-License-Identifier: GPL-2.0-only

//! How long things took, of call sites: a histogram for each that anything was measured of, as long as there are some left.
//!
//! Measuring looks one up without a lock, and takes a free one where there is none yet. None is given back but by
//! [`Pool::reset()`]: an account that another call site gets keeps its histograms, which begin anew.

mod cell;
mod table;

use crate::{
    model::{capacity::Capacity, handle::Handle, histogram::Histogram, stall::Cause},
    platform::published,
};
use cell::Cell;
use core::ptr::with_exposed_provenance;
use kernel::{
    prelude::*,
    sync::{
        atomic::{Atomic, Relaxed, Release},
        rcu,
    },
};
use table::{Key, Table};

/// How many histograms there are unless somebody asks for others: these take 200 KiB.
const DEFAULT: u32 = 1 << 10;

/// How many the next table has.
static CAPACITY: Atomic<u32> = Atomic::new(DEFAULT);

/// From now on a table has so many.
pub fn set_capacity(capacity: Capacity) {
    CAPACITY.store(capacity.get(), Relaxed);
}

/// How long allocations waited, by the numbers of causes.
pub static STALLS: Pool<{ Cause::COUNT }> = Pool::new();

/// The accounts are other call sites' now.
pub fn clear(account: Handle) {
    STALLS.clear(account);
}

/// Histograms of so many kinds.
pub struct Pool<const KINDS: usize> {
    /// Where the table is; 0 while there is none.
    table: Atomic<usize>,
    /// Those that all call sites share which have found none of their own.
    shared: [Cell; KINDS],
}

/// What is at a place of a pool.
pub enum Place {
    /// Nothing.
    Empty,
    /// What call sites share which have found no room.
    Shared(usize, Histogram),
    /// What was measured of an account.
    Own(Handle, usize, Histogram),
}

impl<const KINDS: usize> Pool<KINDS> {
    const fn new() -> Self {
        Self {
            table: Atomic::new(0),
            shared: [const { Cell::new() }; KINDS],
        }
    }

    /// The table, if there is one.
    #[inline(always)]
    fn table(&self) -> Option<&'static Table> {
        let address = published::load(&self.table);
        // SAFETY: It is 0 or where `prepare()` has put one, which stays for ever.
        unsafe { with_exposed_provenance::<Table>(address).as_ref() }
    }

    /// One of some kind took so many nanoseconds. In any context.
    pub fn record(&self, account: Handle, kind: usize, ns: u64) {
        // Whose a histogram is stays as it is meanwhile.
        let _guard = rcu::read_lock();
        let table = self.table();
        let cell = table.and_then(|table| table.find_or_take(Key::new(account, kind)));
        if let Some(cell) = cell.or(self.shared.get(kind)) {
            cell.add(ns);
        }
    }

    /// Makes the histograms, if there are none. One task at a time; may sleep.
    ///
    /// # Errors
    ///
    /// `ENOMEM`
    pub fn prepare(&self) -> Result {
        if self.table.load(Relaxed) == 0 {
            let table = Table::make(CAPACITY.load(Relaxed))?;
            let address = KBox::leak(table) as *mut Table;
            // Release: who finds the table finds it made up.
            self.table.store(address.expose_provenance(), Release);
        }
        Ok(())
    }

    /// Forgets what was measured, and whose histograms these were. What is measured meanwhile is forgotten with it. One task at a
    /// time; may sleep.
    pub fn reset(&self) {
        if let Some(table) = self.table() {
            table.hide();
            // Who has found one before is through with it then.
            rcu::synchronize_rcu();
            table.clear();
        }
        self.shared.iter().for_each(Cell::clear);
    }

    /// What is at a place; `None` behind the last one. Places stay what they are but for [`Pool::reset()`].
    pub fn at(&self, place: usize) -> Option<Place> {
        if let Some(cell) = self.shared.get(place) {
            return Some(match cell.read() {
                histogram if histogram.is_empty() => Place::Empty,
                histogram => Place::Shared(place, histogram),
            });
        }
        let (key, cell) = self.table()?.at(place - KINDS)?;
        let histogram = cell.read();
        Some(match key {
            Some(key) if !histogram.is_empty() => Place::Own(key.account(), key.kind(), histogram),
            _ => Place::Empty,
        })
    }

    /// The account is another call site's now.
    fn clear(&self, account: Handle) {
        let _guard = rcu::read_lock();
        let Some(table) = self.table() else {
            return;
        };
        for kind in 0..KINDS {
            if let Some(cell) = table.find(Key::new(account, kind)) {
                cell.clear();
            }
        }
    }
}
