// SPDX-License-Identifier: GPL-2.0-only

//! How long the calls of allocators of chosen call sites take.

use crate::{
    model::handle::Handle,
    platform::{
        clock,
        histograms::{Recording, LATENCY},
    },
};
use kernel::prelude::*;

/// A call has taken so many nanoseconds.
#[inline(always)]
pub fn record(account: Handle, ns: u64) {
    if let Some(recording) = Recording::begin() {
        LATENCY.record(&recording, account, 0, ns);
    }
}

/// Makes the histograms, unless they are there, and the clock ready. Who does has the rules; may sleep.
///
/// # Errors
///
/// `ENOMEM`
pub(super) fn prepare() -> Result {
    clock::prepare_ticks();
    LATENCY.prepare()
}
