// SPDX-License-Identifier: GPL-2.0-only

//! C's part of the core's platform.
#![allow(
    clippy::missing_safety_doc,
    non_camel_case_types,
    non_upper_case_globals,
    reason = "as bindgen has it"
)]

use crate::{
    cpu::{self, CPUS},
    ffi::{c_char, c_int, c_void},
    sync::{
        atomic::{Atomic, Relaxed},
        Spinning,
    },
};
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

/// What a CPU has done for an account.
#[repr(C)]
pub struct alloctag_counters {
    pub given: u64,
    pub allocs: u64,
    pub taken: u64,
    pub frees: u64,
    pub slack: u64,
}

/// How many words a CPU has for the counters of the first accounts.
const WORDS: usize = 64;

static ROWS: [[Atomic<u64>; WORDS]; CPUS] = [const { [const { Atomic::new(0) }; WORDS] }; CPUS];

/// The per-CPU address of all of these.
#[no_mangle]
static __alloc_tag_counters: u64 = 0;

/// No CPU is known to have run: all are asked.
pub static mut alloctag_nr_rows: usize = 0;
pub static mut alloctag_rows: *const *const alloctag_counters = core::ptr::null();

pub unsafe fn alloctag_rows_init(_row: *const alloctag_counters) -> c_int {
    0
}

pub unsafe fn alloctag_cpu_counters(
    _row: *const alloctag_counters,
    cpu: u32,
) -> *const alloctag_counters {
    ROWS.get(cpu as usize)
        .map_or(core::ptr::null(), |row| row.as_ptr().cast())
}

pub unsafe fn alloctag_this_cpu_add(counter: *mut c_void, amount: usize) {
    let bytes = counter.addr() - (&raw const __alloc_tag_counters).addr();
    ROWS[cpu::number()][bytes / size_of::<u64>()].add(amount as u64, Relaxed);
}

/// There is no memory for more.
pub unsafe fn alloctag_percpu_area(_bytes: usize) -> *mut c_void {
    core::ptr::null_mut()
}

pub unsafe fn free_percpu(_area: *mut c_void) {}
