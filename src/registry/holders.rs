// SPDX-License-Identifier: GPL-2.0-only

//! Who keeps an account from being given to another call site.

use crate::{
    model::{handle::Handle, totals::Totals},
    platform::counters,
};

/// Whether an account is free: nothing is charged to it. Its section or location has gone.
pub(super) fn is_free(handle: Handle) -> bool {
    counters::total(handle) == Totals::default()
}
