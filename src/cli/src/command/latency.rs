// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag latency`: how long allocations of chosen call sites took, fast ones too.

use clap::Args;

use super::times::{self, TimesArgs};
use super::Context;
use crate::error::{Outcome, Result};
use crate::model::Timed;

/// Options of `latency`.
#[derive(Args, Debug)]
#[command(after_help = "\
Call sites are chosen by rules with the letter l.

Examples:
  alloctag watch 'file fs/ext4/* +l'            time all that ext4 allocates
  alloctag latency                             where the time goes
  alloctag latency -s p99 --histogram          what is slow now and then, and how slow
  alloctag latency --by func --format csv      for a program")]
pub struct LatencyArgs {
    /// What to show, and how.
    #[command(flatten)]
    pub times: TimesArgs,
}

/// Runs the command.
///
/// # Errors
///
/// If options do not go together, nothing can be read, or the output cannot be written.
pub fn run(args: &LatencyArgs, context: &mut Context<'_>) -> Result<Outcome> {
    times::run(Timed::Latency, &args.times, context)
}
