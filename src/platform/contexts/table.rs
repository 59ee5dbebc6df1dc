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
    platform::{published, tidying},
};
use core::ops::Range;
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
pub struct Table {
    entries: KVVec<Entry>,
    /// As many for each entry, one entry's behind the other's.
    stripes: KVVec<Stripe>,
    /// How many, less one: a power of two.
    last_stripe: usize,
    seed: Seed,
    /// For each remainder of a hash, the link to the first entry of its chain.
    chains: KVVec<Atomic<Link>>,
    /// The link to the first entry that is free; changes under the lock.
    free: Atomic<Link>,
    /// How many are free; changes under the lock.
    left: Atomic<usize>,
    /// From this place on there has never been a context; changes under the lock.
    unused: Atomic<usize>,
}

/// What objects keep of the context at a place.
#[inline(always)]
pub(super) const fn handle_of(place: usize) -> Handle {
    Handle::from_word(Handle::MASK - place as u32)
}

/// The place of the context of which objects keep that.
#[inline(always)]
pub(super) const fn place_of(handle: Handle) -> usize {
    (Handle::MASK - handle.get()) as usize
}

/// The place to which a link leads.
#[inline(always)]
fn followed(link: Link) -> Option<usize> {
    link.checked_sub(1)
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
        let stripes = cpus.next_power_of_two().min(STRIPES[0]).max(STRIPES[1]);
        // SAFETY: May be called at any time.
        let random = || unsafe { kernel::bindings::get_random_u64() };
        let table = Self {
            // Each leads to the next, and the last to none.
            entries: filled(capacity, |index| Entry::new((index + 2) % (capacity + 1)))?,
            stripes: filled(capacity * stripes, |_| Stripe::new())?,
            last_stripe: stripes - 1,
            seed: [random(), random()],
            chains: filled(capacity, |_| Atomic::new(0))?,
            free: Atomic::new(1),
            left: Atomic::new(capacity),
            unused: Atomic::new(0),
        };
        alloc_hooks!(KBox::new(table, GFP_KERNEL))
    }

    /// The first of the handles of a table of that capacity.
    pub const fn first_handle(capacity: usize) -> usize {
        handle_of(capacity - 1).index()
    }

    /// Where the entries are and where the stripes are, and how many of these an entry has, less one.
    pub(super) fn layout(&self) -> (usize, usize, usize) {
        let entries = self.entries.as_ptr().expose_provenance();
        let stripes = self.stripes.as_ptr().expose_provenance();
        (entries, stripes, self.last_stripe)
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

    /// What is to be had of a place.
    #[inline(always)]
    pub(super) fn entry(&self, place: usize) -> Option<&Entry> {
        self.entries.get(place)
    }

    /// The counters of a place.
    pub(super) fn stripes(&self, place: usize) -> &[Stripe] {
        let first = self.first_stripe(place);
        let stripes = self.stripes.get(first..=first + self.last_stripe);
        stripes.unwrap_or_default()
    }

    /// Those for the use of a CPU.
    #[inline(always)]
    pub(super) fn stripe(&self, place: usize, cpu: usize) -> Option<&Stripe> {
        let of_cpu = cpu & self.last_stripe;
        self.stripes.get(self.first_stripe(place) + of_cpu)
    }

    /// Those of a place whose objects stand for others: the first half counts objects, the other one what they stand for.
    pub(super) fn halves(&self, place: usize) -> (&[Stripe], &[Stripe]) {
        let stripes = self.stripes(place);
        stripes.split_at(stripes.len() / 2)
    }

    #[inline(always)]
    const fn first_stripe(&self, place: usize) -> usize {
        place * (self.last_stripe + 1)
    }

    /// The hash of a key here.
    #[inline(always)]
    pub(super) fn hash(&self, key: &Key<'_>) -> u32 {
        key.hash(self.seed)
    }

    #[inline(always)]
    fn chain(&self, hash: u32) -> Option<&Atomic<Link>> {
        self.chains.get(hash as usize & (self.chains.len() - 1))
    }

    /// The place of the context with that key and its hash, if there is one.
    #[inline(always)]
    pub(super) fn find(&self, hash: u32, key: &Key<'_>) -> Option<usize> {
        let mut link = published::load(self.chain(hash)?);
        while let Some(place) = followed(link) {
            let entry = self.entries.get(place)?;
            if entry.is(hash, key) {
                return Some(place);
            }
            link = entry.next();
        }
        None
    }

    /// The same, and makes it where there is none; `None` where that cannot be done. Has room made where that is scarce.
    #[cold]
    #[inline(never)]
    pub(super) fn make_for(&self, hash: u32, key: Key<'_>) -> Option<usize> {
        if self.is_scarce() {
            tidying::ask();
        }
        let _guard = lock::lock()?;
        // Another CPU may have been faster.
        if let Some(place) = self.find(hash, &key) {
            return Some(place);
        }
        let free = self.free.load(Relaxed);
        let place = followed(free)?;
        let (entry, chain) = (self.entries.get(place)?, self.chain(hash)?);
        self.free.store(entry.next(), Relaxed);
        self.left.add(1usize.wrapping_neg(), Relaxed);
        let unused = self.unused.load(Relaxed);
        self.unused.store(unused.max(free), Relaxed);
        let born = BORN.load(Relaxed).wrapping_add(1);
        BORN.store(born, Relaxed);
        // SAFETY: It was free, and the lock is held.
        unsafe { entry.begin(born, hash, &key, chain.load(Relaxed)) };
        // Release: who finds the entry finds its key.
        chain.store(free, Release);
        Some(place)
    }

    /// Takes the context at a place out of its chain. Called by one task at a time.
    pub(super) fn unlink(&self, wanted: usize) {
        let (Some(entry), Some(_guard)) = (self.entries.get(wanted), lock::lock()) else {
            return;
        };
        if entry.state() != State::Linked {
            return;
        }
        // SAFETY: It is linked, and only this task would free it.
        let Some(mut before) = self.chain(unsafe { entry.key() }.hash()) else {
            return;
        };
        while let Some(place) = followed(before.load(Relaxed)) {
            let Some(next) = self.entries.get(place) else {
                return;
            };
            if place == wanted {
                before.store(next.next(), Relaxed);
                break;
            }
            before = next.link();
        }
        entry.leave(false);
    }

    /// The context at a place is in no chain any more, and may be idle.
    pub(super) fn leave(&self, place: usize, idle: bool) {
        if let Some(entry) = self.entries.get(place) {
            entry.leave(idle);
        }
    }

    /// Frees the context at a place, which nobody has any more. Called by one task at a time.
    pub(super) fn free(&self, place: usize) {
        self.stripes(place).iter().for_each(Stripe::clear);
        let (Some(entry), Some(_guard)) = (self.entries.get(place), lock::lock()) else {
            return;
        };
        entry.end(self.free.load(Relaxed));
        self.free.store(place + 1, Relaxed);
        self.left.add(1, Relaxed);
    }
}
