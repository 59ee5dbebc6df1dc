// SPDX-License-Identifier: GPL-2.0-only

//! How often call sites were given nothing: a word for each account, shared by all CPUs, for it is seldom.

use crate::model::handle::Handle;
use core::slice::from_raw_parts;
use kernel::{
    bindings,
    sync::atomic::{Atomic, Relaxed},
};

/// The words, where there are any.
#[link_section = ".data..ro_after_init"]
static WORDS: Atomic<usize> = Atomic::new(0);
/// How many there are.
#[link_section = ".data..ro_after_init"]
static COUNT: Atomic<usize> = Atomic::new(0);

/// Makes a word for each of so many handles. Where there is no memory for them nothing is counted.
///
/// # Safety
///
/// Called during boot, once, while one CPU runs and memory still comes from memblock.
#[link_section = ".init.text"]
pub unsafe fn make(handles: usize) {
    // SAFETY: By the caller's promise.
    let words = unsafe { bindings::alloctag_boot_words(handles) };
    if !words.is_null() {
        WORDS.store(words.expose_provenance(), Relaxed);
        COUNT.store(handles, Relaxed);
    }
}

/// The word of an account.
fn word(account: Handle) -> Option<&'static Atomic<u64>> {
    let words: &[Atomic<u64>] = match WORDS.load(Relaxed) {
        0 => &[],
        // SAFETY: `make()` made so many, zeroed, for ever. CAST: An atomic is the number that it holds.
        address => unsafe {
            from_raw_parts(
                core::ptr::with_exposed_provenance(address),
                COUNT.load(Relaxed),
            )
        },
    };
    words.get(account.index())
}

/// How often it was.
pub fn count(account: Handle) -> u64 {
    word(account).map_or(0, |word| word.load(Relaxed))
}

/// It was once more.
pub fn add(account: Handle) {
    if let Some(word) = word(account) {
        word.add(1, Relaxed);
    }
}

/// It was not, for another way was found.
pub fn take_back(account: Handle) {
    if let Some(word) = word(account) {
        word.fetch_sub(1, Relaxed);
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
