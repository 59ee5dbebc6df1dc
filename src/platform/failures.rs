// SPDX-License-Identifier: GPL-2.0-only

//! How often call sites were given nothing.

use super::{published, tally::Tally};
use crate::model::handle::Handle;
#[cfg(CONFIG_ALLOCTAG_CALLS)]
use kernel::sync::atomic::Release;
use kernel::{bindings, sync::atomic::Relaxed};

/// How often it was.
#[inline]
pub fn count(account: Handle) -> u64 {
    Tally::FAILED.count(account)
}

/// How often of these it was made to. Who asks for both asks for this first: then it is never the larger one.
pub fn injected(account: Handle) -> u64 {
    // Pairs with the Release of `inject()`.
    Tally::INJECTED.of(account).map_or(0, published::load_count)
}

/// It was once more, because a rule says so.
#[cfg(CONFIG_ALLOCTAG_CALLS)]
pub fn inject(account: Handle) {
    if account.is_counted() {
        add(account);
    }
    if let Some(word) = Tally::INJECTED.of(account) {
        // Release: who finds this finds the failure counted.
        word.fetch_add(1, Release);
    }
    // Whatever way is found then, this one stands.
    set_last(Handle::NONE);
}

/// It was once more.
pub fn add(account: Handle) {
    Tally::FAILED.add(account, 1);
}

/// It was not, for another way was found. Nothing is taken back that another call site has begun anew meanwhile.
pub fn take_back(account: Handle) {
    let Some(word) = Tally::FAILED.of(account) else {
        return;
    };
    let mut failures = word.load(Relaxed);
    while failures > 0 {
        match word.cmpxchg(failures, failures - 1, Relaxed) {
            Ok(_) => return,
            Err(now) => failures = now,
        }
    }
}

/// It was the last of this context, which may find another way.
pub fn set_last(account: Handle) {
    // SAFETY: A word that is this context's alone.
    unsafe { *bindings::alloctag_last_failure() = account.get() }
}

/// That of which this context was the last; each time once.
pub fn take_last() -> Handle {
    // SAFETY: A word that is this context's alone.
    let last = unsafe { &mut *bindings::alloctag_last_failure() };
    Handle::from_word(core::mem::take(last))
}
