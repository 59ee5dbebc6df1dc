// SPDX-License-Identifier: GPL-2.0-only

//! C's part of the core's platform.
#![allow(clippy::missing_safety_doc, reason = "as bindgen has it")]

use crate::{cpu, ffi::c_char, sync::Spinning};
use core::cell::Cell;

/// Nothing was done yet.
pub(crate) fn begin() {
    CONTEXTS.begin();
    PRINTED.set(0);
}

static CONTEXTS: Spinning = Spinning::new();
thread_local! {
    static PRINTED: Cell<usize> = const { Cell::new(0) };
}

/// How many lines were printed since this was asked last.
pub fn printed() -> usize {
    PRINTED.take()
}

pub unsafe fn _printk_deferred(_format: *const c_char, _text: *const core::ffi::c_char) {
    PRINTED.set(PRINTED.get() + 1);
}

pub unsafe fn alloctag_contexts_lock(_flags: &mut usize) -> bool {
    CONTEXTS.lock();
    true
}

pub unsafe fn alloctag_contexts_unlock(_flags: usize) {
    CONTEXTS.unlock();
}

pub unsafe fn raw_smp_processor_id() -> u32 {
    cpu::number() as u32
}

pub unsafe fn alloctag_cond_resched() {}

pub unsafe fn alloctag_tidy_ask() {}

pub unsafe fn alloctag_tidy_in(_seconds: u32) {}

/// The same in each run, or loom could not come back to where it was.
pub unsafe fn get_random_u64() -> u64 {
    0x0123_4567_89ab_cdef
}

/// Zeroes, for ever.
pub unsafe fn alloctag_boot_words(count: usize) -> *mut u64 {
    vec![0; count].leak().as_mut_ptr()
}
