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
pub mod layout;
mod lock;
mod published;
mod stripe;
mod table;

use crate::{
    model::{
        context::{Kept, Key},
        handle::Handle,
        load::{self, Load},
        reference::Reference,
        sample::Period,
        totals::Totals,
    },
    platform::{countdown, counters::Place, cpu},
};
use entry::{Entry, State};
pub use published::{Found, Published, FOUND};
use stripe::Stripe;
pub use table::Table;

/// A context.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    table: &'a Table,
    entry: &'a Entry,
    /// How far apart those of its allocations are that are looked at; 0 where all are.
    every: u32,
}

impl Table {
    /// The context with that key, if there is one.
    #[inline(always)]
    pub fn find(&self, key: Key<'_>) -> Option<Context<'_>> {
        let entry = self.seek(self.hash(&key), &key)?;
        Some(Context {
            table: self,
            entry,
            every: key.every(),
        })
    }

    /// The same, and makes it where there is none; `None` where there is no room, and in an NMI that cannot wait for others.
    #[inline(always)]
    pub fn find_or_make(&self, key: Key<'_>) -> Option<Context<'_>> {
        let hash = self.hash(&key);
        let entry = match self.seek(hash, &key) {
            Some(entry) => entry,
            None => self.make_for(hash, &key)?,
        };
        Some(Context {
            table: self,
            entry,
            every: key.every(),
        })
    }

    /// The context at a place, if there is one.
    pub fn context(&self, place: usize) -> Option<Context<'_>> {
        let entry = self.entry(place)?;
        // SAFETY: There is one.
        (entry.state() != State::Free).then(|| unsafe { self.at(entry) })
    }

    /// The context of an entry.
    ///
    /// # Safety
    ///
    /// There is one.
    #[inline(always)]
    unsafe fn at<'a>(&'a self, entry: &'a Entry) -> Context<'a> {
        Context {
            table: self,
            entry,
            // SAFETY: By the caller's promise.
            every: unsafe { entry.key() }.every(),
        }
    }
}

impl<'a> Context<'a> {
    /// The context that something names which lives, if it names one.
    #[inline(always)]
    pub fn of(handle: Handle) -> Option<Self> {
        // SAFETY: A context is not taken away as long as something lives that names it, nor is the table.
        unsafe {
            let table = published::table_of(handle)?;
            Some(table.at(table.entry(table::place_of(handle))?))
        }
    }

    /// What objects keep of it.
    #[inline(always)]
    pub fn handle(self) -> Handle {
        self.entry.handle()
    }

    /// Its place in the table.
    pub fn number(self) -> usize {
        table::place_of(self.handle())
    }

    /// How many contexts there had been when it began, itself included.
    pub fn born(self) -> u32 {
        self.entry.born()
    }

    /// What tells it apart.
    pub fn key(self) -> Key<'a> {
        self.kept().key()
    }

    /// The account of its call site.
    pub fn site(self) -> Handle {
        self.kept().site()
    }

    /// Where that has its counters.
    #[inline(always)]
    pub fn account(self) -> Place {
        // SAFETY: As for what tells it apart.
        unsafe { self.entry.account() }
    }

    fn kept(self) -> &'a Kept {
        // SAFETY: It was found linked, and does not change before whoever has found it has let go of it.
        unsafe { self.entry.key() }
    }

    /// Whether allocations find it.
    pub fn is_linked(self) -> bool {
        self.entry.state() == State::Linked
    }

    /// Takes it out of its chain: nobody finds it any more. Called by one task at a time.
    pub fn unlink(self) {
        self.table.unlink(self.entry);
    }

    /// Marks one that was unlinked, if it is idle; `false` where it is not so. Called by one task at a time.
    pub fn mark(self) -> bool {
        let idle_after = self.idle_after().filter(|_| !self.is_linked());
        if idle_after.is_some() {
            self.entry.leave(idle_after);
        }
        idle_after.is_some()
    }

    /// Frees one that was marked, if it is idle and was all the time. All hooks that ran then have ended: who had found it
    /// before it was unlinked, and who takes the rest away of what had been freed. Of what came and went meanwhile a rest may be
    /// yet to be taken away. Says whether. Called by one task at a time.
    pub fn free(self) -> bool {
        let state = self.entry.state();
        if !matches!(state, State::Leaving(_)) {
            return false;
        }
        let idle_after = self.idle_after();
        let idle = idle_after.is_some() && State::left(idle_after) == state;
        if idle {
            self.table.free(self.entry);
        } else {
            self.entry.leave(None);
        }
        idle
    }

    /// That of this CPU, or of one that it was a moment ago.
    #[inline(always)]
    fn stripe(self) -> &'a Stripe {
        self.table.stripe(self.entry, cpu::number())
    }

    /// Whether its objects stand for others.
    #[inline(always)]
    pub fn is_sampled(self) -> bool {
        self.every != 0
    }

    /// Has its counters change: those of its objects, and before them, where these stand for others, those of what they stand
    /// for, which [`Load::over()`] a period gives.
    #[inline(always)]
    fn change(self, by: impl Fn(&Stripe, Option<Period>)) {
        if self.is_sampled() {
            self.change_both(by);
        } else {
            by(self.stripe(), None);
        }
    }

    #[inline(never)]
    fn change_both(self, by: impl Fn(&Stripe, Option<Period>)) {
        let (objects, weights) = self.table.halves(self.entry);
        let of_cpu = cpu::number().checked_rem(objects.len()).unwrap_or(0);
        if let Some((objects, weights)) = objects.get(of_cpu).zip(weights.get(of_cpu)) {
            by(weights, Period::new(self.every.into()));
            by(objects, None);
        }
    }

    /// Charges an object.
    #[inline(always)]
    pub fn give(self, load: Load) {
        self.change(|stripe, period| stripe.give(load.over(period)));
    }

    /// Charges a part of what stands for others, if it is still looked at by itself; says whether.
    pub fn give_part(self, whole: Load, part: Load) -> bool {
        let Some(period) = Period::new(self.every.into()) else {
            return true;
        };
        let (of_whole, of_part) = (period.weight(whole.bytes), period.weight(part.bytes));
        let kept = of_whole.keeps(of_part, countdown::random());
        if kept {
            self.give(part);
        }
        kept
    }

    /// Takes an object back. With the last, it may be gone.
    #[inline(always)]
    pub fn take(self, load: Load) {
        self.change(|stripe, period| stripe.take(load.over(period)));
    }

    /// Takes an object away as if it had never been.
    pub fn undo(self, load: Load) {
        self.change(|stripe, period| stripe.undo(load.over(period)));
    }

    /// Takes the rest of an object back that is no larger than `now` any more. What stood for others does so as one of its size
    /// now, although it was likelier to be looked at: who frees it meanwhile knows nothing but its size.
    pub fn shrink(self, whole: Load, now: Load) {
        self.change(|stripe, period| stripe.take(whole.over(period).without(now.over(period))));
    }

    /// An object is so many now, each of which was looked at as it was.
    pub fn multiply(self, calls: u64) {
        self.stripe().give(Load {
            calls,
            ..Load::of(0, 0)
        });
    }

    /// Of an object that lives on, so much is slack and so much was.
    pub fn change_slack(self, now: Load, before: Load) {
        self.change(|stripe, period| {
            let [now, before] = [now, before].map(|load| load.over(period).slack);
            stripe.slack(now.wrapping_sub(before));
        });
    }

    /// What it has, over all CPUs; an estimate where its objects stand for others.
    pub fn totals(self) -> Totals {
        let (_, weights) = self.table.halves(self.entry);
        if self.is_sampled() {
            load::whole(Stripe::sum(weights).totals(Reference::SLACK_SHIFT))
        } else {
            Stripe::sum(self.table.stripes(self.entry)).totals(Reference::SLACK_SHIFT)
        }
    }

    /// Whether nothing is charged to it. By the objects alone: what they stand for goes by their size, which may be another when
    /// something is freed that was allocated again while nothing was counted.
    pub fn is_idle(self) -> bool {
        self.idle_after().is_some()
    }

    /// After how many allocations it is idle, if it is.
    fn idle_after(self) -> Option<u64> {
        let (objects, _) = self.table.halves(self.entry);
        let sum = Stripe::sum(if self.is_sampled() {
            objects
        } else {
            self.table.stripes(self.entry)
        });
        (sum.allocs == sum.frees).then_some(sum.allocs)
    }
}
