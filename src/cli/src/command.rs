// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The commands: one file each, with its options and its `run`.

pub mod bundle;
pub mod check;
pub mod completions;
pub mod ctl;
pub mod diff;
pub mod export;
pub mod flame;
pub mod leak;
pub mod list;
pub mod man;
pub mod record;
pub mod report;
pub mod serve;
pub mod snap;
pub mod summary;
pub mod top;
pub mod tree;
pub mod treemap;

mod picture;
mod reading;

use std::io::Write;

pub use reading::{describe, read, read_all, read_sharing, Chosen, Reading};

use crate::args::{Cli, Command, GlobalArgs};
use crate::error::{printable, Outcome, Result};
use crate::render::style::ColorChoice;
use crate::render::Style;

/// What a command works with besides its options.
pub struct Context<'a> {
    /// Options of every command.
    pub global: GlobalArgs,
    /// What standard output can show.
    pub style: Style,
    /// Standard output, buffered.
    pub out: &'a mut dyn Write,
}

impl Context<'_> {
    /// Says something that the user should know and that is not part of the output.
    pub fn note(&self, text: impl std::fmt::Display) {
        // Nobody can be told that standard error is gone.
        let _ = writeln!(std::io::stderr(), "alloctag: {}", printable(&text.to_string()));
    }
}

/// Carries out a command line.
///
/// # Errors
///
/// Those of the command.
pub fn run(cli: Cli, out: &mut dyn Write) -> Result<Outcome> {
    let color = if cli.global.no_color { ColorChoice::Never } else { cli.global.color };
    let mut context = Context { style: Style::of_stdout(color), global: cli.global, out };
    let outcome = match cli.command {
        Command::List(args) => list::run(&args, &mut context),
        Command::Top(args) => top::run(&args, &mut context),
        Command::Tree(args) => tree::run(&args, &mut context),
        Command::Summary(args) => summary::run(&args, &mut context),
        Command::Snap(args) => snap::run(&args, &mut context),
        Command::Record(args) => record::run(&args, &mut context),
        Command::Check(args) => check::run(&args, &mut context),
        Command::Diff(args) => diff::run(&args, &mut context),
        Command::Leak(args) => leak::run(&args, &mut context),
        Command::Bundle(args) => bundle::run(&args, &mut context),
        Command::Report(args) => report::run(&args, &mut context),
        Command::Treemap(args) => treemap::run(&args, &mut context),
        Command::Flame(args) => flame::run(&args, &mut context),
        Command::Export(args) => export::run(&args, &mut context),
        Command::Serve(args) => serve::run(&args, &mut context),
        Command::Ctl(args) => ctl::run(&args, &mut context),
        Command::Completions(args) => completions::run(&args, &mut context),
        Command::Man(args) => man::run(&args, &mut context),
    }?;
    context.out.flush()?;
    Ok(outcome)
}
