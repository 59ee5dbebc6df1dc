// SPDX-License-Identifier: GPL-2.0-only

//! What is measured of call sites, to be forgotten.

use crate::model::rule::Measured;
#[cfg(CONFIG_ALLOCTAG_STALLS)]
use crate::platform::{histograms, stalls};
use kernel::prelude::*;

/// Whether something is measured here.
///
/// # Errors
///
/// `EINVAL`, and the log says so.
pub(super) fn offered(what: Measured) -> Result {
    match what {
        #[cfg(CONFIG_ALLOCTAG_STALLS)]
        Measured::Stalls => Ok(()),
        #[cfg(CONFIG_ALLOCTAG_LATENCY)]
        Measured::Latency => Ok(()),
        #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
        Measured::Lifetimes => Ok(()),
        #[allow(unreachable_patterns)]
        _ => {
            pr_err!("control: reset: that is not measured in this kernel\n");
            Err(EINVAL)
        }
    }
}

/// Forgets what was measured. Who does has the rules; may sleep.
pub(super) fn reset(what: Measured) {
    match what {
        #[cfg(CONFIG_ALLOCTAG_STALLS)]
        Measured::Stalls => histograms::STALLS.forget(stalls::forget),
        #[cfg(CONFIG_ALLOCTAG_LATENCY)]
        Measured::Latency => histograms::LATENCY.forget(|| {}),
        #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
        Measured::Lifetimes => histograms::LIFETIMES.forget(|| {}),
        #[allow(unreachable_patterns)]
        _ => {}
    }
}
