// SPDX-License-Identifier: GPL-2.0-only

//! An account's counters over all CPUs.

use super::{
    kind::add_share,
    place::{All, Reach},
    row::{at, met, possible},
};
use crate::model::{
    handle::Handle,
    reference::Reference,
    totals::{Counters, Totals},
};

/// Adds up over all CPUs that have ever run: what the others have is 0.
fn sum(account: Handle) -> Counters {
    let mut sum = Counters::default();
    let rows = met();
    if rows.is_empty() {
        return sum_of_possible(account);
    }
    let place = All::place(account);
    let mut add = |row: &*const _| {
        // SAFETY: Each CPU has counters there, by the invariant of `Place`.
        unsafe { add_share(&mut sum, at(*row, place)) }
    };
    // Several at a time: with hundreds of CPUs this loop is what reading costs.
    const SEVERAL: usize = 4;
    let mut several = rows.chunks_exact(SEVERAL);
    for rows in &mut several {
        rows.iter().for_each(&mut add);
    }
    several.remainder().iter().for_each(add);
    sum
}

/// The same before it is known which CPUs have run, over all that there can be.
#[cold]
fn sum_of_possible(account: Handle) -> Counters {
    let mut sum = Counters::default();
    for row in possible() {
        // SAFETY: As in `sum()`.
        unsafe { add_share(&mut sum, at(row, All::place(account))) }
    }
    sum
}

/// Lets an account begin anew with another call site. Nothing is charged to it any more, and what was taken from it last has
/// been taken: the count of frees says so, which changes last.
pub fn clear(account: Handle) {
    for row in possible() {
        // SAFETY: As in `sum()`, and by the caller's promise their CPU leaves these alone.
        unsafe { at(row, All::place(account)).cast_mut().write_bytes(0, 1) }
    }
}

/// What an account has, over all CPUs.
#[inline]
pub fn total(account: Handle) -> Totals {
    let totals = sum(account).totals(Reference::SLACK_SHIFT);
    if cfg!(CONFIG_ALLOCTAG_STATS) {
        totals
    } else {
        // The others were not counted.
        Totals {
            bytes: totals.bytes,
            calls: totals.calls,
            ..Totals::default()
        }
    }
}
