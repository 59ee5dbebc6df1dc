// SPDX-License-Identifier: GPL-2.0-only

//! The counters of all accounts: a row of them for every CPU, indexed by handle.
//!
//! The rows lie in the per-CPU section; the linker sizes them from the number of tags
//! (`ALLOC_TAG_ROW_OF_COUNTERS` in `include/alloctag/tag.h`). Every update is one instruction on the
//! counter of the CPU that executes it, so it needs neither a lock nor disabled preemption: a task
//! that migrates between two updates leaves one on each CPU, and only the sum over CPUs has a
//! meaning. An interrupt comes before or after an instruction, never within.

use crate::model::{
    handle::Handle,
    reference::Reference,
    totals::{Counters, Totals},
};
use core::mem::size_of;
use kernel::bindings;

#[cfg_attr(all(CONFIG_X86, CONFIG_SMP), path = "counters/x86_64.rs")]
#[cfg_attr(not(all(CONFIG_X86, CONFIG_SMP)), path = "counters/generic.rs")]
mod arch;
#[cfg_attr(CONFIG_ALLOCTAG_STATS, path = "counters/grow.rs")]
#[cfg_attr(not(CONFIG_ALLOCTAG_STATS), path = "counters/live.rs")]
mod kind;

#[cfg(CONFIG_ALLOCTAG_STATS)]
pub use kind::undo;
pub use kind::{add, add_calls, add_slack, sub, sub_bytes, sub_slack};

extern "C" {
    /// The linker script's: where the row of counters begins, as a per-CPU address.
    static __alloc_tag_counters: u8;
}

/// Where a handle's counters lie in a row, in bytes.
#[inline(always)]
const fn offset(handle: Handle) -> usize {
    handle.index() * size_of::<bindings::alloctag_counters>()
}

/// Makes the list of CPUs that readers go by.
///
/// # Errors
///
/// `ENOMEM`, or what the hotplugging of CPUs says.
#[link_section = ".init.text"]
pub fn init() -> kernel::error::Result {
    // SAFETY: `__alloc_tag_counters` is a per-CPU address; once, and may sleep.
    kernel::error::to_result(unsafe {
        bindings::alloctag_rows_init((&raw const __alloc_tag_counters).cast())
    })
}

/// Adds one CPU's counter to a sum.
///
/// # Safety
///
/// `counter` is one of an account's on a CPU.
#[inline(always)]
unsafe fn gather(sum: &mut u64, counter: *const u64) {
    // SAFETY: The caller's promise; the CPU changes it meanwhile by single aligned stores, which a volatile read does not tear.
    *sum = sum.wrapping_add(unsafe { counter.read_volatile() });
}

/// Adds up an account's counters over all CPUs that have ever run: what the others have is 0.
fn sum(account: Handle) -> Counters {
    let mut sum = Counters::default();
    let mut length = 0;
    // SAFETY: Says how many there are.
    let rows = unsafe { bindings::alloctag_rows(&raw mut length) };
    if rows.is_null() {
        return sum_of_possible(account);
    }
    // SAFETY: There are so many rows, and none is ever taken away.
    let rows = unsafe { core::slice::from_raw_parts(rows, length as usize) };
    let at = offset(account);
    let mut add = |row: &*const bindings::alloctag_counters| {
        // SAFETY: A row has counters for every handle.
        unsafe { kind::add_share(&mut sum, row.byte_add(at)) }
    };
    // Several at a time: with hundreds of CPUs this loop is what reading costs.
    const SEVERAL: usize = 4;
    let mut several = rows.chunks_exact(SEVERAL);
    for rows in &mut several {
        rows.iter().for_each(&mut add);
    }
    several.remainder().iter().for_each(add);
    sum
}

/// The same before [`init()`], over all CPUs that there can be.
#[cold]
fn sum_of_possible(account: Handle) -> Counters {
    let mut sum = Counters::default();
    for row in possible() {
        // SAFETY: A row has counters for every handle.
        unsafe { kind::add_share(&mut sum, row.byte_add(offset(account))) }
    }
    sum
}

/// The rows of all CPUs that there can be.
fn possible() -> impl Iterator<Item = *const bindings::alloctag_counters> {
    let row = |cpu| {
        // SAFETY: `__alloc_tag_counters` is a per-CPU address, and the CPU's number is in range.
        unsafe { bindings::alloctag_cpu_counters((&raw const __alloc_tag_counters).cast(), cpu) }
    };
    // Of a CPU that is not possible, there is none.
    (0..kernel::cpu::nr_cpu_ids())
        .map(row)
        .filter(|row| !row.is_null())
}

/// Lets an account begin anew with another call site. Nothing is charged to it any more, and what was taken from it last has
/// been taken: the count of frees says so, which changes last.
pub fn clear(account: Handle) {
    for row in possible() {
        // SAFETY: A row has counters for every handle, and by the caller's promise their CPU leaves these alone.
        unsafe { row.byte_add(offset(account)).cast_mut().write_bytes(0, 1) }
    }
}

/// What an account has, over all CPUs.
#[inline]
pub fn total(account: Handle) -> Totals {
    let totals = sum(account).totals(Reference::SLACK_SHIFT);
    if cfg!(CONFIG_ALLOCTAG_STATS) {
        totals
    } else {
        // The others were not counted.
        Totals {
            bytes: totals.bytes,
            calls: totals.calls,
            ..Totals::default()
        }
    }
}
