// SPDX-License-Identifier: GPL-2.0-only

//! Who keeps an account from being given to another call site.
//!
//! One rule, for all accounts that are ever given back: an account is free when nobody holds it and
//! it is idle. Its holders are the section of a module that is loaded, or the location of a line of
//! Rust code that exists, and every tag that was recorded to be used later. It is idle when nothing
//! is charged to it. What is neither loaded nor free is a kept row. So is, while there is a witness, a row
//! that has counted anything.
//!
//! The functions here are for accounts whose section or location has gone: all that may charge them
//! is what was recorded.

use super::recorded;
use crate::{
    model::handle::Handle,
    platform::{counters, failures, histograms, tally},
};
use kernel::sync::{
    atomic::{Atomic, Relaxed},
    barrier::{smp_mb, Read},
};

/// Whether somebody is going to look at what was counted, whatever has gone until then.
static WITNESS: Atomic<bool> = Atomic::new(false);

/// Keeps the rows of call sites that have counted anything from now on, or keeps them no more. Those that have gone by then stay
/// until the next look at what is free.
pub fn witness(is_there: bool) {
    WITNESS.store(is_there, Relaxed);
}

/// Whether what an account has counted is going to be looked at.
fn is_witnessed(handle: Handle) -> bool {
    WITNESS.load(Relaxed) && (failures::count(handle) > 0 || counters::total(handle).allocs > 0)
}

/// Whether nothing is charged to an account.
fn is_idle(handle: Handle) -> bool {
    counters::is_idle(handle)
}

/// Whether nobody needs an account, as far as can be told without stopping anybody.
fn is_unneeded(handle: Handle) -> bool {
    !recorded::is_held(handle) && is_idle(handle)
}

/// The same of one that has a row.
pub(super) fn is_free(handle: Handle) -> bool {
    is_unneeded(handle) && !is_witnessed(handle)
}

/// Whether nothing leads to an account that was free, nor is charged to it after all.
pub(super) fn is_unknown(handle: Handle) -> bool {
    !recorded::is_known(handle) && is_idle(handle)
}

/// Makes sure that an account is free and that nothing leads to it any more; `false` where it is
/// not. The list of sections is held for writing. What it has counted so far is forgotten.
pub(super) fn retire(handle: Handle) -> bool {
    let is_free = is_unneeded(handle) && is_left(handle);
    if is_free {
        // Whoever counted last, on another CPU, may have taken a histogram before: it is found now. Pairs with `mb_after_adding()`.
        smp_mb(Read);
        counters::clear(handle);
        tally::clear(handle);
        histograms::clear(handle);
    }
    is_free
}

/// The same for an account that has a row.
pub(super) fn retire_row(handle: Handle) -> bool {
    !is_witnessed(handle) && retire(handle)
}

/// Makes sure that nothing leads to an account that is free; `false` where that is not so.
///
/// A container in C may have recorded the account without holding it, and replace what is charged to
/// it by something else while the counters are being summed, so that the sum would be of neither. So
/// what such containers allocate goes elsewhere first: what is only freed cannot be missed.
fn is_left(handle: Handle) -> bool {
    match recorded::redirect(handle) {
        Err(recorded::Held) => false,
        Ok(None) => true,
        Ok(Some(stand_in)) if is_idle(handle) => {
            stand_in.forget();
            true
        }
        Ok(Some(stand_in)) => {
            stand_in.restore();
            false
        }
    }
}
