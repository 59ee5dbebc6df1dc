// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag lifetimes`: how long what chosen call sites allocated lived, and how old is what lives.

use clap::Args;

use super::times::{self, TimesArgs};
use super::Context;
use crate::error::{Outcome, Result};
use crate::model::Timed;

/// Options of `lifetimes`.
#[derive(Args, Debug)]
#[command(after_help = "\
Call sites are chosen by rules with the letter s. COUNT to MAX are of what was freed, ALIVE and AGE (of half of them at most) of \
what lives, KEPT is the share of all that still does.

Examples:
  alloctag watch 'module nvme +s every=64K'     follow those that one byte of 64 KiB falls on
  alloctag lifetimes -s -p50 -w 'p99<1ms count>1000'
                                               what is short-lived enough for a cache
  alloctag lifetimes -s kept,alive -w 'age>1h'  what never comes back
  alloctag lifetimes --histogram -n 3          how long, and how old, as bars")]
pub struct LifetimesArgs {
    /// What to show, and how.
    #[command(flatten)]
    pub times: TimesArgs,
}

/// Runs the command.
///
/// # Errors
///
/// If options do not go together, nothing can be read, or the output cannot be written.
pub fn run(args: &LifetimesArgs, context: &mut Context<'_>) -> Result<Outcome> {
    times::run(Timed::Lifetimes, &args.times, context)
}
