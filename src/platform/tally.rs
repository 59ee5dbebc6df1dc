// SPDX-License-Identifier: GPL-2.0-only

//! Where the words are that count failures, for ever: those of the dense rows' accounts together, those of a chunk by
//! themselves.

use crate::{
    model::{
        chunk::{place, Number, ACCOUNTS, NUMBERS},
        handle::Handle,
    },
    platform::{boot_constant::BootConstant, published},
};
use core::{mem::ManuallyDrop, ptr::with_exposed_provenance, slice::from_raw_parts};
use kernel::{
    alloc::AllocError,
    alloc_hooks, bindings,
    prelude::*,
    sync::atomic::{Atomic, Relaxed, Release},
};

/// Those of the dense rows, where there are any.
#[link_section = ".data..ro_after_init"]
static DENSE: BootConstant = BootConstant::new(0);
/// How many there are.
#[link_section = ".data..ro_after_init"]
static COUNT: BootConstant = BootConstant::new(0);

/// Those of each chunk that there has been.
static CHUNKS: [Atomic<usize>; NUMBERS] = [const { Atomic::new(0) }; NUMBERS];

/// How many words of a chunk count for an account.
const KINDS: usize = if cfg!(CONFIG_ALLOCTAG_FAULTS) { 2 } else { 1 };

/// Those of the dense rows that count which failures were made to happen, if anybody has ever wanted any.
static INJECTED: Atomic<usize> = Atomic::new(0);

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
        // SAFETY: One CPU runs, by the caller's promise.
        unsafe {
            DENSE.set(words.expose_provenance());
            COUNT.set(handles);
        }
    }
}

/// So many words at an address, unless that is 0.
///
/// # Safety
///
/// They are there for ever.
unsafe fn words(address: usize, count: usize) -> &'static [Atomic<u64>] {
    if address == 0 {
        return &[];
    }
    // SAFETY: By the caller's promise. CAST: An atomic is the number that it holds.
    unsafe { from_raw_parts(with_exposed_provenance(address), count) }
}

/// The word of an account.
#[inline]
pub(super) fn word(account: Handle) -> Option<&'static Atomic<u64>> {
    let index = account.index();
    if index < COUNT.get() {
        // SAFETY: `make()` made so many, for ever.
        return unsafe { words(DENSE.get(), COUNT.get()) }.get(index);
    }
    chunk_words(account)?.get(place(account))
}

/// Those of an account's chunk: first those of all failures, behind them those of which were made to happen.
fn chunk_words(account: Handle) -> Option<&'static [Atomic<u64>]> {
    // Pairs with the Release of `provide()`.
    let address = published::load(CHUNKS.get(Number::of(account).index())?);
    // SAFETY: The chunk has had so many.
    Some(unsafe { words(address, KINDS * ACCOUNTS) })
}

/// The word of an account for failures that were made to happen, where there are any.
pub(super) fn injected_word(account: Handle) -> Option<&'static Atomic<u64>> {
    if KINDS == 1 {
        return None;
    }
    let index = account.index();
    if index < COUNT.get() {
        // Pairs with the Release of `provide_injected()`.
        let address = published::load(&INJECTED);
        // SAFETY: That made so many, for ever.
        return unsafe { words(address, COUNT.get()) }.get(index);
    }
    chunk_words(account)?.get(ACCOUNTS + place(account))
}

/// Makes such a word for each account of the dense rows, if there are none. One task at a time; may sleep.
///
/// # Errors
///
/// [`AllocError`]
#[cfg(CONFIG_ALLOCTAG_FAULTS)]
pub fn provide_injected() -> Result<(), AllocError> {
    if INJECTED.load(Relaxed) == 0 {
        INJECTED.store(zeroes(COUNT.get())?, Release);
    }
    Ok(())
}

/// The address of so many zeroes, which are nobody's from here on.
fn zeroes(count: usize) -> Result<usize, AllocError> {
    let made = ManuallyDrop::new(alloc_hooks!(KVVec::from_elem(0u64, count, GFP_KERNEL))?);
    Ok(made.as_ptr().expose_provenance())
}

/// Makes the words of a chunk's accounts, or begins anew with those that a chunk of that number has had: a task may remember
/// an account for long, so they stay. May sleep.
///
/// # Errors
///
/// [`AllocError`]
pub fn provide(number: Number) -> Result<(), AllocError> {
    let slot = CHUNKS.get(number.index()).ok_or(AllocError)?;
    let address = slot.load(Relaxed);
    if address == 0 {
        // Release: who finds them finds zeroes.
        slot.store(zeroes(KINDS * ACCOUNTS)?, Release);
        return Ok(());
    }
    // SAFETY: There are so many.
    for word in unsafe { words(address, KINDS * ACCOUNTS) } {
        word.store(0, Relaxed);
    }
    Ok(())
}
