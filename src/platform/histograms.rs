// SPDX-License-Identifier: GPL-2.0-only

//! How long things took, of call sites: a histogram for each that anything was measured of, as long as there are some left.
//!
//! Measuring looks one up without a lock, and takes a free one where there is none yet. None is given back but all together, by
//! [`Pool::forget()`]: an account that another call site gets keeps its histograms, which begin anew.

mod cell;
mod table;

use crate::{
    model::{capacity::Capacity, handle::Handle, histogram::Histogram, stall::Cause},
    platform::published,
};
use cell::Cell;
use core::{marker::PhantomData, ptr::with_exposed_provenance};
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

/// Histograms of so many kinds.
pub struct Pool<const KINDS: usize> {
    /// Where the table is; 0 while there is none.
    table: Atomic<usize>,
    /// Whether what was measured is being forgotten.
    forgetting: Atomic<usize>,
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
            forgetting: Atomic::new(0),
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

    /// Begins to record something, or to read what was recorded, unless this is being forgotten: with it goes what is measured then.
    /// In any context.
    pub fn record<'a>(&'a self, _guard: &'a rcu::Guard) -> Option<Recording<'a, KINDS>> {
        // SAFETY: By the guard.
        unsafe { self.record_within() }
    }

    /// The same where C holds RCU, which does so without a call.
    ///
    /// # Safety
    ///
    /// RCU is held as long as what is returned lives.
    #[inline(always)]
    pub unsafe fn record_within(&self) -> Option<Recording<'_, KINDS>> {
        // INVARIANT: By the caller's promise.
        (published::load(&self.forgetting) == 0).then_some(Recording {
            pool: self,
            _rcu: PhantomData,
        })
    }

    /// The histogram of some kind that is an account's, or becomes so. While something is recorded.
    fn own(&self, account: Handle, kind: usize) -> Option<&Cell> {
        if !account.is_counted() {
            return None;
        }
        self.table()?.find_or_take(Key::new(account, kind))
    }

    /// The same, or that of those which have none.
    fn own_or_shared(&self, account: Handle, kind: usize) -> Option<&Cell> {
        self.own(account, kind).or(self.shared.get(kind))
    }

    /// Something took so long of which the histogram does not stand at home, or is none yet.
    #[cold]
    #[inline(never)]
    fn add_elsewhere(&self, account: Handle, kind: usize, ns: u64) {
        if let Some(cell) = self.own_or_shared(account, kind) {
            cell.add(ns);
        }
    }

    /// One of some kind took so many nanoseconds, the same as [`Recording::add()`] where nothing else is recorded. In any context.
    ///
    /// # Safety
    ///
    /// RCU is held.
    #[cfg(CONFIG_ALLOCTAG_LATENCY)]
    #[inline(always)]
    pub unsafe fn add_within(&self, account: Handle, kind: usize, ns: u64) {
        let key = Key::new(account, kind);
        // There is no table while what was measured is forgotten.
        match self.table().and_then(|table| table.at_home(key)) {
            Some(cell) => cell.add(ns),
            None => self.add_if_recording(account, kind, ns),
        }
    }

    #[cfg(CONFIG_ALLOCTAG_LATENCY)]
    #[cold]
    #[inline(never)]
    fn add_if_recording(&self, account: Handle, kind: usize, ns: u64) {
        if let Some(recording) = self.record(&rcu::read_lock()) {
            recording.add(account, kind, ns);
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

    /// Forgets what was measured, and whose histograms these were; and at the same moment what `also` does. One task at a time;
    /// may sleep.
    pub fn forget(&self, also: impl FnOnce()) {
        let table = self.table();
        self.forgetting.store(1, Relaxed);
        self.table.store(0, Relaxed);
        rcu::synchronize_rcu();
        also();
        if let Some(table) = table {
            table.clear();
            let address = core::ptr::from_ref(table).expose_provenance();
            // Release: who finds the table finds it empty.
            self.table.store(address, Release);
        }
        self.shared.iter().for_each(Cell::clear);
        // Release: who records again finds it forgotten.
        self.forgetting.store(0, Release);
    }

    /// What is at a place, nothing while what was measured is being forgotten; `None` behind the last one. Places stay what they
    /// are but for [`Self::forget()`]. Who holds the list of sections finds what is of the call site that has the account.
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
        let guard = rcu::read_lock();
        let Some(_recording) = self.record(&guard) else {
            let places = KINDS + CAPACITY.load(Relaxed) as usize;
            return (place < places).then_some(Place::Empty);
        };
        if let Some(cell) = self.shared.get(place) {
            return Some(Place::Shared(place, cell.read()));
        }
        Some(match self.table()?.at(place - KINDS)? {
            Some((key, histogram)) => Place::Own(key.account(), key.kind(), histogram),
            None => Place::Empty,
        })
    }

    /// What was measured of an account of some kind, if it has a histogram of its own.
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    pub fn of(&self, account: Handle, kind: usize) -> Option<Histogram> {
        let guard = rcu::read_lock();
        let _recording = self.record(&guard)?;
        let cell = self.table()?.find(Key::new(account, kind))?;
        Some(cell.read())
    }

    /// What is shared of some kind.
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    pub fn shared(&self, kind: usize) -> Option<Histogram> {
        let guard = rcu::read_lock();
        let _recording = self.record(&guard)?;
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

/// Something is recorded or read: nothing is forgotten meanwhile.
///
/// # Invariants
///
/// RCU is held.
pub struct Recording<'a, const KINDS: usize> {
    pool: &'a Pool<KINDS>,
    _rcu: PhantomData<&'a rcu::Guard>,
}

impl<const KINDS: usize> Recording<'_, KINDS> {
    /// One of some kind took so many nanoseconds.
    #[inline(always)]
    pub fn add(&self, account: Handle, kind: usize, ns: u64) {
        let key = Key::new(account, kind);
        match self.pool.table().and_then(|table| table.at_home(key)) {
            Some(cell) => cell.add(ns),
            None => self.pool.add_elsewhere(account, kind, ns),
        }
    }

    /// Whether an account has a histogram of some kind.
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    pub fn has(&self, account: Handle, kind: usize) -> bool {
        let key = Key::new(account, kind);
        account.is_counted()
            && self
                .pool
                .table()
                .is_some_and(|table| table.find(key).is_some())
    }

    /// Takes a histogram of some kind for an account; `false` where it shares one.
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    pub fn take(&self, account: Handle, kind: usize) -> bool {
        self.pool.own(account, kind).is_some()
    }

    /// The same as [`Self::add()`] of what lives long, the sum of which may have an end; of those that share where it has no account.
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    pub fn add_long(&self, account: Option<Handle>, kind: usize, ns: u64) {
        let own = account.and_then(|account| self.pool.own(account, kind));
        if let Some(cell) = own.or(self.pool.shared.get(kind)) {
            cell.add_long(ns);
        }
    }

    /// One more of some kind, of those that share.
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    pub fn add_shared(&self, kind: usize) {
        if let Some(cell) = self.pool.shared.get(kind) {
            cell.add(0);
        }
    }
}
