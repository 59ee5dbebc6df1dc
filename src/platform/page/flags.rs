// SPDX-License-Identifier: GPL-2.0-only

//! References among the flags of pages, in bits that nothing else uses.
//!
//! Others may change other flags of a page at any time, whoever owns it: memory failure poisons
//! pages that are free. So the reference is changed by one atomic instruction, and since nobody else
//! changes its bits, flipping those that differ is enough: no loop, nothing to try again.

use crate::model::{field::Field, reference::Reference};
#[cfg(CONFIG_ARM64)]
use crate::platform::arm64::flip;
use kernel::bindings;

/// The bits; `src/init.c` checks them against `<linux/page-flags-layout.h>`.
pub(super) const FIELD: Field = Field::new(
    bindings::ALLOCTAG_PAGE_SPARE_SHIFT as i32,
    bindings::ALLOCTAG_PAGE_SPARE_BITS as i32,
);

/// The word of a page's flags.
#[inline(always)]
pub(super) fn word(page: *mut bindings::page) -> *mut usize {
    // The flags are the first word.
    const _: () = assert!(core::mem::offset_of!(bindings::page, flags) == 0);
    page.cast()
}

/// The reference among the flags.
///
/// # Safety
///
/// `word` is that of a page's flags.
#[inline(always)]
pub(super) unsafe fn get(word: *mut usize) -> Reference {
    // SAFETY: By the caller's promise; others write the word by whole words.
    FIELD.get(unsafe { word.read_volatile() })
}

/// Stores a reference.
///
/// # Safety
///
/// `word` is that of a page's flags, and the caller is the only one who stores a reference there.
#[inline(always)]
pub(super) unsafe fn set(word: *mut usize, reference: Reference) {
    // SAFETY: As in `get()`.
    let before = unsafe { word.read_volatile() };
    // SAFETY: By the caller's promise.
    unsafe { flip(word, FIELD.difference(before, reference)) }
}

/// Flips bits atomically; the C helper behind `atomic_long_xor()` would be a call here.
///
/// # Safety
///
/// `word` can be written.
#[cfg(CONFIG_X86_64)]
#[inline(always)]
unsafe fn flip(word: *mut usize, bits: usize) {
    // SAFETY: By the caller's promise.
    unsafe {
        core::arch::asm!(
            "lock xor qword ptr [{word}], {bits}",
            word = in(reg) word,
            bits = in(reg) bits,
            options(nostack),
        )
    }
}

/// Flips bits atomically.
///
/// # Safety
///
/// `word` can be written.
#[cfg(not(any(CONFIG_X86_64, CONFIG_ARM64)))]
unsafe fn flip(word: *mut usize, bits: usize) {
    use kernel::sync::atomic::{Atomic, Relaxed};

    // SAFETY: By the caller's promise; all accesses are atomic, C's too.
    let word = unsafe { Atomic::from_ptr(word) };
    let mut before = word.load(Relaxed);
    while let Err(now) = word.cmpxchg(before, before ^ bits, Relaxed) {
        before = now;
    }
}
