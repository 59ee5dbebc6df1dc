// SPDX-License-Identifier: GPL-2.0-only

//! A place of the table of contexts.

use super::stripe::Stripe;
use crate::{
    model::{
        context::{Kept, Key},
        handle::Handle,
    },
    platform::{counters::Place, published},
};
use core::{
    cell::UnsafeCell,
    mem::offset_of,
    ptr::{from_ref, NonNull},
};
use kernel::sync::atomic::{Acquire, Atomic, Relaxed, Release};

/// The address of an entry, or 0 at the end of a chain.
pub(super) type Link = usize;

/// What is to be had of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing.
    Free,
    /// A context that allocations find.
    Linked,
    /// One that they find no more.
    Left,
    /// One that was idle when it was looked at, and has been left before: after so many allocations, of which the last bits are
    /// kept.
    Leaving(u32),
}

impl State {
    /// By how many bits the number of allocations is shifted.
    const ALLOCS: u32 = 2;

    /// That of one that was left, and was idle after so many allocations if it was.
    pub(super) fn left(idle_after: Option<u64>) -> Self {
        idle_after.map_or(Self::Left, |allocs| {
            Self::Leaving((allocs as u32) << Self::ALLOCS >> Self::ALLOCS)
        })
    }

    const fn word(self) -> u32 {
        match self {
            Self::Free => 0,
            Self::Linked => 1,
            Self::Left => 2,
            Self::Leaving(allocs) => allocs << Self::ALLOCS | 3,
        }
    }

    const fn from_word(word: u32) -> Self {
        match word {
            0 => Self::Free,
            1 => Self::Linked,
            2 => Self::Left,
            _ => Self::Leaving(word >> Self::ALLOCS),
        }
    }
}

/// A place. What charging looks at lies together.
///
/// # Invariants
///
/// What is of its context changes only while the place is free, under the table's lock, and nobody looks at it then.
#[repr(C)]
pub(super) struct Entry {
    /// How many contexts there had been when this one began.
    born: Atomic<u32>,
    state: Atomic<u32>,
    /// The link to the next of its chain, or of those that are free.
    next: Atomic<Link>,
    /// The first of its stripes.
    stripes: NonNull<Stripe>,
    /// What objects keep.
    handle: Handle,
    context: UnsafeCell<Contents>,
}

/// Where the account of a context's call site has its counters, and what tells the context apart.
#[repr(C)]
struct Contents {
    account: Place,
    key: Kept,
}

// SAFETY: By the type's invariant.
unsafe impl Sync for Entry {}
// SAFETY: Nothing of it is a thread's.
unsafe impl Send for Entry {}

impl Entry {
    /// Where the account of its call site lies, its stripes, and the half of a word that [`Kept::EVERY`] tells of.
    pub(super) const AT: [usize; 3] = {
        let context = offset_of!(Self, context);
        [
            context + offset_of!(Contents, account),
            offset_of!(Self, stripes),
            context + offset_of!(Contents, key) + Kept::EVERY,
        ]
    };

    /// A free one with its stripes, before no others.
    pub(super) fn new(handle: Handle, stripes: NonNull<Stripe>) -> Self {
        Self {
            born: Atomic::new(0),
            state: Atomic::new(State::Free.word()),
            next: Atomic::new(0),
            stripes,
            handle,
            context: UnsafeCell::new(Contents {
                account: Place::of(Handle::NONE),
                key: Kept::NONE,
            }),
        }
    }

    /// The link that leads here.
    pub(super) fn address(&self) -> Link {
        from_ref(self).expose_provenance()
    }

    /// What objects keep of it.
    #[inline(always)]
    pub(super) fn handle(&self) -> Handle {
        self.handle
    }

    /// The first of its stripes.
    #[inline(always)]
    pub(super) fn stripes(&self) -> NonNull<Stripe> {
        self.stripes
    }

    /// What is to be had of it.
    pub(super) fn state(&self) -> State {
        // Pairs with the Release of `begin()`.
        State::from_word(self.state.load(Acquire))
    }

    /// The link to the next one.
    #[inline(always)]
    pub(super) fn next(&self) -> Link {
        published::load(&self.next)
    }

    /// Where that stands.
    pub(super) fn link(&self) -> &Atomic<Link> {
        &self.next
    }

    /// How many contexts there had been when this one began, itself included.
    pub(super) fn born(&self) -> u32 {
        self.born.load(Relaxed)
    }

    /// Whether it has that key; it was found in a chain.
    #[inline(always)]
    pub(super) fn is(&self, hash: u32, key: &Key<'_>) -> bool {
        // SAFETY: It was linked when it was found, and is not free before whoever has found it lets go of it.
        unsafe { self.key() }.is(key, hash)
    }

    /// Its key.
    ///
    /// # Safety
    ///
    /// It is not free, nor becomes so as long as the key is used.
    #[inline(always)]
    pub(super) unsafe fn key(&self) -> &Kept {
        // SAFETY: By the caller's promise and the type's invariant.
        unsafe { &(*self.context.get()).key }
    }

    /// Where the account of its call site has its counters.
    ///
    /// # Safety
    ///
    /// As for [`key()`](Self::key).
    #[inline(always)]
    pub(super) unsafe fn account(&self) -> Place {
        // SAFETY: By the caller's promise and the type's invariant.
        unsafe { (*self.context.get()).account }
    }

    /// A context begins, before others of its chain.
    ///
    /// # Safety
    ///
    /// It is free and in no chain, and the table's lock is held.
    pub(super) unsafe fn begin(&self, born: u32, hash: u32, key: &Key<'_>, next: Link) {
        // SAFETY: Nobody looks, by the caller's promise and the type's invariant.
        let context = unsafe { &mut *self.context.get() };
        context.account = Place::of(key.site());
        context.key.set(key, hash);
        self.born.store(born, Relaxed);
        self.next.store(next, Relaxed);
        // Release: who finds that it is there finds its key.
        self.state.store(State::Linked.word(), Release);
    }

    /// It is in no chain any more, and was idle after so many allocations if it was.
    pub(super) fn leave(&self, idle_after: Option<u64>) {
        self.state.store(State::left(idle_after).word(), Relaxed);
    }

    /// It is free, before others that are.
    pub(super) fn end(&self, next: Link) {
        self.next.store(next, Relaxed);
        self.state.store(State::Free.word(), Relaxed);
    }
}
