// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag treemap`: areas that are bytes, as SVG.

use clap::Args;

use super::picture::{self, PictureArgs};
use super::Context;
use crate::draw::treemap;
use crate::error::{Outcome, Result};

/// Options of `treemap`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag treemap -o kernel.svg                   the running kernel, by directory
  alloctag treemap --by subsystem -o s.svg a.gz    a saved profile, by subsystem
  alloctag treemap -w 'file~^fs/' --width 800 > fs.svg")]
pub struct TreemapArgs {
    /// What is drawn, and where to.
    #[command(flatten)]
    pub picture: PictureArgs,
    /// Height in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 750, value_parser = picture::pixels(), help_heading = "Output")]
    pub height: u32,
}

/// Runs the command.
///
/// # Errors
///
/// If nothing can be read or drawn, or the output cannot be written.
pub fn run(args: &TreemapArgs, context: &mut Context<'_>) -> Result<Outcome> {
    picture::draw(&args.picture, args.height, treemap::write, context)
}
