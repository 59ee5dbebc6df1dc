// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag stalls`: how long allocations had to wait, and for what.

use clap::Args;

use super::times::{self, TimesArgs};
use super::Context;
use crate::error::{Outcome, Result};
use crate::model::Timed;

/// Options of `stalls`.
#[derive(Args, Debug)]
#[command(after_help = "\
A stall is an allocation that left the fast path: it is charged once, to the outermost call site, and its time to what it waited \
for: reclaim, compaction, oom, pages (the rest of the page allocator), slab, percpu, vmalloc. One that waited for several stands \
in as many lines; `alloctag list -s stall_ns` counts it once.

Examples:
  alloctag stalls                              where the kernel waits longest for memory
  alloctag stalls --by cause                   for what it waits
  alloctag stalls --by subsystem -s p99        whose waits are the longest
  alloctag stalls -w 'max>10ms' --histogram    how often how long
  alloctag stalls --reset && make test && alloctag stalls
  alloctag stalls --format json stalls.txt     a saved text, for a program")]
pub struct StallsArgs {
    /// What to show, and how.
    #[command(flatten)]
    pub times: TimesArgs,
}

/// Runs the command.
///
/// # Errors
///
/// If options do not go together, nothing can be read, or the output cannot be written.
pub fn run(args: &StallsArgs, context: &mut Context<'_>) -> Result<Outcome> {
    times::run(Timed::Stalls, &args.times, context)
}
