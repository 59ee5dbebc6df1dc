// SPDX-License-Identifier: GPL-2.0-only

//! Atomic changes of words, where the C helpers behind `Atomic`'s methods would be calls.
//!
//! With LSE each is one instruction. It is one that loads the word before, though nobody wants that: those that load nothing
//! are executed far from the CPU by some of them, at several times the cost (`arch/arm64/include/asm/percpu.h`).

use super::has_lse;
use core::arch::asm;

macro_rules! changing {
    ($(#[$doc:meta])* $name:ident, $instruction:literal, $operation:literal, $store:literal) => {
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// `word` is one that all others access atomically, too.
        #[inline(always)]
        pub(in crate::platform) unsafe fn $name(word: *mut usize, operand: usize) {
            if has_lse() {
                // SAFETY: By the caller's promise. The CPU has the instruction.
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
            } else {
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
        }
    };
}

changing! {
    /// Adds to a word; wraps around.
    add, "ldadd", "add", "stxr"
}

changing! {
    /// The same once all else was changed.
    add_last, "ldaddl", "add", "stlxr"
}

changing! {
    /// Flips bits of a word.
    flip, "ldeor", "eor", "stxr"
}
