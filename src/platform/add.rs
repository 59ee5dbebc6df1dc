// SPDX-License-Identifier: GPL-2.0-only

//! Adding to words that all CPUs share, where nobody minds the order: an instruction, where that behind `Atomic::add()` is a call.

use kernel::sync::atomic::Atomic;
#[cfg(not(CONFIG_X86_64))]
use kernel::sync::atomic::{Relaxed, Release};
#[cfg(all(CONFIG_ALLOCTAG_LIFETIMES, not(CONFIG_X86_64)))]
use kernel::sync::barrier::{smp_mb, Full};

/// An instruction on a word, with an amount perhaps.
#[cfg(CONFIG_X86_64)]
macro_rules! locked {
    ($instruction:literal, $word:expr $(, $amount:expr)? $(; at $offset:expr)?) => {
        // SAFETY: The word exists, and all accesses are atomic.
        unsafe {
            core::arch::asm!(
                $instruction,
                word = in(reg) $word.as_ptr(),
                $(amount = in(reg) $amount,)?
                $(offset = const $offset,)?
                options(nostack),
            )
        }
    };
}

/// Adds one to a word of 32 bits.
#[inline(always)]
pub fn increment_short(word: &Atomic<u32>) {
    #[cfg(CONFIG_X86_64)]
    locked!("lock inc dword ptr [{word}]", word);
    #[cfg(not(CONFIG_X86_64))]
    word.add(1, Relaxed);
}

/// Adds one to a word of 64 bits.
#[inline(always)]
pub fn increment(word: &Atomic<u64>) {
    #[cfg(CONFIG_X86_64)]
    locked!("lock inc qword ptr [{word}]", word);
    #[cfg(not(CONFIG_X86_64))]
    word.add(1, Relaxed);
}

/// The same once all else was changed. Who finds that by a load with acquire ordering finds all else.
#[inline(always)]
pub fn increment_last(word: &Atomic<u64>) {
    // No access is done after a later one that is locked.
    #[cfg(CONFIG_X86_64)]
    increment(word);
    #[cfg(not(CONFIG_X86_64))]
    word.fetch_add(1, Release);
}

/// What was added is seen before anything that comes, as `smp_mb__after_atomic()` has it.
#[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
#[inline(always)]
pub fn mb_after_adding() {
    #[cfg(not(CONFIG_X86_64))]
    smp_mb(Full);
}

/// Adds to a word of 64 bits.
#[inline(always)]
pub fn add(word: &Atomic<u64>, amount: u64) {
    #[cfg(CONFIG_X86_64)]
    locked!("lock add qword ptr [{word}], {amount}", word, amount);
    #[cfg(not(CONFIG_X86_64))]
    word.add(amount, Relaxed);
}

/// Adds to one of some words of 64 bits that lie together, without its address being found first.
#[inline(always)]
pub fn add_to<const PLACE: usize, const WORDS: usize>(words: &[Atomic<u64>; WORDS], amount: u64) {
    const { assert!(PLACE < WORDS) };
    #[cfg(CONFIG_X86_64)]
    locked!("lock add qword ptr [{word} + {offset}], {amount}", words, amount; at PLACE * size_of::<u64>());
    #[cfg(not(CONFIG_X86_64))]
    if let Some(word) = words.get(PLACE) {
        word.add(amount, Relaxed);
    }
}
