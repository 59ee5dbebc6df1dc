// SPDX-License-Identifier: GPL-2.0-only

//! Who keeps an account from being given to another call site.
//!
//! One rule, for all accounts that are ever given back: an account is free when nobody holds it and
//! it is idle. Its holders are the section of a module that is loaded, or the location of a line of
//! Rust code that exists, and every tag that was recorded to be used later. It is idle when nothing
//! is charged to it. What is neither loaded nor free is a kept row.
//!
//! The functions here are for accounts whose section or location has gone: all that may charge them
//! is what was recorded.

use super::recorded;
use crate::{
    model::handle::Handle,
    platform::{counters, failures},
};

/// Whether nothing is charged to an account.
fn is_idle(handle: Handle) -> bool {
    counters::total(handle).is_idle()
}

/// Whether an account is free, as far as can be told without stopping anybody.
pub(super) fn is_free(handle: Handle) -> bool {
    !recorded::is_held(handle) && is_idle(handle)
}

/// Whether nothing leads to an account that was free, nor is charged to it after all.
pub(super) fn is_unknown(handle: Handle) -> bool {
    !recorded::is_known(handle) && is_idle(handle)
}

/// Makes sure that an account is free and that nothing leads to it any more; `false` where it is
/// not. The list of sections is held for writing. What it has counted so far is forgotten.
pub(super) fn retire(handle: Handle) -> bool {
    let is_free = is_free(handle) && is_left(handle);
    if is_free {
        counters::clear(handle);
        failures::clear(handle);
    }
    is_free
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
