// SPDX-License-Identifier: GPL-2.0-only

//! Atomic changes of words by loops of a load and a store (LL/SC), which all CPUs have.

use core::arch::asm;

macro_rules! changing {
    ($name:ident, $operation:literal, $store:literal) => {
        #[doc = concat!("Changes a word by `", $operation, "` and `", $store, "`.")]
        ///
        /// # Safety
        ///
        /// `word` is one that all others access atomically, too.
        #[inline(always)]
        pub(super) unsafe fn $name(word: *mut usize, operand: usize) {
            // SAFETY: By the caller's promise. Nothing comes between the load and the store but the operation.
            unsafe {
                asm!(
                    "2: ldxr {value}, [{word}]",
                    concat!($operation, " {value}, {value}, {operand}"),
                    concat!($store, " {failed:w}, {value}, [{word}]"),
                    "cbnz {failed:w}, 2b",
                    word = in(reg) word,
                    operand = in(reg) operand,
                    value = out(reg) _,
                    failed = out(reg) _,
                    options(nostack, preserves_flags),
                )
            }
        }
    };
}

changing!(add, "add", "stxr");
changing!(add_last, "add", "stlxr");
changing!(flip, "eor", "stxr");
