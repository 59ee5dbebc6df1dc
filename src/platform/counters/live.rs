// SPDX-License-Identifier: GPL-2.0-only

//! Counters of what is alive and of nothing else, where `CONFIG_ALLOCTAG_STATS` is not set.

use super::{
    arch::{add as plus, decrease, increase, sub as minus},
    place::Place,
    row::gather,
};
use crate::model::totals::Counters;
use core::mem::offset_of;
use kernel::bindings::alloctag_counters as Layout;

/// Charges one object of `bytes` bytes.
#[inline(always)]
pub(super) fn add(place: Place, bytes: usize) {
    plus::<{ offset_of!(Layout, bytes) }>(place, bytes);
    increase::<{ offset_of!(Layout, calls) }>(place);
}

/// Takes one object of `bytes` bytes away.
#[inline(always)]
pub(super) fn sub(place: Place, bytes: usize) {
    minus::<{ offset_of!(Layout, bytes) }>(place, bytes);
    decrease::<{ offset_of!(Layout, calls) }>(place);
}

/// Charges `calls` more objects, whose bytes are charged already.
#[inline(always)]
pub fn add_calls(place: Place, calls: usize) {
    plus::<{ offset_of!(Layout, calls) }>(place, calls);
}

/// Takes bytes away from an object that lives on.
#[inline(always)]
pub fn sub_bytes(place: Place, bytes: usize) {
    minus::<{ offset_of!(Layout, bytes) }>(place, bytes);
}

/// Slack is not counted.
#[inline(always)]
pub(super) fn add_slack(_place: Place, _slack: usize) {}

/// Nor taken away.
#[inline(always)]
pub(super) fn sub_slack(_place: Place, _slack: usize) {}

/// Nor changed.
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
