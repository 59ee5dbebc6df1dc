// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag flame`: a flame graph with its roots on top, as SVG.

use clap::Args;

use super::picture::{self, PictureArgs};
use super::Context;
use crate::draw::icicle;
use crate::error::{Outcome, Result};

/// Options of `flame`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag flame -o kernel.svg                 the running kernel, by directory
  alloctag flame --by module -o m.svg a.gz     a saved profile, by module
  alloctag flame -w 'file~^drivers/' > d.svg   what drivers hold")]
pub struct FlameArgs {
    /// What is drawn, and where to.
    #[command(flatten)]
    pub picture: PictureArgs,
}

/// Runs the command.
///
/// # Errors
///
/// If nothing can be read or drawn, or the output cannot be written.
pub fn run(args: &FlameArgs, context: &mut Context<'_>) -> Result<Outcome> {
    picture::draw(&args.picture, 0, icicle::write, context)
}
