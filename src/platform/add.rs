// SPDX-License-Identifier: GPL-2.0-only

//! Adding to words that all CPUs share, where nobody minds the order: an instruction, where that behind `Atomic::add()` is a call.

use kernel::sync::atomic::Atomic;

macro_rules! adding {
    ($(#[$doc:meta])* $name:ident, $word:ty, $asm:literal) => {
        $(#[$doc])*
        #[inline(always)]
        pub fn $name(word: &Atomic<$word>, amount: $word) {
            #[cfg(CONFIG_X86_64)]
            // SAFETY: The word exists, and all accesses are atomic.
            unsafe {
                core::arch::asm!(
                    $asm,
                    word = in(reg) word.as_ptr(),
                    amount = in(reg) amount,
                    options(nostack),
                )
            };
            #[cfg(not(CONFIG_X86_64))]
            word.add(amount, kernel::sync::atomic::Relaxed);
        }
    };
}

adding! {
    /// Adds to a word of 32 bits.
    add_short, u32, "lock add dword ptr [{word}], {amount:e}"
}

adding! {
    /// Adds to one of 64.
    add, u64, "lock add qword ptr [{word}], {amount}"
}

/// The same once all else was changed. Who finds that by a load with acquire ordering finds all else.
#[inline(always)]
pub fn add_last(word: &Atomic<u64>, amount: u64) {
    // No access is done after a later one that is locked.
    #[cfg(CONFIG_X86_64)]
    add(word, amount);
    #[cfg(not(CONFIG_X86_64))]
    word.fetch_add(amount, kernel::sync::atomic::Release);
}
