// SPDX-License-Identifier: GPL-2.0-only

//! Counters of accounts beyond the dense rows, in chunks that are made when they are needed.
//!
//! A chunk is a per-CPU area with the counters of accounts whose handles differ in their low bits alone. A table keeps how
//! far each chunk lies from where a row that went on so far would have these counters: the same for every CPU, and 0
//! for what the dense rows have.

use super::row::__alloc_tag_counters;
use crate::{
    model::{
        chunk::{Number, ACCOUNTS, NUMBERS},
        handle::Handle,
    },
    platform::tally,
};
use core::{ffi::c_void, mem::size_of, ptr::NonNull};
use kernel::{
    alloc::AllocError,
    bindings,
    sync::atomic::{Atomic, Relaxed},
};

/// Bytes of the counters of an account.
const SIZE: usize = size_of::<bindings::alloctag_counters>();

/// How far the counters of each chunk lie from where one row of all accounts would have them, in words; wraps around.
static SHIFTS: [Atomic<usize>; NUMBERS] = [const { Atomic::new(0) }; NUMBERS];

/// That of an account's chunk.
#[inline(always)]
pub(super) fn shift(handle: Handle) -> usize {
    // SAFETY: There is a place for every number that a handle can have.
    let shift = unsafe { SHIFTS.get_unchecked(Number::of(handle).index()) };
    // SAFETY: All accesses are of whole words. A relaxed load would be a call of C.
    unsafe { shift.as_ptr().read_volatile() }
}

/// The counters of a chunk's accounts.
///
/// # Invariants
///
/// `area` is a per-CPU area of as many counters, and the table says where it lies. There is one chunk of that number.
pub struct Chunk {
    number: Number,
    area: NonNull<c_void>,
}

// SAFETY: What it owns is nobody's in particular.
unsafe impl Send for Chunk {}
// SAFETY: Shared, it does nothing.
unsafe impl Sync for Chunk {}

impl Chunk {
    /// Makes the counters, all of them 0. There is no chunk of that number so far, and the dense rows have none of its
    /// accounts. May sleep.
    ///
    /// # Errors
    ///
    /// [`AllocError`]
    pub fn make(number: Number) -> Result<Self, AllocError> {
        tally::provide(number)?;
        // SAFETY: May sleep.
        let area = unsafe { bindings::alloctag_percpu_area(ACCOUNTS * SIZE) };
        let area = NonNull::new(area).ok_or(AllocError)?;
        let dense = (&raw const __alloc_tag_counters).addr();
        let row = dense.wrapping_add(number.first().index() * SIZE);
        // Nobody knows a handle of the chunk yet, and who learns of one learns of this as well: it comes in a tag, written
        // and read under locks, or in an object that was handed over.
        if let Some(shift) = SHIFTS.get(number.index()) {
            let bytes = area.as_ptr().addr().wrapping_sub(row) as isize;
            // Both are aligned to words.
            shift.store((bytes / size_of::<u64>() as isize) as usize, Relaxed);
        }
        // INVARIANT: By the call and the store above; by the caller's promise there is no other.
        Ok(Self { number, area })
    }
}

impl Drop for Chunk {
    /// Nothing is charged to one of the accounts any more, nor can be.
    fn drop(&mut self) {
        if let Some(shift) = SHIFTS.get(self.number.index()) {
            shift.store(0, Relaxed);
        }
        // SAFETY: By the type's invariant; nobody knows a handle of it.
        unsafe { bindings::free_percpu(self.area.as_ptr()) }
    }
}
