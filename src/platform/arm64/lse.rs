// SPDX-License-Identifier: GPL-2.0-only

//! Atomic changes of words in one instruction (LSE).
//!
//! It is one that loads the word before, though nobody wants that: those that load nothing are executed far from the CPU by some
//! of them, at several times the cost (`arch/arm64/include/asm/percpu.h`).

use core::arch::asm;

macro_rules! changing {
    ($name:ident, $instruction:literal) => {
        #[doc = concat!("Changes a word by `", $instruction, "`.")]
        ///
        /// # Safety
        ///
        /// `word` is one that all others access atomically, too, and the CPU has the instruction.
        #[inline(always)]
        pub(super) unsafe fn $name(word: *mut usize, operand: usize) {
            // SAFETY: By the caller's promise.
            unsafe {
                asm!(
                    ".arch_extension lse",
                    concat!($instruction, " {operand}, {before}, [{word}]"),
                    word = in(reg) word,
                    operand = in(reg) operand,
                    before = lateout(reg) _,
                    options(nostack, preserves_flags),
                )
            }
        }
    };
}

changing!(add, "ldadd");
changing!(add_last, "ldaddl");
changing!(flip, "ldeor");
