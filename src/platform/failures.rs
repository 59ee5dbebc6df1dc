// SPDX-License-Identifier: GPL-2.0-only

//! How often call sites were given nothing: a word for each account, shared by all CPUs, for it is seldom.

mod words;

use super::published;
use crate::model::handle::Handle;
#[cfg(CONFIG_ALLOCTAG_FAULTS)]
use kernel::sync::atomic::Release;
use kernel::{bindings, sync::atomic::Relaxed};
#[cfg(CONFIG_ALLOCTAG_FAULTS)]
pub use words::provide_injected;
use words::{injected_word, word};
pub use words::{make, provide};

/// How often it was.
#[inline]
pub fn count(account: Handle) -> u64 {
    // SAFETY: All accesses are of whole words. A relaxed load would be a call of C.
    word(account).map_or(0, |word| unsafe { word.as_ptr().read_volatile() })
}

/// How often of these it was made to. Who asks for both asks for this first: then it is never the larger one.
pub fn injected(account: Handle) -> u64 {
    // Pairs with the Release of `inject()`.
    injected_word(account).map_or(0, published::load_count)
}

/// It was once more, because a rule says so.
#[cfg(CONFIG_ALLOCTAG_FAULTS)]
pub fn inject(account: Handle) {
    if account.is_counted() {
        add(account);
    }
    if let Some(word) = injected_word(account) {
        // Release: who finds this finds the failure counted.
        word.fetch_add(1, Release);
    }
    // Whatever way is found then, this one stands.
    set_last(Handle::NONE);
}

/// It was once more.
pub fn add(account: Handle) {
    if let Some(word) = word(account) {
        word.add(1, Relaxed);
    }
}

/// It was not, for another way was found. Nothing is taken back that another call site has begun anew meanwhile.
pub fn take_back(account: Handle) {
    let Some(word) = word(account) else { return };
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

/// The account is another call site's now.
pub fn clear(account: Handle) {
    for word in [word(account), injected_word(account)]
        .into_iter()
        .flatten()
    {
        word.store(0, Relaxed);
    }
}
