// SPDX-License-Identifier: GPL-2.0-only

//! Several counters of an account, one after the other.

#[cfg(CONFIG_ALLOCTAG_STATS)]
use super::arch::sub;
use super::{
    arch::{add, increase},
    place::Place,
};

/// Adds to the counter at `AT` and counts one at `CALLS`, in this order.
#[inline(always)]
pub(super) fn add_call<const AT: usize, const CALLS: usize>(place: Place, amount: usize) {
    add::<AT>(place, amount);
    increase::<CALLS>(place);
}

/// Adds to the counter at `SLACK`, has the object keep what it is charged to, where the fewest numbers are in use, and does the
/// same as [`add_call()`].
#[cfg(CONFIG_ALLOCTAG_STATS)]
#[inline(always)]
pub(super) fn add_slack_and_call<const SLACK: usize, const AT: usize, const CALLS: usize>(
    place: Place,
    slack: usize,
    amount: usize,
    keep: impl FnOnce(),
) {
    add::<SLACK>(place, slack);
    keep();
    add_call::<AT, CALLS>(place, amount);
}

/// Takes from the counter at `SLACK` and does the same as [`add_call()`].
#[cfg(CONFIG_ALLOCTAG_STATS)]
#[inline(always)]
pub(super) fn sub_slack_and_add_call<const SLACK: usize, const AT: usize, const CALLS: usize>(
    place: Place,
    slack: usize,
    amount: usize,
) {
    sub::<SLACK>(place, slack);
    add_call::<AT, CALLS>(place, amount);
}
