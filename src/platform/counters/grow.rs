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
use kernel::{
    bindings::alloctag_counters as Layout,
    sync::barrier::{smp_mb, Read},
};

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
        add_given(sum, share);
        add_taken(sum, share);
        gather(&mut sum.slack, &raw const (*share).slack);
    }
}

/// The same of what was given.
///
/// # Safety
///
/// As for [`add_share()`].
#[inline(always)]
unsafe fn add_given(sum: &mut Counters, share: *const Layout) {
    // SAFETY: The caller's promise.
    unsafe {
        gather(&mut sum.given, &raw const (*share).given);
        gather(&mut sum.allocs, &raw const (*share).allocs);
    }
}

/// The same of what was taken.
///
/// # Safety
///
/// As for [`add_share()`].
#[inline(always)]
unsafe fn add_taken(sum: &mut Counters, share: *const Layout) {
    // SAFETY: The caller's promise.
    unsafe {
        gather(&mut sum.taken, &raw const (*share).taken);
        gather(&mut sum.frees, &raw const (*share).frees);
    }
}

/// What an account has that may be idle: what was taken on all CPUs, and only then what was given. So what is split and freed
/// between the two looks has it look busy, and not idle.
///
/// # Safety
///
/// `each` has what it is given look at the account's counters on each CPU.
pub(super) unsafe fn if_idle(each: impl Fn(&mut dyn FnMut(*const Layout))) -> Counters {
    let mut sum = Counters::default();
    // SAFETY: The caller's promise.
    each(&mut |share| unsafe { add_taken(&mut sum, share) });
    // Who frees something has it from who allocated it: that is found as well.
    smp_mb(Read);
    // SAFETY: The caller's promise.
    each(&mut |share| unsafe {
        add_given(&mut sum, share);
        gather(&mut sum.slack, &raw const (*share).slack);
    });
    sum
}
