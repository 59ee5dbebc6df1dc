// SPDX-License-Identifier: GPL-2.0-only

//! What is counted for each account in a word that all CPUs share, because it is seldom.
//!
//! The words are there for ever: those of the dense rows' accounts, one kind of count behind the other, and those of each chunk
//! by themselves.

#[cfg(CONFIG_ALLOCTAG_STALLS)]
use super::add::{add, increment};
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

/// One kind of count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Tally(usize);

impl Tally {
    /// How often there was nothing to give.
    pub const FAILED: Self = Self(0);
    /// How often an allocation had to wait.
    #[cfg(CONFIG_ALLOCTAG_STALLS)]
    pub const STALLS: Self = Self(1);
    /// For how long altogether, in nanoseconds.
    #[cfg(CONFIG_ALLOCTAG_STALLS)]
    pub const STALL_NS: Self = Self(2);
    /// For how long at most, in nanoseconds.
    #[cfg(CONFIG_ALLOCTAG_STALLS)]
    pub const STALL_MAX_NS: Self = Self(3);
    /// How often of the failures because a rule said so. Of a kernel where none can, no account has such a word.
    pub const INJECTED: Self = Self(Self::AT_BOOT);

    /// Of how many kinds the dense rows' accounts have words from boot on.
    const AT_BOOT: usize = if cfg!(CONFIG_ALLOCTAG_STALLS) { 4 } else { 1 };
    /// How many kinds there are.
    const KINDS: usize = Self::AT_BOOT + cfg!(CONFIG_ALLOCTAG_FAULTS) as usize;

    /// All kinds.
    fn all() -> impl Iterator<Item = Self> {
        (0..Self::KINDS).map(Self)
    }

    /// Where the words of this kind are of the dense rows' accounts; 0 where there are none.
    fn dense(self) -> usize {
        if self.0 >= Self::AT_BOOT {
            // Pairs with the Release of `provide_injected()`.
            return published::load(&INJECTED);
        }
        match DENSE.get() {
            0 => 0,
            first => first + self.0 * COUNT.get() * size_of::<u64>(),
        }
    }

    /// The word of an account, where it has one.
    #[inline]
    pub fn of(self, account: Handle) -> Option<&'static Atomic<u64>> {
        let index = account.index();
        if index < COUNT.get() {
            // SAFETY: `make()` and `provide_injected()` made so many of each kind, for ever.
            return unsafe { words(self.dense(), COUNT.get()) }.get(index);
        }
        // Pairs with the Release of `provide()`.
        let address = published::load(CHUNKS.get(Number::of(account).index())?);
        // SAFETY: The chunk has had so many.
        let words = unsafe { words(address, Self::KINDS * ACCOUNTS) };
        words.get(self.0 * ACCOUNTS + place(account))
    }

    /// What is counted.
    #[inline]
    pub fn count(self, account: Handle) -> u64 {
        let word = self.of(account);
        // SAFETY: All accesses are of whole words. A relaxed load would be a call of C.
        word.map_or(0, |word| unsafe { word.as_ptr().read_volatile() })
    }

    /// Adds to it.
    pub fn add(self, account: Handle, number: u64) {
        if let Some(word) = self.of(account) {
            word.add(number, Relaxed);
        }
    }

    /// Begins anew for all accounts.
    #[cfg(CONFIG_ALLOCTAG_STALLS)]
    pub fn forget(self) {
        // SAFETY: `make()` and `provide_injected()` made so many, for ever.
        let dense = unsafe { words(self.dense(), COUNT.get()) };
        let of_chunk = |chunk: &Atomic<usize>| {
            // SAFETY: The chunk has had so many. Pairs with the Release of `provide()`.
            let words = unsafe { words(published::load(chunk), Self::KINDS * ACCOUNTS) };
            words.get(self.0 * ACCOUNTS..(self.0 + 1) * ACCOUNTS)
        };
        let chunks = CHUNKS.iter().filter_map(of_chunk);
        dense.iter().for_each(|word| word.store(0, Relaxed));
        chunks.flatten().for_each(|word| word.store(0, Relaxed));
    }
}

/// How many words of an account say how long it waited: [`Tally::STALLS`] and the next.
#[cfg(CONFIG_ALLOCTAG_STALLS)]
const OF_STALLS: usize = 3;

/// Counts that an account has waited for so many nanoseconds.
#[cfg(CONFIG_ALLOCTAG_STALLS)]
#[inline(always)]
pub fn add_stall(account: Handle, ns: u64) {
    // All of them at one look, for this is on the path of whoever waits.
    let (index, count) = (account.index(), COUNT.get());
    let (address, index, step) = if index < count {
        (DENSE.get(), index, count)
    } else {
        let number = Number::of(account).index();
        // Pairs with the Release of `provide()`.
        let address = CHUNKS.get(number).map_or(0, published::load);
        (address, place(account), ACCOUNTS)
    };
    if address == 0 {
        return;
    }
    let first = Tally::STALLS.0 * step + index;
    // SAFETY: There are so many kinds of words for so many accounts, for ever.
    let words: [&Atomic<u64>; OF_STALLS] = unsafe {
        let words = with_exposed_provenance::<Atomic<u64>>(address).add(first);
        [&*words, &*words.add(step), &*words.add(2 * step)]
    };
    let [stalls, sum, most] = words;
    increment(stalls);
    add(sum, ns);
    raise(most, ns);
}

/// Raises a word to a number, if it is less.
#[cfg(CONFIG_ALLOCTAG_STALLS)]
#[inline(always)]
pub fn raise(word: &Atomic<u64>, number: u64) {
    // SAFETY: All accesses are of whole words. A relaxed load would be a call of C.
    let most = unsafe { word.as_ptr().read_volatile() };
    if most < number {
        raise_from(word, most, number);
    }
}

/// The same where it was less.
#[cfg(CONFIG_ALLOCTAG_STALLS)]
#[cold]
#[inline(never)]
fn raise_from(word: &Atomic<u64>, mut most: u64, number: u64) {
    while most < number {
        match word.cmpxchg(most, number, Relaxed) {
            Ok(_) => return,
            Err(now) => most = now,
        }
    }
}

/// The account is another call site's now.
pub fn clear(account: Handle) {
    for word in Tally::all().filter_map(|tally| tally.of(account)) {
        word.store(0, Relaxed);
    }
}

/// Those of the dense rows, where there are any.
#[link_section = ".data..ro_after_init"]
static DENSE: BootConstant = BootConstant::new(0);
/// How many there are of a kind.
#[link_section = ".data..ro_after_init"]
static COUNT: BootConstant = BootConstant::new(0);

/// Those of each chunk that there has been.
static CHUNKS: [Atomic<usize>; NUMBERS] = [const { Atomic::new(0) }; NUMBERS];

/// Those of the dense rows that count which failures were made to happen, if anybody has ever wanted any.
static INJECTED: Atomic<usize> = Atomic::new(0);

/// Makes the words for so many handles. Where there is no memory for them nothing is counted.
///
/// # Safety
///
/// Called during boot, once, while one CPU runs and memory still comes from memblock.
#[link_section = ".init.text"]
pub unsafe fn make(handles: usize) {
    // SAFETY: By the caller's promise.
    let words = unsafe { bindings::alloctag_boot_words(Tally::AT_BOOT * handles) };
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

/// Makes a word for each account of the dense rows in which injected failures are counted, if there are none. One task at a
/// time; may sleep.
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
        slot.store(zeroes(Tally::KINDS * ACCOUNTS)?, Release);
        return Ok(());
    }
    // SAFETY: There are so many.
    for word in unsafe { words(address, Tally::KINDS * ACCOUNTS) } {
        word.store(0, Relaxed);
    }
    Ok(())
}
