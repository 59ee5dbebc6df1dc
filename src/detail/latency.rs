// SPDX-License-Identifier: GPL-2.0-only

//! How long the calls of allocators of chosen call sites take.

use crate::{
    model::handle::Handle,
    platform::{histograms::LATENCY, ticks},
};
use kernel::prelude::*;

/// A call has taken so many nanoseconds.
///
/// # Safety
///
/// The caller holds RCU.
#[inline(always)]
pub unsafe fn record(account: Handle, ns: u64) {
    // SAFETY: By the caller's promise.
    unsafe { LATENCY.add_within(account, 0, ns) };
}

/// Makes the histograms, unless they are there, and the clock ready. Who does has the rules; may sleep.
///
/// # Errors
///
/// `ENOMEM`
pub(super) fn prepare() -> Result {
    ticks::prepare();
    LATENCY.prepare()
}
