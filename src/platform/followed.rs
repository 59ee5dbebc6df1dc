// SPDX-License-Identifier: GPL-2.0-only

//! What is followed from its allocation until it is freed.
//!
//! It keeps a handle of its own in the place of that of its account or context, which is kept here; so nobody seeks anything, and
//! only who frees such an object comes here. A handle is in one reference at a time, and its place in the table is that object's:
//! taken by a compare-and-exchange, in any context, and given back by whoever takes the reference away. What is overwritten or
//! lost while nothing is counted keeps its place for ever.
//!
//! The table stays for ever once it is made, so that nobody has to be waited for. Its handles are given to others while nobody wants
//! anything followed and nothing is.

use super::{log::Warning, published, resched};
use crate::model::{capacity::Capacity, handle::Handle};
use core::{
    mem::size_of,
    ptr::{from_ref, with_exposed_provenance},
    slice::from_raw_parts,
};
use kernel::{
    alloc_hooks,
    prelude::*,
    sync::{
        atomic::{Acquire, Atomic, Relaxed, Release},
        barrier::{smp_mb, Write},
        rcu,
    },
};

/// How many there can be unless somebody asks for others: these take 256 KiB.
const DEFAULT: u32 = 1 << 14;

/// How many there can be at most: the half of the handles that contexts do not have is for accounts as well.
const MOST: u32 = Capacity::MOST / 2;

/// How many the table has, once it is made.
static CAPACITY: Atomic<u32> = Atomic::new(DEFAULT);

/// From now on the table has so many, unless it is there already; `false` where these are too many.
pub fn set_capacity(capacity: Capacity) -> bool {
    let can_be = capacity.get() <= MOST;
    if can_be {
        CAPACITY.store(capacity.get(), Relaxed);
    }
    can_be
}

/// At how many places is looked for one that is free.
const REACH: usize = 64;

/// Stands for a time: nobody is here, or somebody is about to be.
const FREE: u64 = 0;
const TAKEN: u64 = 1;

/// A place.
struct Entry {
    /// When it was allocated, in nanoseconds; or one of the above.
    since: Atomic<u64>,
    /// What it would keep if it were not followed.
    kept: Atomic<u32>,
    /// The account of its call site; none once its lifetime is not to be measured any more.
    site: Atomic<u32>,
}

/// The handles that are here: from this one on, so many; none while nobody may have them.
static LOWEST: Atomic<usize> = Atomic::new(0);
static LENGTH: Atomic<usize> = Atomic::new(0);
/// Where the places are; 0 before there are some.
static ENTRIES: Atomic<usize> = Atomic::new(0);
/// From this place on there has never been anything.
static UNUSED: Atomic<usize> = Atomic::new(0);

/// Makes the table for what follows, unless it is there. Returns the first of its handles, which are the last before a handle. One
/// task at a time; may sleep.
///
/// # Errors
///
/// `ENOMEM`; `ENOSPC` where there are not so many handles.
pub fn make(behind: usize) -> Result<usize> {
    let length = CAPACITY.load(Relaxed) as usize;
    let first = behind.checked_sub(length).ok_or(ENOSPC)?;
    if ENTRIES.load(Relaxed) == 0 {
        let mut entries = alloc_hooks!(KVVec::with_capacity(length, GFP_KERNEL))?;
        for step in 0..length {
            resched::at_step(step as u64);
            let entry = Entry {
                since: Atomic::new(FREE),
                kept: Atomic::new(0),
                site: Atomic::new(0),
            };
            entries.push_within_capacity(entry).map_err(|_| ENOMEM)?;
        }
        let entries = core::mem::ManuallyDrop::new(entries);
        ENTRIES.store(entries.as_ptr().expose_provenance(), Relaxed);
    }
    Ok(first)
}

/// The handles from one on are those of the table while this lives.
///
/// # Invariants
///
/// There is one at a time, and nobody else has these handles.
pub struct Handles(());

impl Handles {
    /// From now on they are. May sleep.
    ///
    /// # Safety
    ///
    /// [`make()`] has returned the first, nobody has one of them, nobody gets one while this lives, and there is no other.
    pub unsafe fn publish(first: usize) -> Self {
        LOWEST.store(first, Relaxed);
        // Release: who finds how many there are finds the rest.
        LENGTH.store(CAPACITY.load(Relaxed) as usize, Release);
        // As for contexts: who finds one of these handles in what he frees finds that it is one.
        rcu::synchronize_rcu();
        // INVARIANT: By the caller's promise.
        Self(())
    }
}

impl Drop for Handles {
    /// Nothing is followed any more. May sleep.
    fn drop(&mut self) {
        LENGTH.store(0, Relaxed);
        // Who has found that there are some has looked at a reference of before, and not at one of whoever gets a handle next.
        rcu::synchronize_rcu();
    }
}

/// All places.
fn entries() -> &'static [Entry] {
    // Pairs with the Release of `Handles::publish()`.
    let length = published::load(&LENGTH);
    if length == 0 {
        return &[];
    }
    // SAFETY: There are so many, for ever: a capacity is not changed once there are handles.
    unsafe { from_raw_parts(with_exposed_provenance(published::load(&ENTRIES)), length) }
}

/// Those that were ever taken.
fn used() -> &'static [Entry] {
    entries().get(..UNUSED.load(Relaxed)).unwrap_or_default()
}

/// Whether nothing is followed. May sleep.
pub fn is_empty() -> bool {
    used().iter().enumerate().all(|(step, entry)| {
        resched::at_step(step as u64);
        // Acquire: all that was done there has been done.
        entry.since.load(Acquire) == FREE
    })
}

/// Looks at all that is followed: at the call site's account, and since when. May sleep.
pub fn each(mut look: impl FnMut(Followed, Handle, u64)) {
    for (step, entry) in used().iter().enumerate() {
        resched::at_step(step as u64);
        let since = published::load_count(&entry.since);
        // Acquire: before the time is looked at once more.
        let site = Handle::from_word(entry.site.load(Acquire));
        // Both are of the same, unless another one has come within the same nanosecond.
        let is_same = published::load_count(&entry.since) == since;
        if since > TAKEN && is_same && site.is_counted() {
            look(Followed(entry), site, since);
        }
    }
}

/// Something that is followed.
#[derive(Clone, Copy)]
pub struct Followed(&'static Entry);

impl Followed {
    /// Begins to follow what an account's call site has allocated at a time and that keeps something; `None` where no place is
    /// found. Places are looked for from one on that `random` says. In any context.
    pub fn begin(site: Handle, kept: Handle, now: u64, random: u64) -> Option<Self> {
        let entries = entries();
        let last = entries.len().checked_sub(1)?;
        for step in 0..REACH.min(entries.len()) {
            // There are 2^n.
            let place = (random as usize).wrapping_add(step) & last;
            let entry = entries.get(place)?;
            if entry.since.load(Relaxed) != FREE
                || entry.since.cmpxchg(FREE, TAKEN, Acquire).is_err()
            {
                continue;
            }
            raise(place + 1);
            entry.kept.store(kept.get(), Relaxed);
            // Release: who finds it does not find the time of what was here before.
            entry.site.store(site.get(), Release);
            // Release: who finds the time finds the rest.
            entry.since.store(now.max(TAKEN + 1), Release);
            return Some(Self(entry));
        }
        None
    }

    /// What has that handle, if it is one of these.
    #[inline(always)]
    pub fn of(handle: Handle) -> Option<Self> {
        // In this order: who finds how many there are finds from where on. Pairs with the Release of
        // `Handles::publish()`.
        let length = published::load(&LENGTH);
        let place = handle.index().wrapping_sub(published::load(&LOWEST));
        if place >= length {
            return None;
        }
        entries().get(place).map(Self)
    }

    /// What it keeps.
    pub fn handle(self) -> Handle {
        let distance = from_ref(self.0).addr() - entries().as_ptr().addr();
        Handle::from_word((LOWEST.load(Relaxed) + distance / size_of::<Entry>()) as u32)
    }

    /// What it would keep.
    pub fn kept(self) -> Handle {
        Handle::from_word(self.0.kept.load(Relaxed))
    }

    /// From now on it would keep that.
    pub fn keep(self, kept: Handle) {
        self.0.kept.store(kept.get(), Relaxed);
    }

    /// Its lifetime is not to be measured any more.
    pub fn leave(self) {
        self.0.site.store(Handle::NONE.get(), Relaxed);
    }

    /// It ends, and nobody has its handle any more. Returns the account of its call site, if its lifetime is to be measured, and
    /// since when it was there.
    pub fn end(self) -> (Handle, u64) {
        static ENDED: Warning =
            Warning::new(c"what was followed has ended twice: a reference was overwritten");

        let site = Handle::from_word(self.0.site.load(Relaxed));
        let since = published::load_count(&self.0.since);
        if since <= TAKEN {
            // The place is nobody's, or somebody else's soon.
            ENDED.say();
            return (Handle::NONE, since);
        }
        // Release: the place is somebody else's from here on.
        self.0.since.store(FREE, Release);
        // Seen before the account is idle and another call site's, in whose ages this would be. Pairs with what gives it away.
        smp_mb(Write);
        (site, since)
    }
}

/// Says that places before that one have been taken.
fn raise(place: usize) {
    let mut unused = UNUSED.load(Relaxed);
    while unused < place {
        match UNUSED.cmpxchg(unused, place, Relaxed) {
            Ok(_) => return,
            Err(now) => unused = now,
        }
    }
}
