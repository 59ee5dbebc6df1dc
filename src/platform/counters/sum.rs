// SPDX-License-Identifier: GPL-2.0-only

//! An account's counters over all CPUs.

use super::{
    kind::{add_share, if_idle},
    place::Place,
    row::{at, met, possible},
};
use crate::model::{
    handle::Handle,
    reference::Reference,
    totals::{Counters, Totals},
};
use kernel::bindings::alloctag_counters as Layout;

/// The CPUs whose counters a reader adds up: those that have ever run, since what the others have is 0.
#[derive(Clone, Copy)]
pub struct Cpus(&'static [*const Layout]);

impl Cpus {
    /// Those of now; none before it is known which have run.
    #[inline(always)]
    pub fn met() -> Self {
        Self(met())
    }

    /// What an account has, over all of them.
    #[inline(always)]
    pub fn total(self, account: Handle) -> Totals {
        known(self.sum(account))
    }

    /// Adds up.
    #[inline(always)]
    fn sum(self, account: Handle) -> Counters {
        if self.0.is_empty() {
            return sum_of_possible(account);
        }
        let mut sum = Counters::default();
        let place = Place::of(account);
        let mut add = |row: &*const _| {
            // SAFETY: Each CPU has counters there, by the invariant of `Place`.
            unsafe { add_share(&mut sum, at(*row, place)) }
        };
        // Several at a time: with hundreds of CPUs this loop is what reading costs.
        const SEVERAL: usize = 4;
        let mut several = self.0.chunks_exact(SEVERAL);
        for rows in &mut several {
            rows.iter().for_each(&mut add);
        }
        several.remainder().iter().for_each(add);
        sum
    }
}

/// What an account has, over all CPUs.
#[inline]
pub fn total(account: Handle) -> Totals {
    known(sum(account))
}

/// Adds up, out of the way of those who read few rows.
#[inline(never)]
fn sum(account: Handle) -> Counters {
    Cpus::met().sum(account)
}

/// What a sum of counters comes to, as far as it was counted.
#[inline(always)]
fn known(sum: Counters) -> Totals {
    let totals = sum.totals(Reference::SLACK_SHIFT);
    if cfg!(CONFIG_ALLOCTAG_STATS) {
        totals
    } else {
        Totals {
            bytes: totals.bytes,
            calls: totals.calls,
            ..Totals::default()
        }
    }
}

/// Adds up before it is known which CPUs have run, over all that there can be.
#[cold]
fn sum_of_possible(account: Handle) -> Counters {
    let mut sum = Counters::default();
    for row in possible() {
        // SAFETY: As in `Cpus::sum()`.
        unsafe { add_share(&mut sum, at(row, Place::of(account))) }
    }
    sum
}

/// Whether nothing is charged to an account to which nothing comes any more but by splitting what is.
pub fn is_idle(account: Handle) -> bool {
    let place = Place::of(account);
    // Asked for each time: a CPU may have come meanwhile.
    let each = |look: &mut dyn FnMut(*const Layout)| match met() {
        [] => possible().for_each(|row| look(at(row, place))),
        rows => rows.iter().for_each(|row| look(at(*row, place))),
    };
    // SAFETY: Each CPU has counters there, by the invariant of `Place`.
    known(unsafe { if_idle(each) }).is_idle()
}

/// Lets an account begin anew with another call site. Nothing is charged to it any more, and what was taken from it last has
/// been taken: it is idle, and all of a free's changes are seen by then ([`Totals::is_idle()`]).
pub fn clear(account: Handle) {
    for row in possible() {
        // SAFETY: As in `Cpus::sum()`, and by the caller's promise their CPU leaves these alone.
        unsafe { at(row, Place::of(account)).cast_mut().write_bytes(0, 1) }
    }
}
