// SPDX-License-Identifier: GPL-2.0-only

//! Counters of what is alive and of nothing else, where `CONFIG_ALLOCTAG_STATS` is not set.

use super::{
    arch::{add as plus, decrease, sub as minus},
    place::Place,
    row::gather,
    several::add_call,
};
use crate::model::totals::Counters;
use core::mem::offset_of;
use kernel::{
    bindings::alloctag_counters as Layout,
    sync::barrier::{smp_mb, Read},
};

const BYTES: usize = offset_of!(Layout, bytes);
const CALLS: usize = offset_of!(Layout, calls);

/// Charges one object of `bytes` bytes, before which `keep` has the object keep what it is charged to. Slack is not counted.
#[inline(always)]
pub(super) fn add(place: Place, bytes: usize, _slack: Option<usize>, keep: impl FnOnce()) {
    keep();
    add_call::<BYTES, CALLS>(place, bytes);
}

/// Takes one object of `bytes` bytes away.
#[inline(always)]
pub(super) fn sub(place: Place, bytes: usize, _slack: Option<usize>) {
    minus::<BYTES>(place, bytes);
    decrease::<CALLS>(place);
}

/// Charges `calls` more objects, whose bytes are charged already.
#[inline(always)]
pub fn add_calls(place: Place, calls: usize) {
    plus::<CALLS>(place, calls);
}

/// Takes bytes away from an object that lives on.
#[inline(always)]
pub fn sub_bytes(place: Place, bytes: usize) {
    minus::<BYTES>(place, bytes);
}

/// No slack is counted.
#[inline(always)]
pub fn change_slack(_place: Place, _now: usize, _before: usize) {}

/// Adds one CPU's counters to a sum.
///
/// # Safety
///
/// `share` is those of an account on a CPU.
#[inline(always)]
pub(super) unsafe fn add_share(sum: &mut Counters, share: *const Layout) {
    // SAFETY: The caller's promise.
    unsafe {
        gather(&mut sum.given, &raw const (*share).bytes);
        gather(&mut sum.allocs, &raw const (*share).calls);
    }
}

/// What an account has that may be idle. What is split and freed while it is added up may have it look so; who looks once more finds
/// what he has missed.
///
/// # Safety
///
/// `each` has what it is given look at the account's counters on each CPU.
pub(super) unsafe fn if_idle(each: impl Fn(&mut dyn FnMut(*const Layout))) -> Counters {
    let look = || {
        let mut sum = Counters::default();
        // SAFETY: The caller's promise.
        each(&mut |share| unsafe { add_share(&mut sum, share) });
        sum
    };
    let first = look();
    if first != Counters::default() {
        return first;
    }
    smp_mb(Read);
    look()
}
