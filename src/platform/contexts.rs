// SPDX-License-Identifier: GPL-2.0-only

//! The table of contexts.
//!
//! An allocation looks its context up without a lock, and makes it under one where there is none yet. What is found is there
//! as long as the RCU guard that it was found under, or as something lives that names it. Whoever takes contexts away unlinks
//! them first, marks those that are idle, waits until all hooks that run have ended, and then takes those that are idle still.
//! What was charged meanwhile stays, unlinked, until its last object goes.
//!
//! The table is made when the first call site is chosen, and never on the way of an allocation.

mod entry;
mod lock;
mod stripe;

use super::published;
use crate::model::{
    context::{Kept, Key},
    handle::Handle,
    reference::Reference,
    totals::Totals,
};
use core::{
    ops::Deref,
    ptr::{with_exposed_provenance, NonNull},
};
use entry::{Entry, State};
use kernel::{
    alloc::AllocError,
    alloc_hooks,
    prelude::*,
    sync::{
        atomic::{Acquire, Atomic, Relaxed, Release},
        rcu,
    },
};
use stripe::Stripe;

/// Most stripes of a context, so that it is no larger on any machine.
const STRIPES: usize = 16;

/// Where the table is; 0 while there is none.
static TABLE: Atomic<usize> = Atomic::new(0);

/// The handles of contexts: these, and all above. While there is no table, there are none.
static LOWEST: Atomic<usize> = Atomic::new(usize::MAX);

/// Room for so many contexts.
pub struct Table {
    entries: KVVec<Entry>,
    /// As many for each entry, one entry's behind the other's.
    stripes: KVVec<Stripe>,
    /// How many for each entry; a power of two.
    each: usize,
    /// What hashes begin with, so that nobody can have all contexts in one chain.
    seed: u64,
    /// For each remainder of a hash, the link to the first entry of its chain.
    chains: KVVec<Atomic<u32>>,
    /// The link to the first entry that is free; changes under the lock.
    free: Atomic<u32>,
    /// How many are free; changes under the lock.
    left: Atomic<usize>,
}

/// An entry's place plus 1, or 0 at the end.
type Link = u32;

fn place_of(link: Link) -> Option<usize> {
    (link as usize).checked_sub(1)
}

/// So many of them, each made anew.
fn filled<T>(length: usize, make: impl Fn(usize) -> T) -> Result<KVVec<T>, AllocError> {
    let mut vector = alloc_hooks!(KVVec::with_capacity(length, GFP_KERNEL))?;
    for index in 0..length {
        vector
            .push_within_capacity(make(index))
            .map_err(|_| AllocError)?;
    }
    Ok(vector)
}

impl Table {
    /// Room for `capacity` contexts, a power of two. May sleep.
    ///
    /// # Errors
    ///
    /// [`AllocError`]
    pub fn make(capacity: usize) -> Result<KBox<Self>, AllocError> {
        let cpus = kernel::cpu::nr_cpu_ids() as usize;
        let each = cpus.next_power_of_two().min(STRIPES);
        let table = Self {
            // Each leads to the next, and the last to none.
            entries: filled(capacity, |index| {
                Entry::new(((index + 2) % (capacity + 1)) as Link)
            })?,
            stripes: filled(capacity * each, |_| Stripe::new())?,
            each,
            // SAFETY: May be called at any time.
            seed: unsafe { kernel::bindings::get_random_u64() },
            chains: filled(capacity, |_| Atomic::new(0))?,
            free: Atomic::new(1),
            left: Atomic::new(capacity),
        };
        alloc_hooks!(KBox::new(table, GFP_KERNEL))
    }

    /// The first of the handles of a table of that capacity.
    pub const fn first_handle(capacity: usize) -> usize {
        Handle::MASK as usize + 1 - capacity
    }

    /// The table, if there is one.
    pub fn get(_guard: &rcu::Guard) -> Option<&Self> {
        // SAFETY: By the guard, who takes it away waits as long.
        unsafe { Self::at(published::load(&TABLE)) }
    }

    /// The table at an address.
    ///
    /// # Safety
    ///
    /// `address` is 0 or where a table is, which outlives `'a`.
    unsafe fn at<'a>(address: usize) -> Option<&'a Self> {
        // SAFETY: By the caller's promise.
        unsafe { with_exposed_provenance::<Self>(address).as_ref() }
    }

    /// How many contexts there can be.
    pub fn capacity(&self) -> usize {
        self.entries.len()
    }

    /// Whether room should be made: less than an eighth is left.
    #[inline]
    pub fn is_scarce(&self) -> bool {
        self.left() < self.capacity() / 8
    }

    /// How many more there can be.
    pub fn left(&self) -> usize {
        self.left.load(Relaxed)
    }

    /// The context with that key and its hash, if there is one.
    fn find(&self, hash: u32, key: &Key<'_>) -> Option<Context<'_>> {
        let mut link = self.chain(hash)?.load(Acquire);
        while let Some(place) = place_of(link) {
            let entry = self.entries.get(place)?;
            if entry.is(hash, key) {
                return Some(Context { table: self, place });
            }
            link = entry.next();
        }
        None
    }

    /// The context with that key, which is made where there is none; `None` where there is no room, and in an NMI that cannot
    /// wait for others.
    pub fn find_or_make(&self, key: &Key<'_>) -> Option<Context<'_>> {
        let hash = key.hash(self.seed);
        self.find(hash, key).or_else(|| self.make_for(hash, key))
    }

    #[cold]
    #[inline(never)]
    fn make_for(&self, hash: u32, key: &Key<'_>) -> Option<Context<'_>> {
        let _guard = lock::lock()?;
        // Another CPU may have been faster.
        if let Some(context) = self.find(hash, key) {
            return Some(context);
        }
        let free = self.free.load(Relaxed);
        let place = place_of(free)?;
        let (entry, chain) = (self.entries.get(place)?, self.chain(hash)?);
        self.free.store(entry.next(), Relaxed);
        self.left.add(1usize.wrapping_neg(), Relaxed);
        // SAFETY: It was free, and the lock is held.
        unsafe { entry.begin(hash, key, chain.load(Relaxed)) };
        // Release: who finds the entry finds its key.
        chain.store(free, Release);
        Some(Context { table: self, place })
    }

    fn chain(&self, hash: u32) -> Option<&Atomic<Link>> {
        self.chains.get(hash as usize & (self.chains.len() - 1))
    }

    /// The context at a place, if there is one.
    pub fn context(&self, place: usize) -> Option<Context<'_>> {
        let is_there = self.entries.get(place)?.state() != State::Free;
        is_there.then_some(Context { table: self, place })
    }

    /// Takes a context out of its chain: nobody finds it any more. Called by one task at a time.
    pub fn unlink(&self, context: Context<'_>) {
        let (Some(entry), Some(_guard)) = (self.entries.get(context.place), lock::lock()) else {
            return;
        };
        if entry.state() != State::Linked {
            return;
        }
        let Some(mut before) = self.chain(entry.hash()) else {
            return;
        };
        while let Some(place) = place_of(before.load(Relaxed)) {
            let Some(next) = self.entries.get(place) else {
                return;
            };
            if place == context.place {
                before.store(next.next(), Relaxed);
                break;
            }
            before = next.link();
        }
        entry.leave(false);
    }

    /// Marks a context that was unlinked, if it is idle; `false` where it is not so. Called by one task at a time.
    pub fn mark(&self, context: Context<'_>) -> bool {
        let Some(entry) = self.entries.get(context.place) else {
            return false;
        };
        let idle = entry.state() != State::Linked && context.is_idle();
        if idle {
            entry.leave(true);
        }
        idle
    }

    /// Frees a context that was marked, if it has been idle since. All hooks that ran then have ended: who had found it before
    /// it was unlinked, and who takes the last away from what was freed meanwhile. Called by one task at a time.
    pub fn free(&self, context: Context<'_>) {
        let Some(entry) = self.entries.get(context.place) else {
            return;
        };
        if entry.state() != State::Leaving {
            return;
        }
        if !context.is_idle() {
            return entry.leave(false);
        }
        context.stripes().iter().for_each(Stripe::clear);
        let Some(_guard) = lock::lock() else { return };
        entry.end(self.free.load(Relaxed));
        self.free.store(context.place as Link + 1, Relaxed);
        self.left.add(1, Relaxed);
    }
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
    /// Lets allocations find a table. There is no other.
    pub fn new(table: KBox<Table>) -> Self {
        LOWEST.store(Table::first_handle(table.capacity()), Relaxed);
        let table = NonNull::from(KBox::leak(table));
        // Release: who finds the table finds it made up.
        TABLE.store(table.as_ptr().expose_provenance(), Release);
        // INVARIANT: By the store, and by the caller's promise.
        Self(table)
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
        TABLE.store(0, Relaxed);
        LOWEST.store(usize::MAX, Relaxed);
        rcu::synchronize_rcu();
        // SAFETY: `new()` leaked it, and nobody has it any more.
        drop(unsafe { KBox::from_raw(self.0.as_ptr()) });
    }
}

/// A context.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    table: &'a Table,
    place: usize,
}

impl<'a> Context<'a> {
    /// The context that something names which lives, if it names one.
    #[inline(always)]
    pub fn of(handle: Handle) -> Option<Self> {
        if handle.index() < published::load(&LOWEST) {
            return None;
        }
        // SAFETY: A context is not taken away as long as something lives that names it, nor is the table.
        let table = unsafe { Table::at(published::load(&TABLE)) }?;
        let place = (Handle::MASK - handle.get()) as usize;
        Some(Self { table, place })
    }

    /// What objects keep of it.
    pub fn handle(self) -> Handle {
        Handle::from_word(Handle::MASK - self.place as u32)
    }

    /// What tells it apart.
    pub fn key(self) -> Option<Key<'a>> {
        self.kept().map(Kept::key)
    }

    /// The account of its call site.
    #[inline(always)]
    pub fn site(self) -> Option<Handle> {
        self.kept().map(Kept::site)
    }

    #[inline(always)]
    fn kept(self) -> Option<&'a Kept> {
        // SAFETY: It was found linked, and does not change before whoever has found it has let go of it.
        Some(unsafe { self.table.entries.get(self.place)?.key() })
    }

    /// Whether allocations find it.
    pub fn is_linked(self) -> bool {
        let entry = self.table.entries.get(self.place);
        entry.is_some_and(|entry| entry.state() == State::Linked)
    }

    fn stripes(self) -> &'a [Stripe] {
        let first = self.place * self.table.each;
        let stripes = self.table.stripes.get(first..first + self.table.each);
        stripes.unwrap_or_default()
    }

    /// That of this CPU, or of one that it was a moment ago.
    #[inline]
    fn stripe(self) -> Option<&'a Stripe> {
        // SAFETY: Any CPU will do.
        let cpu = unsafe { kernel::bindings::raw_smp_processor_id() } as usize;
        let place = self.place * self.table.each + (cpu & (self.table.each - 1));
        self.table.stripes.get(place)
    }

    /// Charges so many bytes of so many objects.
    pub fn give(self, bytes: u64, calls: u64) {
        if let Some(stripe) = self.stripe() {
            stripe.give(bytes, calls);
        }
    }

    /// Takes so many bytes of so many objects back. With the last, it may be gone.
    pub fn take(self, bytes: u64, calls: u64) {
        if let Some(stripe) = self.stripe() {
            stripe.take(bytes, calls);
        }
    }

    /// Takes one object of so many bytes away as if it had never been.
    pub fn undo(self, bytes: u64) {
        if let Some(stripe) = self.stripe() {
            stripe.undo(bytes);
        }
    }

    /// Charges bytes that nobody asked for; wraps around.
    pub fn slack(self, bytes: u64) {
        if let Some(stripe) = self.stripe() {
            stripe.slack(bytes);
        }
    }

    /// What it has, over all CPUs.
    pub fn totals(self) -> Totals {
        Stripe::sum(self.stripes()).totals(Reference::SLACK_SHIFT)
    }

    /// Whether nothing is charged to it.
    pub fn is_idle(self) -> bool {
        let sum = Stripe::sum(self.stripes());
        sum.allocs == sum.frees
    }
}
