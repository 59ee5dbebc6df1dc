// SPDX-License-Identifier: GPL-2.0-only

//! The counters of all accounts: a dense row of them for every CPU, indexed by handle, and chunks for those beyond.
//!
//! Every update is one instruction on the counter of the CPU that executes it, or an atomic one, so it needs neither a
//! lock nor disabled preemption: a task that migrates between two updates leaves one on each CPU, and
//! only the sum over CPUs has a meaning. An interrupt comes before or after an instruction, never
//! within.

#[cfg_attr(all(CONFIG_X86, CONFIG_SMP), path = "counters/x86_64.rs")]
#[cfg_attr(CONFIG_ARM64, path = "counters/arm64.rs")]
#[cfg_attr(
    not(any(all(CONFIG_X86, CONFIG_SMP), CONFIG_ARM64)),
    path = "counters/generic.rs"
)]
mod arch;
mod chunk;
mod counted;
#[cfg_attr(CONFIG_ALLOCTAG_STATS, path = "counters/grow.rs")]
#[cfg_attr(not(CONFIG_ALLOCTAG_STATS), path = "counters/live.rs")]
mod kind;
mod place;
mod row;
#[cfg_attr(CONFIG_ARM64, path = "counters/several/arm64.rs")]
mod several;
mod sum;

pub use chunk::Chunk;
pub use counted::Counted;
#[cfg(CONFIG_ALLOCTAG_STATS)]
pub use kind::undo;
pub use kind::{add_calls, change_slack, sub_bytes};
pub use place::{is_dense, Detailed, Place, Plain, Reach, DENSE};
pub use row::init;
pub use sum::{clear, is_idle, total, Cpus};
