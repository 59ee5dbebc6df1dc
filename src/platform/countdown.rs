// SPDX-License-Identifier: GPL-2.0-only

//! Which allocations are looked at where not all are: each CPU counts down the bytes that are left until the next one.
//!
//! C part: `countdown.c`.

use crate::model::{name::Choice, sample::Period};
use kernel::bindings;

// The last is that of call sites of which nobody has decided yet, and always due.
const _: () = assert!(bindings::ALLOCTAG_COUNTDOWNS as usize == Choice::DRAWN + 1);

/// Counts bytes on a countdown of this CPU, by the number of the choice that draws by it, and says whether it is due.
#[cfg(all(CONFIG_X86, CONFIG_SMP))]
#[inline(always)]
pub fn count(by_hook: usize, bytes: usize) -> bool {
    use core::{arch::asm, mem::size_of};

    'due: {
        // SAFETY: There is a countdown for every such number on every CPU, and no other memory is written.
        unsafe {
            asm!(
                "sub qword ptr gs:[{countdowns} + {number} * {size} - {first}], {bytes}",
                "jle {due}",
                countdowns = sym bindings::alloctag_countdowns,
                number = in(reg) by_hook,
                size = const size_of::<i64>(),
                first = const Choice::FIRST_DRAWN as usize * size_of::<i64>(),
                bytes = in(reg) bytes,
                due = label { break 'due true },
                options(nostack),
            )
        };
        false
    }
}

/// Counts bytes on a countdown of this CPU, by the number of the choice that draws by it, and says whether it is due.
#[cfg(not(all(CONFIG_X86, CONFIG_SMP)))]
#[inline(always)]
pub fn count(by_hook: usize, bytes: usize) -> bool {
    // SAFETY: There is a countdown for every such number.
    unsafe { bindings::alloctag_countdown(by_hook as u32 - Choice::FIRST_DRAWN, bytes) }
}

/// Takes bytes off again that were counted for what is never looked at. They may have been counted on another CPU, or by another
/// choice's number if that has just changed: as rarely as what the C part tells of.
pub fn count_back(by_hook: usize, bytes: usize) {
    // Where nobody has decided yet the next one is due again in any case.
    if by_hook <= Choice::NUMBERS {
        // What is due now is the next one's.
        count(by_hook, bytes.wrapping_neg());
    }
}

/// Whether a countdown of this CPU is due, which was counted on already.
pub fn is_due(countdown: usize) -> bool {
    // SAFETY: There is a countdown of that number.
    unsafe { bindings::alloctag_countdown_is_due(countdown as u32) }
}

/// Any number, each as likely as any other.
pub fn random() -> u64 {
    // SAFETY: In any context.
    unsafe { bindings::alloctag_countdown_random() }
}

/// How many bytes lie up to the next allocation.
fn gap(period: Period) -> i64 {
    period.gap(random()) as i64
}

/// Begins a countdown of this CPU anew.
pub fn restart(countdown: usize, period: Period) {
    // SAFETY: There is a countdown of that number.
    unsafe { bindings::alloctag_countdown_set(countdown as u32, gap(period)) }
}

/// Begins a countdown on all CPUs, on which none counts yet.
pub fn begin(countdown: usize, period: Period) {
    for cpu in 0..kernel::cpu::nr_cpu_ids() {
        // SAFETY: There is a countdown of that number.
        unsafe { bindings::alloctag_countdown_set_on(cpu, countdown as u32, gap(period)) }
    }
}

/// Lets nobody foretell what is drawn; may sleep.
pub fn prepare() {
    // SAFETY: May sleep.
    unsafe { bindings::alloctag_countdown_prepare() }
}
