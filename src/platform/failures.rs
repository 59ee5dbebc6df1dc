// SPDX-License-Identifier: GPL-2.0-only

//! How often call sites were given nothing: a word for each account, shared by all CPUs, for it is seldom.

mod words;

use crate::model::handle::Handle;
use kernel::{bindings, sync::atomic::Relaxed};
use words::word;
pub use words::{make, provide};

/// How often it was.
#[inline]
pub fn count(account: Handle) -> u64 {
    // SAFETY: All accesses are of whole words. A relaxed load would be a call of C.
    word(account).map_or(0, |word| unsafe { word.as_ptr().read_volatile() })
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
    if let Some(word) = word(account) {
        word.store(0, Relaxed);
    }
}
