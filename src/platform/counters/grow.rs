// SPDX-License-Identifier: GPL-2.0-only

//! Counters that only grow, so that rates are known as well as what is alive.

use super::{
    arch::{add as plus, increase, sub as minus},
    place::Place,
    row::gather,
};
use crate::model::totals::Counters;
use core::mem::offset_of;
use kernel::bindings::alloctag_counters as Layout;

/// Charges one object of `bytes` bytes.
#[inline(always)]
pub(super) fn add(place: Place, bytes: usize) {
    plus::<{ offset_of!(Layout, given) }>(place, bytes);
    increase::<{ offset_of!(Layout, allocs) }>(place);
}

/// Takes one object of `bytes` bytes away. The count of frees is the last to change, so that an account that has nothing
/// alive has nothing under way, either.
#[inline(always)]
pub(super) fn sub(place: Place, bytes: usize) {
    plus::<{ offset_of!(Layout, taken) }>(place, bytes);
    increase::<{ offset_of!(Layout, frees) }>(place);
}

/// Takes one object of `bytes` bytes away that was never given to anybody, with its slack, in the same order.
#[inline(always)]
pub fn undo(place: Place, bytes: usize, slack: usize) {
    sub_slack(place, slack);
    minus::<{ offset_of!(Layout, given) }>(place, bytes);
    minus::<{ offset_of!(Layout, allocs) }>(place, 1);
}

/// Charges `calls` more objects, whose bytes are charged already.
#[inline(always)]
pub fn add_calls(place: Place, calls: usize) {
    plus::<{ offset_of!(Layout, allocs) }>(place, calls);
}

/// Takes bytes away from an object that lives on.
#[inline(always)]
pub fn sub_bytes(place: Place, bytes: usize) {
    plus::<{ offset_of!(Layout, taken) }>(place, bytes);
}

/// Charges slack, as a reference holds it.
#[inline(always)]
pub(super) fn add_slack(place: Place, slack: usize) {
    plus::<{ offset_of!(Layout, slack) }>(place, slack);
}

/// Takes slack away.
#[inline(always)]
pub(super) fn sub_slack(place: Place, slack: usize) {
    minus::<{ offset_of!(Layout, slack) }>(place, slack);
}

/// Of an object that lives on, so much is slack and so much was.
#[inline(always)]
pub fn change_slack(place: Place, now: usize, before: usize) {
    add_slack(place, now.wrapping_sub(before));
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
