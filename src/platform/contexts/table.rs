// SPDX-License-Identifier: GPL-2.0-only

//! Places for contexts, in chains by their hashes.

use super::{
    entry::{Entry, Link, State},
    lock,
    stripe::Stripe,
};
use crate::{
    model::{
        context::{Key, Seed},
        handle::Handle,
    },
    platform::{published, resched, tidying},
};
use core::{
    ops::Range,
    ptr::{with_exposed_provenance, NonNull},
    slice::from_raw_parts,
};
use kernel::{
    alloc::AllocError,
    alloc_hooks,
    prelude::*,
    sync::atomic::{Atomic, Relaxed, Release},
};

/// Most stripes of a context, so that it is no larger on any machine; and fewest, so that there are two halves.
const STRIPES: [usize; 2] = [16, 2];

/// How many contexts there have been, in all tables; changes under the lock.
static BORN: Atomic<u32> = Atomic::new(0);

/// Room for so many contexts.
///
/// # Invariants
///
/// Links lead to entries of this table. An entry's stripes are as many as the table says, and the chains too; none of them
/// moves.
pub struct Table {
    entries: KVVec<Entry>,
    /// As many for each entry, one entry's behind the other's, which knows where its own are.
    _stripes: KVVec<Stripe>,
    /// How many, less one: a power of two.
    last_stripe: usize,
    seed: Seed,
    /// For each remainder of a hash, the link to the first entry of its chain.
    chains: KVVec<Atomic<Link>>,
    /// How many, less one: a power of two.
    last_chain: usize,
    /// The link to the first entry that is free; changes under the lock.
    free: Atomic<Link>,
    /// How many are free; changes under the lock.
    left: Atomic<usize>,
    /// From this place on there has never been a context; changes under the lock.
    unused: Atomic<usize>,
}

/// What objects keep of the context at a place.
pub(super) const fn handle_of(place: usize) -> Handle {
    Handle::from_word(Handle::MASK - place as u32)
}

/// The place of the context of which objects keep that.
#[inline(always)]
pub(super) const fn place_of(handle: Handle) -> usize {
    (Handle::MASK - handle.get()) as usize
}

/// So many of them, each made anew. May sleep.
fn filled<T>(length: usize, make: impl Fn(usize) -> T) -> Result<KVVec<T>, AllocError> {
    let mut vector = alloc_hooks!(KVVec::with_capacity(length, GFP_KERNEL))?;
    for index in 0..length {
        resched::at_step(index as u64);
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
        let count = cpus.next_power_of_two().min(STRIPES[0]).max(STRIPES[1]);
        let stripes = filled(capacity * count, |_| Stripe::new())?;
        let entries = filled(capacity, |place| {
            let first = stripes.as_ptr().wrapping_add(place * count);
            // SAFETY: It is within the stripes, which are somewhere.
            Entry::new(handle_of(place), unsafe {
                NonNull::new_unchecked(first.cast_mut())
            })
        })?;
        for (entry, next) in entries.iter().zip(entries.iter().skip(1)) {
            entry.link().store(next.address(), Relaxed);
        }
        // SAFETY: May be called at any time.
        let random = || unsafe { kernel::bindings::get_random_u64() };
        // INVARIANT: By the above, and since what is in vectors moves with them no more than with this.
        let table = Self {
            free: Atomic::new(entries.first().map_or(0, Entry::address)),
            entries,
            _stripes: stripes,
            last_stripe: count - 1,
            seed: [random(), random()],
            chains: filled(capacity, |_| Atomic::new(0))?,
            last_chain: capacity - 1,
            left: Atomic::new(capacity),
            unused: Atomic::new(0),
        };
        alloc_hooks!(KBox::new(table, GFP_KERNEL))
    }

    /// The first of the handles of a table of that capacity.
    pub const fn first_handle(capacity: usize) -> usize {
        handle_of(capacity - 1).index()
    }

    /// Where the entries are, and how many stripes each has, less one.
    pub(super) fn layout(&self) -> (usize, usize) {
        let entries = self.entries.as_ptr().expose_provenance();
        (entries, self.last_stripe)
    }

    /// How many contexts there can be.
    pub fn capacity(&self) -> usize {
        self.entries.len()
    }

    /// The places where there may be contexts: those that came first are first.
    pub fn places(&self) -> Range<usize> {
        0..self.unused.load(Relaxed)
    }

    /// Whether room should be made: less than an eighth is left.
    pub fn is_scarce(&self) -> bool {
        self.left() < self.capacity() / 8
    }

    /// How many more there can be.
    pub fn left(&self) -> usize {
        self.left.load(Relaxed)
    }

    /// The entry at a place.
    #[inline(always)]
    pub(super) fn entry(&self, place: usize) -> Option<&Entry> {
        self.entries.get(place)
    }

    /// The counters of an entry.
    pub(super) fn stripes<'a>(&'a self, entry: &'a Entry) -> &'a [Stripe] {
        // SAFETY: It has so many, by the type's invariant.
        unsafe { from_raw_parts(entry.stripes().as_ptr(), self.last_stripe + 1) }
    }

    /// Those for the use of a CPU.
    #[inline(always)]
    pub(super) fn stripe<'a>(&'a self, entry: &'a Entry, cpu: usize) -> &'a Stripe {
        // SAFETY: It has one more than the last, by the type's invariant.
        unsafe { entry.stripes().add(cpu & self.last_stripe).as_ref() }
    }

    /// Those of an entry whose objects stand for others: the first half counts objects, the other one what they stand for.
    pub(super) fn halves<'a>(&'a self, entry: &'a Entry) -> (&'a [Stripe], &'a [Stripe]) {
        let stripes = self.stripes(entry);
        stripes.split_at(stripes.len() / 2)
    }

    /// The hash of a key here.
    #[inline(always)]
    pub(super) fn hash(&self, key: &Key<'_>) -> u32 {
        key.hash(self.seed)
    }

    #[inline(always)]
    fn chain(&self, hash: u32) -> &Atomic<Link> {
        // SAFETY: No more than the last, whose number is that by the type's invariant.
        unsafe { self.chains.get_unchecked(hash as usize & self.last_chain) }
    }

    /// The entry to which a link leads.
    #[inline(always)]
    fn followed(&self, link: Link) -> Option<&Entry> {
        // SAFETY: It is 0 or that of an entry, by the type's invariant.
        unsafe { with_exposed_provenance::<Entry>(link).as_ref() }
    }

    /// The entry of the context with that key and its hash, if there is one.
    #[inline(always)]
    pub(super) fn seek(&self, hash: u32, key: &Key<'_>) -> Option<&Entry> {
        let mut entry = self.followed(published::load(self.chain(hash)))?;
        while !entry.is(hash, key) {
            entry = self.followed(entry.next())?;
        }
        Some(entry)
    }

    /// The same, and makes it where there is none; `None` where that cannot be done. Has room made where that is scarce.
    #[cold]
    #[inline(never)]
    pub(super) fn make_for(&self, hash: u32, key: &Key<'_>) -> Option<&Entry> {
        if self.is_scarce() {
            tidying::ask();
        }
        if self.left() == 0 {
            // Until there is room, none of the many that find none waits for the others.
            return None;
        }
        let _guard = lock::lock()?;
        // Another CPU may have been faster.
        if let Some(entry) = self.seek(hash, key) {
            return Some(entry);
        }
        let free = self.free.load(Relaxed);
        let (entry, chain) = (self.followed(free)?, self.chain(hash));
        self.free.store(entry.next(), Relaxed);
        self.left.add(1usize.wrapping_neg(), Relaxed);
        let unused = self.unused.load(Relaxed);
        self.unused
            .store(unused.max(place_of(entry.handle()) + 1), Relaxed);
        let born = BORN.load(Relaxed).wrapping_add(1);
        BORN.store(born, Relaxed);
        // SAFETY: It was free, and the lock is held.
        unsafe { entry.begin(born, hash, key, chain.load(Relaxed)) };
        // Release: who finds the entry finds its key.
        chain.store(free, Release);
        Some(entry)
    }

    /// Takes the context of an entry out of its chain. Called by one task at a time.
    pub(super) fn unlink(&self, wanted: &Entry) {
        let Some(_guard) = lock::lock() else { return };
        if wanted.state() != State::Linked {
            return;
        }
        // SAFETY: It is linked, and only this task would free it.
        let mut before = self.chain(unsafe { wanted.key() }.hash());
        while let Some(entry) = self.followed(before.load(Relaxed)) {
            if core::ptr::eq(entry, wanted) {
                before.store(entry.next(), Relaxed);
                break;
            }
            before = entry.link();
        }
        wanted.leave(None);
    }

    /// Frees an entry whose context nobody has any more. Called by one task at a time.
    pub(super) fn free(&self, entry: &Entry) {
        self.stripes(entry).iter().for_each(Stripe::clear);
        let Some(_guard) = lock::lock() else { return };
        entry.end(self.free.load(Relaxed));
        self.free.store(entry.address(), Relaxed);
        self.left.add(1, Relaxed);
    }
}
