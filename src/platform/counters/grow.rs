// SPDX-License-Identifier: GPL-2.0-only

//! Counters that only grow, so that rates are known as well as what is alive.

use super::{
    arch::{add as plus, sub as minus},
    place::Place,
    row::gather,
    several::{add_call, add_slack_and_call, sub_slack_and_add_call},
};
use crate::model::totals::Counters;
use core::mem::offset_of;
use kernel::bindings::alloctag_counters as Layout;

const GIVEN: usize = offset_of!(Layout, given);
const ALLOCS: usize = offset_of!(Layout, allocs);
const TAKEN: usize = offset_of!(Layout, taken);
const FREES: usize = offset_of!(Layout, frees);
const SLACK: usize = offset_of!(Layout, slack);

/// Charges one object of `bytes` bytes, with its slack, before or while which `keep` has the object keep what it is charged to.
#[inline(always)]
pub(super) fn add(place: Place, bytes: usize, slack: Option<usize>, keep: impl FnOnce()) {
    match slack {
        Some(slack) => add_slack_and_call::<SLACK, GIVEN, ALLOCS>(place, slack, bytes, keep),
        None => {
            keep();
            add_call::<GIVEN, ALLOCS>(place, bytes);
        }
    }
}

/// Takes one object of `bytes` bytes away, with its slack. The count of frees is the last to change; other CPUs may see them in
/// any order.
#[inline(always)]
pub(super) fn sub(place: Place, bytes: usize, slack: Option<usize>) {
    match slack {
        Some(slack) => sub_slack_and_add_call::<SLACK, TAKEN, FREES>(place, slack, bytes),
        None => add_call::<TAKEN, FREES>(place, bytes),
    }
}

/// Takes one object of `bytes` bytes away that was never given to anybody, with its slack, in the same order.
#[inline(always)]
pub fn undo(place: Place, bytes: usize, slack: usize) {
    minus::<SLACK>(place, slack);
    minus::<GIVEN>(place, bytes);
    minus::<ALLOCS>(place, 1);
}

/// Charges `calls` more objects, whose bytes are charged already.
#[inline(always)]
pub fn add_calls(place: Place, calls: usize) {
    plus::<ALLOCS>(place, calls);
}

/// Takes bytes away from an object that lives on.
#[inline(always)]
pub fn sub_bytes(place: Place, bytes: usize) {
    plus::<TAKEN>(place, bytes);
}

/// Of an object that lives on, so much is slack and so much was.
#[inline(always)]
pub fn change_slack(place: Place, now: usize, before: usize) {
    plus::<SLACK>(place, now.wrapping_sub(before));
}

/// Adds one CPU's counters to a sum.
///
/// # Safety
///
/// `share` is those of an account on a CPU.
#[inline(always)]
pub(super) unsafe fn add_share(sum: &mut Counters, share: *const Layout) {
    // SAFETY: The caller's promise.
    unsafe {
        gather(&mut sum.given, &raw const (*share).given);
        gather(&mut sum.allocs, &raw const (*share).allocs);
        gather(&mut sum.taken, &raw const (*share).taken);
        gather(&mut sum.frees, &raw const (*share).frees);
        gather(&mut sum.slack, &raw const (*share).slack);
    }
}
