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
mod published;
mod stripe;
mod table;

use crate::{
    model::{
        context::{Kept, Key},
        handle::Handle,
        reference::Reference,
        totals::Totals,
    },
    platform::cpu,
};
use entry::{Entry, State};
pub use published::Published;
use stripe::Stripe;
pub use table::Table;

/// A context.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    table: &'a Table,
    place: usize,
}

impl Table {
    /// The context with that key, which is made where there is none; `None` where there is no room, and in an NMI that cannot
    /// wait for others.
    #[inline(always)]
    pub fn find_or_make(&self, key: Key<'_>) -> Option<Context<'_>> {
        let hash = self.hash(&key);
        let place = match self.find(hash, &key) {
            Some(place) => place,
            // A copy, so that the key need not be in memory for the many that are found.
            None => self.make_for(hash, key)?,
        };
        Some(Context { table: self, place })
    }

    /// The context at a place, if there is one.
    pub fn context(&self, place: usize) -> Option<Context<'_>> {
        let is_there = self.entry(place)?.state() != State::Free;
        is_there.then_some(Context { table: self, place })
    }
}

impl<'a> Context<'a> {
    /// The context that something names which lives, if it names one.
    #[inline(always)]
    pub fn of(handle: Handle) -> Option<Self> {
        // SAFETY: A context is not taken away as long as something lives that names it, nor is the table.
        let table = unsafe { published::table_of(handle) }?;
        Some(Self {
            table,
            place: table::place_of(handle),
        })
    }

    /// What objects keep of it.
    #[inline(always)]
    pub fn handle(self) -> Handle {
        table::handle_of(self.place)
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
        Some(unsafe { self.table.entry(self.place)?.key() })
    }

    fn state(self) -> State {
        let entry = self.table.entry(self.place);
        entry.map_or(State::Free, Entry::state)
    }

    /// Whether allocations find it.
    pub fn is_linked(self) -> bool {
        self.state() == State::Linked
    }

    /// Takes it out of its chain: nobody finds it any more. Called by one task at a time.
    pub fn unlink(self) {
        self.table.unlink(self.place);
    }

    /// Marks one that was unlinked, if it is idle; `false` where it is not so. Called by one task at a time.
    pub fn mark(self) -> bool {
        let idle = !self.is_linked() && self.is_idle();
        if idle {
            self.table.leave(self.place, true);
        }
        idle
    }

    /// Frees one that was marked, if it has been idle since. All hooks that ran then have ended: who had found it before
    /// it was unlinked, and who takes the last away from what was freed meanwhile. Called by one task at a time.
    pub fn free(self) {
        if self.state() != State::Leaving {
            return;
        }
        if self.is_idle() {
            self.table.free(self.place);
        } else {
            self.table.leave(self.place, false);
        }
    }

    /// That of this CPU, or of one that it was a moment ago.
    #[inline(always)]
    fn stripe(self) -> Option<&'a Stripe> {
        self.table.stripe(self.place, cpu::number())
    }

    /// Charges so many bytes of so many objects, and slack as counters of accounts hold it.
    #[inline(always)]
    pub fn give(self, bytes: u64, calls: u64, slack: u64) {
        if let Some(stripe) = self.stripe() {
            stripe.slack(slack);
            stripe.give(bytes, calls);
        }
    }

    /// Takes so much back. With the last, it may be gone.
    #[inline(always)]
    pub fn take(self, bytes: u64, calls: u64, slack: u64) {
        if let Some(stripe) = self.stripe() {
            stripe.slack(slack.wrapping_neg());
            stripe.take(bytes, calls);
        }
    }

    /// Takes so much away as if it had never been.
    pub fn undo(self, bytes: u64, calls: u64, slack: u64) {
        if let Some(stripe) = self.stripe() {
            stripe.slack(slack.wrapping_neg());
            stripe.undo(bytes, calls);
        }
    }

    /// Charges more slack than before; wraps around.
    pub fn slack(self, slack: u64) {
        if let Some(stripe) = self.stripe() {
            stripe.slack(slack);
        }
    }

    /// What it has, over all CPUs.
    pub fn totals(self) -> Totals {
        Stripe::sum(self.table.stripes(self.place)).totals(Reference::SLACK_SHIFT)
    }

    /// Whether nothing is charged to it.
    pub fn is_idle(self) -> bool {
        let sum = Stripe::sum(self.table.stripes(self.place));
        sum.allocs == sum.frees
    }
}
