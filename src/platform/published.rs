// SPDX-License-Identifier: GPL-2.0-only

//! Words that say that what lies behind them is there.

use kernel::sync::atomic::Atomic;

/// Who finds that something was published finds all of it: as by a load with acquire ordering, which is a call of C, on the path
/// of every allocation of Rust code.
macro_rules! loading {
    ($(#[$doc:meta])* $load:ident, $word:ty) => {
        $(#[$doc])*
        #[inline(always)]
        pub fn $load(word: &Atomic<$word>) -> $word {
            #[cfg(CONFIG_X86_64)]
            {
                // SAFETY: The word exists, and all accesses are of whole words.
                let found = unsafe { word.as_ptr().read_volatile() };
                // No load is done before an earlier one there, so only the compiler has to be told.
                core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::Acquire);
                found
            }
            #[cfg(CONFIG_ARM64)]
            {
                let found: $word;
                // SAFETY: The word exists, and all accesses are of whole words.
                unsafe {
                    core::arch::asm!(
                        "ldar {found}, [{word}]",
                        word = in(reg) word.as_ptr(),
                        found = lateout(reg) found,
                        options(nostack, preserves_flags),
                    )
                };
                found
            }
            #[cfg(not(any(CONFIG_X86_64, CONFIG_ARM64)))]
            word.load(kernel::sync::atomic::Acquire)
        }
    };
}

loading! {
    /// What a word says: an address, mostly.
    load, usize
}

loading! {
    /// The same of a count.
    load_count, u64
}
