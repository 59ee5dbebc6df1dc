// SPDX-License-Identifier: GPL-2.0-only

//! The seam to the kernel: addresses, locks and per-CPU areas, each behind a small safe face.

#[cfg(CONFIG_ALLOCTAG_STALLS)]
pub mod add;
#[cfg(CONFIG_ARM64)]
mod arm64;
pub mod boot_constant;
#[cfg_attr(not(CONFIG_ALLOCTAG_CALLS), path = "platform/no_calls.rs")]
pub mod calls;
pub mod clock;
pub mod contexts;
pub mod countdown;
pub mod counters;
pub mod cpu;
pub mod credentials;
pub mod detailed;
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
pub mod events;
#[cfg_attr(not(CONFIG_ALLOCTAG_STATS), path = "platform/no_failures.rs")]
pub mod failures;
#[cfg_attr(not(CONFIG_ALLOCTAG_FAULTS), path = "platform/no_faults.rs")]
pub mod faults;
pub mod flags;
#[cfg_attr(not(CONFIG_ALLOCTAG_LIFETIMES), path = "platform/no_followed.rs")]
pub mod followed;
#[cfg_attr(not(CONFIG_ALLOCTAG_STALLS), path = "platform/no_histograms.rs")]
pub mod histograms;
#[cfg(CONFIG_ALLOCTAG_RUST_CALLERS)]
pub mod location;
pub mod log;
#[cfg_attr(not(CONFIG_ALLOCTAG_EVENTS), path = "platform/no_marks.rs")]
pub mod marks;
#[cfg(CONFIG_MODULES)]
pub mod module;
#[cfg(not(CONFIG_MODULES))]
#[path = "platform/no_module.rs"]
pub mod module;
pub mod page;
pub mod published;
pub mod resched;
pub mod rwsem;
pub mod seq;
pub mod settling;
pub mod slab;
pub mod sort;
pub mod spin;
pub mod stack;
#[cfg(CONFIG_ALLOCTAG_STALLS)]
pub mod stalling;
pub mod stalls;
pub mod string;
pub mod switch;
#[cfg(CONFIG_ALLOCTAG_RUST_CALLERS)]
pub mod symbol;
pub mod tag;
#[cfg_attr(not(CONFIG_ALLOCTAG_STATS), path = "platform/no_tally.rs")]
pub mod tally;
pub mod task;
#[cfg(CONFIG_ALLOCTAG_STALLS)]
pub mod ticks;
pub mod tidying;
pub mod uncounted;
