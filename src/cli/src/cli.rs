// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The command line: the commands, and which of them a line of words means.

pub mod default;
pub mod mistake;

use std::io::Write;

use clap::{CommandFactory, Parser, Subcommand};

use crate::args::GlobalArgs;
use crate::command::{self, Context};
use crate::error::{Outcome, Result};
use crate::render::style::ColorChoice;
use crate::render::Style;
use crate::time::Clock;

/// Shows, records and compares Linux's per-call-site memory allocation profile
#[derive(Parser, Debug)]
#[command(
    name = "alloctag",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = false,
    after_help = "Without a COMMAND, `list` is meant: `alloctag -n 10` is `alloctag list -n 10`.\n\n\
                  Exit status: 0 if all went well; 1 if something failed or part of the input could not be read; \
                  2 if the command line makes no sense; 3 if a --fail-if condition holds or `sweep` finds a defect; `fault` and `trace` end as their command does."
)]
pub struct Cli {
    /// What concerns every command.
    #[command(flatten)]
    pub global: GlobalArgs,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// List call sites, or groups of them (the default)
    List(command::list::ListArgs),
    /// Show the profile as it changes, live
    Top(command::top::TopArgs),
    /// Show the profile as a tree
    Tree(command::tree::TreeArgs),
    /// Show one page: totals, what they are made of, what is doubtful
    Summary(command::summary::SummaryArgs),
    /// Keep a profile in a file
    Snap(command::snap::SnapArgs),
    /// Keep a ring of snapshots of the running kernel
    Record(command::record::RecordArgs),
    /// Check that saved profiles are whole and sound
    Check(command::check::CheckArgs),
    /// Show what differs between two profiles
    Diff(command::diff::DiffArgs),
    /// Tell leaks from everything else that grows
    Leak(command::leak::LeakArgs),
    /// Tell apart what call sites have, by where it comes from and for whom
    Watch(command::watch::WatchArgs),
    /// Show what watched call sites have, by where it comes from and for whom
    Contexts(command::contexts::ContextsArgs),
    /// Show how long allocations had to wait, and for what
    Stalls(command::stalls::StallsArgs),
    /// Show how long allocations of chosen call sites took
    Latency(command::latency::LatencyArgs),
    /// Show how long what chosen call sites allocated lived, and what never comes back
    Lifetimes(command::lifetimes::LifetimesArgs),
    /// Show allocations and frees as they happen, and what they add up to
    Trace(command::trace::TraceArgs),
    /// Find out who allocates the kernel's memory: a flame graph, or a file for pprof
    Profile(command::profile::ProfileArgs),
    /// Run a command that is given nothing at chosen call sites
    Fault(command::fault::FaultArgs),
    /// Run a command once for each call site that it touches, with that one failing
    Sweep(command::sweep::SweepArgs),
    /// Become a command whose allocations may fail
    #[command(hide = true)]
    Marked(command::marked::MarkedArgs),
    /// Have the kernel write and free what it can
    #[command(hide = true)]
    Settle,
    /// Put together what to attach to a bug report
    Bundle(command::bundle::BundleArgs),
    /// Write one HTML file to look at: treemap, icicle, table, differences
    Report(command::report::ReportArgs),
    /// Draw a treemap as SVG
    Treemap(command::treemap::TreemapArgs),
    /// Draw a flame graph, roots on top, as SVG
    Flame(command::flame::FlameArgs),
    /// Write the profile in another tool's format
    Export(command::export::ExportArgs),
    /// Serve metrics for Prometheus
    Serve(command::serve::ServeArgs),
    /// Show or set the kernel's profiling, and explain why it is not available
    Ctl(command::ctl::CtlArgs),
    /// Print completions for a shell
    Completions(command::completions::CompletionsArgs),
    /// Write the manual pages
    Man(command::man::ManArgs),
}

/// Carries out a command line.
///
/// # Errors
///
/// Those of the command.
pub fn run(cli: Cli, out: &mut dyn Write) -> Result<Outcome> {
    let color = if cli.global.no_color { ColorChoice::Never } else { cli.global.color };
    let clock = if cli.global.utc { Clock::utc() } else { Clock::local() };
    let mut context = Context { clock, style: Style::of_stdout(color), global: cli.global, out };
    let outcome = match cli.command {
        Command::List(args) => command::list::run(&args, &mut context),
        Command::Top(args) => command::top::run(&args, &mut context),
        Command::Tree(args) => command::tree::run(&args, &mut context),
        Command::Summary(args) => command::summary::run(&args, &mut context),
        Command::Snap(args) => command::snap::run(&args, &mut context),
        Command::Record(args) => command::record::run(&args, &mut context),
        Command::Check(args) => command::check::run(&args, &mut context),
        Command::Diff(args) => command::diff::run(&args, &mut context),
        Command::Leak(args) => command::leak::run(&args, &mut context),
        Command::Watch(args) => command::watch::run(&args, &mut context),
        Command::Contexts(args) => command::contexts::run(&args, &mut context),
        Command::Stalls(args) => command::stalls::run(&args, &mut context),
        Command::Latency(args) => command::latency::run(&args, &mut context),
        Command::Lifetimes(args) => command::lifetimes::run(&args, &mut context),
        Command::Trace(args) => command::trace::run(&args, &mut context),
        Command::Profile(args) => command::profile::run(&args, &mut context),
        Command::Fault(args) => command::fault::run(&args, &mut context),
        Command::Sweep(args) => command::sweep::run(&args, &mut context),
        Command::Marked(args) => command::marked::run(&args, &mut context),
        Command::Settle => command::settle::run(&mut context),
        Command::Bundle(args) => command::bundle::run(&args, &mut context),
        Command::Report(args) => command::report::run(&args, &mut context),
        Command::Treemap(args) => command::treemap::run(&args, &mut context),
        Command::Flame(args) => command::flame::run(&args, &mut context),
        Command::Export(args) => command::export::run(&args, &mut context),
        Command::Serve(args) => command::serve::run(&args, &mut context),
        Command::Ctl(args) => command::ctl::run(&args, &mut context),
        Command::Completions(args) => command::completions::run(&args, Cli::command(), &mut context),
        Command::Man(args) => command::man::run(&args, Cli::command(), &mut context),
    }?;
    outcome.once(context.out.flush())
}
