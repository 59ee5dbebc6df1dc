// SPDX-License-Identifier: GPL-2.0-only

//! Words that say that what lies behind them is there.

use kernel::sync::atomic::Atomic;

/// What a word says. Who finds that something was published finds all of it: as a load with acquire
/// ordering, which is a call of C on the path of every allocation of Rust code.
#[inline(always)]
pub fn load(word: &Atomic<usize>) -> usize {
    #[cfg(CONFIG_X86_64)]
    {
        // SAFETY: The word exists, and all accesses are of whole words.
        let found = unsafe { word.as_ptr().read_volatile() };
        // No load is done before an earlier one there, so only the compiler has to be told.
        core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::Acquire);
        found
    }
    #[cfg(not(CONFIG_X86_64))]
    word.load(kernel::sync::atomic::Acquire)
}
