// SPDX-License-Identifier: GPL-2.0-only

//! The counters: for every CPU a dense row, indexed by handle.
//!
//! The rows lie in the per-CPU section; the linker sizes them from the number of tags
//! (`ALLOC_TAG_ROW_OF_COUNTERS` in `include/alloctag/tag.h`). Every update is one instruction on the
//! counter of the CPU that executes it, so it needs neither a lock nor disabled preemption: a task
//! that migrates between two updates leaves one on each CPU, and only the sum over CPUs has a
//! meaning. An interrupt comes before or after an instruction, never within.

use crate::model::{handle::Handle, totals::Totals};
use core::mem::size_of;
use kernel::bindings;

#[cfg_attr(all(CONFIG_X86, CONFIG_SMP), path = "counters/x86_64.rs")]
#[cfg_attr(not(all(CONFIG_X86, CONFIG_SMP)), path = "counters/generic.rs")]
mod arch;

pub use arch::{add, add_calls, sub, sub_bytes};

extern "C" {
    /// The linker script's: where the row of counters begins, as a per-CPU address.
    static __alloc_tag_counters: u8;
}

/// Where a handle's counter lies in a row, in bytes.
#[inline(always)]
const fn offset(handle: Handle) -> usize {
    handle.index() * size_of::<bindings::alloctag_counter>()
}

/// The counter of an account on each CPU, and those of the accounts that follow behind it.
fn on_each_cpu(first: Handle) -> impl Iterator<Item = *const bindings::alloctag_counter> {
    (0..kernel::cpu::nr_cpu_ids()).filter_map(move |cpu| {
        // SAFETY: `__alloc_tag_counters` is a per-CPU address, and the CPU's number is in range.
        let row = unsafe {
            bindings::alloctag_cpu_counters((&raw const __alloc_tag_counters).cast(), cpu)
        };
        // Of a CPU that is not possible, there is none. A row has a counter for every handle.
        (!row.is_null()).then(|| row.wrapping_add(first.index()))
    })
}

/// What a counter says.
///
/// # Safety
///
/// `counter` is that of an account on a CPU.
#[inline(always)]
unsafe fn read(counter: *const bindings::alloctag_counter) -> Totals {
    // SAFETY: The caller's promise; its CPU changes it meanwhile by single aligned stores, which a
    // volatile read does not tear.
    unsafe {
        Totals {
            bytes: (&raw const (*counter).bytes).read_volatile() as i64,
            calls: (&raw const (*counter).calls).read_volatile(),
        }
    }
}

/// What an account has alive, over all CPUs.
pub fn total(account: Handle) -> Totals {
    let mut total = Totals::default();
    for counter in on_each_cpu(account) {
        // SAFETY: The account's.
        total.add(unsafe { read(counter) });
    }
    total
}

/// How many counters are added in one round of a loop.
const SEVERAL: usize = 8;

/// Adds up the counters of consecutive accounts, the first of which is `first`, over all CPUs.
///
/// Goes CPU by CPU, so that each row is read as a stream.
pub fn sum(first: Handle, totals: &mut [Totals]) {
    totals.fill(Totals::default());
    for mut counter in on_each_cpu(first) {
        let mut add = |total: &mut Totals| {
            // SAFETY: The caller's accounts exist, so the row has a counter for each.
            total.add(unsafe { read(counter) });
            counter = counter.wrapping_add(1);
        };
        // Several at a time: with hundreds of CPUs this loop is what reading costs.
        let mut several = totals.chunks_exact_mut(SEVERAL);
        for totals in &mut several {
            totals.iter_mut().for_each(&mut add);
        }
        several.into_remainder().iter_mut().for_each(add);
    }
}
