// SPDX-License-Identifier: GPL-2.0-only

//! How often and how long allocations had to wait, of each account.

#[cfg(CONFIG_ALLOCTAG_STALLS)]
use super::tally::{self, Tally};
use crate::model::{handle::Handle, sites::Stalls};

/// One more.
#[cfg(CONFIG_ALLOCTAG_STALLS)]
#[inline(always)]
pub fn add(account: Handle, ns: u64) {
    tally::add_stall(account, ns);
}

/// What there were, if they are measured.
#[cfg(CONFIG_ALLOCTAG_STALLS)]
pub fn of(account: Handle) -> Option<Stalls> {
    Some(Stalls {
        count: Tally::STALLS.count(account),
        ns: Tally::STALL_NS.count(account),
        max_ns: Tally::STALL_MAX_NS.count(account),
    })
}

/// The same where they are not.
#[cfg(not(CONFIG_ALLOCTAG_STALLS))]
pub fn of(_account: Handle) -> Option<Stalls> {
    None
}

/// Forgets all. Within `histograms::forget()`.
#[cfg(CONFIG_ALLOCTAG_STALLS)]
pub fn forget() {
    for tally in [Tally::STALLS, Tally::STALL_NS, Tally::STALL_MAX_NS] {
        tally.forget();
    }
}
