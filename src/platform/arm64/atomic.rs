// SPDX-License-Identifier: GPL-2.0-only

//! Atomic changes of words, where the C helpers behind `Atomic`'s methods would be calls.

use super::{alternatives::has_lse, ll_sc, lse};

macro_rules! changing {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// `word` is one that all others access atomically, too.
        #[inline(always)]
        pub(in crate::platform) unsafe fn $name(word: *mut usize, operand: usize) {
            if has_lse() {
                // SAFETY: By the caller's promise. The CPU has the instruction.
                unsafe { lse::$name(word, operand) }
            } else {
                // SAFETY: By the caller's promise.
                unsafe { ll_sc::$name(word, operand) }
            }
        }
    };
}

changing! {
    /// Adds to a word; wraps around.
    add
}

changing! {
    /// The same once all else was changed.
    add_last
}

changing! {
    /// Flips bits of a word.
    flip
}

/// Adds to each of these words, in this order; the CPU is asked once.
///
/// # Safety
///
/// As for [`add()`], for each of them.
#[inline(always)]
pub(in crate::platform) unsafe fn add_each<const WORDS: usize>(
    changes: [(*mut usize, usize); WORDS],
) {
    if has_lse() {
        for (word, amount) in changes {
            // SAFETY: By the caller's promise. The CPU has the instruction.
            unsafe { lse::add(word, amount) }
        }
    } else {
        for (word, amount) in changes {
            // SAFETY: By the caller's promise.
            unsafe { ll_sc::add(word, amount) }
        }
    }
}
