// SPDX-License-Identifier: GPL-2.0-only

//! The table of contexts that allocations find.

use super::{entry::Entry, table::Table};
use crate::{model::handle::Handle, platform::published};
use core::{
    mem::size_of,
    ops::Deref,
    ptr::{with_exposed_provenance, NonNull},
};
use kernel::{
    prelude::*,
    sync::{
        atomic::{Atomic, Relaxed, Release},
        rcu,
    },
};

/// What there is to know of the table.
#[repr(C)]
pub struct Found {
    /// The handles of contexts: this, and all above. While there is no table, there are none.
    pub lowest: Atomic<usize>,
    /// Where it is; 0 while there is none.
    table: Atomic<usize>,
    /// Where the entry of handle 0 would be. That of a handle is by as many entries before it.
    pub behind: Atomic<usize>,
    /// How many stripes an entry has, less one.
    pub last_stripe: Atomic<usize>,
}

/// The same for everybody.
pub static FOUND: Found = Found {
    lowest: Atomic::new(usize::MAX),
    table: Atomic::new(0),
    behind: Atomic::new(0),
    last_stripe: Atomic::new(0),
};

/// The table, if a handle is that of a context.
///
/// # Safety
///
/// The table outlives `'a`.
#[inline(always)]
pub(super) unsafe fn table_of<'a>(handle: Handle) -> Option<&'a Table> {
    if handle.index() < published::load(&FOUND.lowest) {
        return None;
    }
    // SAFETY: By the caller's promise.
    unsafe { table() }
}

/// # Safety
///
/// As for [`table_of()`].
#[inline(always)]
unsafe fn table<'a>() -> Option<&'a Table> {
    // SAFETY: It is 0 or where the table is, by the caller's promise.
    unsafe { with_exposed_provenance::<Table>(published::load(&FOUND.table)).as_ref() }
}

/// The table that allocations find.
///
/// # Invariants
///
/// Points to it; there is one.
pub struct Published(NonNull<Table>);

// SAFETY: It is a table, which is shared with everybody.
unsafe impl Send for Published {}
// SAFETY: Likewise.
unsafe impl Sync for Published {}

impl Published {
    /// Lets allocations find a table. There is no other. May sleep.
    pub fn new(table: KBox<Table>) -> Self {
        let (entries, last_stripe) = table.layout();
        let behind = entries + Handle::MASK as usize * size_of::<Entry>();
        FOUND.behind.store(behind, Relaxed);
        FOUND.last_stripe.store(last_stripe, Relaxed);
        FOUND
            .lowest
            .store(Table::first_handle(table.capacity()), Relaxed);
        let table = NonNull::from(KBox::leak(table));
        // Release: who finds the table finds it made up.
        FOUND
            .table
            .store(table.as_ptr().expose_provenance(), Release);
        // Who frees something finds a handle in it, and then, not ordered by that, whose it is. There is no handle before every
        // CPU has been through a barrier.
        rcu::synchronize_rcu();
        // INVARIANT: By the store, and by the caller's promise.
        Self(table)
    }

    /// The table, if there is one.
    #[inline(always)]
    pub fn get(_guard: &rcu::Guard) -> Option<&Table> {
        // SAFETY: By the guard, who takes it away waits as long.
        unsafe { table() }
    }
}

impl Deref for Published {
    type Target = Table;

    fn deref(&self) -> &Table {
        // SAFETY: By the type's invariant.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for Published {
    /// Nothing is charged to a context any more, nor will be. May sleep.
    fn drop(&mut self) {
        FOUND.table.store(0, Relaxed);
        FOUND.lowest.store(usize::MAX, Relaxed);
        rcu::synchronize_rcu();
        // SAFETY: `new()` leaked it, and nobody has it any more.
        drop(unsafe { KBox::from_raw(self.0.as_ptr()) });
    }
}
