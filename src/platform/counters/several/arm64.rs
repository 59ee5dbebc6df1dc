// SPDX-License-Identifier: GPL-2.0-only

//! Several counters of an account, for which the CPU is asked once whether it has atomic instructions.

use super::{arch::counter, place::Place};
use crate::platform::arm64::add_each;

/// Adds to the counter at `AT` and counts one at `CALLS`, in this order.
#[inline(always)]
pub(super) fn add_call<const AT: usize, const CALLS: usize>(place: Place, amount: usize) {
    let at = counter::<AT>(place);
    // SAFETY: There are counters at a place, on every CPU, and all accesses are atomic.
    unsafe { add_each([(at, amount), (beside::<AT, CALLS>(at), 1)]) }
}

/// Has the object keep what it is charged to, adds to the counter at `SLACK`, and does the same as [`add_call()`].
#[cfg(CONFIG_ALLOCTAG_STATS)]
#[inline(always)]
pub(super) fn add_slack_and_call<const SLACK: usize, const AT: usize, const CALLS: usize>(
    place: Place,
    slack: usize,
    amount: usize,
    keep: impl FnOnce(),
) {
    keep();
    let at = counter::<AT>(place);
    let changes = [
        (beside::<AT, SLACK>(at), slack),
        (at, amount),
        (beside::<AT, CALLS>(at), 1),
    ];
    // SAFETY: As in `add_call()`.
    unsafe { add_each(changes) }
}

/// Takes from the counter at `SLACK` and does the same as [`add_call()`].
#[cfg(CONFIG_ALLOCTAG_STATS)]
#[inline(always)]
pub(super) fn sub_slack_and_add_call<const SLACK: usize, const AT: usize, const CALLS: usize>(
    place: Place,
    slack: usize,
    amount: usize,
) {
    add_slack_and_call::<SLACK, AT, CALLS>(place, slack.wrapping_neg(), amount, || ());
}

/// The counter at `TO`, by way of that at `FROM`.
#[inline(always)]
fn beside<const FROM: usize, const TO: usize>(counter: *mut usize) -> *mut usize {
    counter.wrapping_byte_add(const { TO.wrapping_sub(FROM) })
}
