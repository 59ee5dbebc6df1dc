// SPDX-License-Identifier: GPL-2.0-only

//! How long things took, of call sites: a histogram for each that anything was measured of, as long as there are some left.
//!
//! Measuring looks one up without a lock, and takes a free one where there is none yet. None is given back but all together, by
//! [`forget()`]: an account that another call site gets keeps its histograms, which begin anew.

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

/// How long calls took that were timed.
#[cfg(CONFIG_ALLOCTAG_LATENCY)]
pub static LATENCY: Pool<1> = Pool::new();

/// How long lived what was followed; and of the second kind what could not be, which took no time.
#[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
pub static LIFETIMES: Pool<2> = Pool::new();

/// The account is another call site's now.
pub fn clear(account: Handle) {
    STALLS.begin_anew(account);
    #[cfg(CONFIG_ALLOCTAG_LATENCY)]
    LATENCY.begin_anew(account);
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    LIFETIMES.begin_anew(account);
}

/// Whether what is measured is being forgotten.
static FORGETTING: Atomic<usize> = Atomic::new(0);

/// Something is recorded: nothing is forgotten meanwhile.
pub struct Recording(rcu::Guard);

impl Recording {
    /// Begins it, unless what was measured is being forgotten: with it goes what is measured then. In any context.
    #[inline(always)]
    pub fn begin() -> Option<Self> {
        let guard = rcu::read_lock();
        (published::load(&FORGETTING) == 0).then_some(Self(guard))
    }
}

/// Has all that was measured forgotten by `forget`, while nothing is recorded. One task at a time; may sleep.
pub fn forget(forget: impl FnOnce()) {
    FORGETTING.store(1, Relaxed);
    rcu::synchronize_rcu();
    forget();
    // Release: who records again finds it forgotten.
    FORGETTING.store(0, Release);
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

    /// One of some kind took so many nanoseconds.
    #[inline(always)]
    pub fn record(&self, _recording: &Recording, account: Handle, kind: usize, ns: u64) {
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

    /// Forgets what was measured, and whose histograms these were. Within [`forget()`].
    pub fn clear(&self) {
        if let Some(table) = self.table() {
            table.clear();
        }
        self.shared.iter().for_each(Cell::clear);
    }

    /// What is at a place; `None` behind the last one. Places stay what they are but for
    /// [`forget()`]. Who holds the list of sections finds what is of the call site that has the account.
    pub fn at(&self, place: usize) -> Option<Place> {
        Some(match self.taken_at(place)? {
            Place::Shared(_, histogram) | Place::Own(_, _, histogram) if histogram.is_empty() => {
                Place::Empty
            }
            place => place,
        })
    }

    /// The same with histograms of nothing.
    pub fn taken_at(&self, place: usize) -> Option<Place> {
        if let Some(cell) = self.shared.get(place) {
            return Some(Place::Shared(place, cell.read()));
        }
        Some(match self.table()?.at(place - KINDS)? {
            Some((key, histogram)) => Place::Own(key.account(), key.kind(), histogram),
            None => Place::Empty,
        })
    }

    /// Takes a histogram of some kind for an account; `false` where it shares one.
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    pub fn touch(&self, _recording: &Recording, account: Handle, kind: usize) -> bool {
        let table = self.table();
        table.is_some_and(|table| table.find_or_take(Key::new(account, kind)).is_some())
    }

    /// What was measured of an account of some kind, if it has a histogram of its own.
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    pub fn of(&self, account: Handle, kind: usize) -> Option<Histogram> {
        let cell = self.table()?.find(Key::new(account, kind))?;
        Some(cell.read())
    }

    /// What is shared of some kind.
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    pub fn shared(&self, kind: usize) -> Option<Histogram> {
        self.shared.get(kind).map(Cell::read)
    }

    /// The account is another call site's now.
    fn begin_anew(&self, account: Handle) {
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
