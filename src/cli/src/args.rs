// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The command line.
//!
//! clap fills in the structures of this module, which hold what was typed. Each of them resolves itself to what the commands
//! work with: [`input::InputArgs`] to a request, [`view::ViewArgs`] to a view, [`output::OutputArgs`] to a layout.

pub mod default;
pub mod duration;
pub mod fail_if;
pub mod input;
pub mod output;
pub mod rows;
pub mod sink;
pub mod view;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::command;
use crate::render::style::ColorChoice;

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
                  2 if the command line makes no sense; 3 if a --fail-if condition holds."
)]
pub struct Cli {
    /// What concerns every command.
    #[command(flatten)]
    pub global: GlobalArgs,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Everywhere")]
pub struct GlobalArgs {
    /// When to colour; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
    /// Never colour
    #[arg(long, global = true, conflicts_with = "color")]
    pub no_color: bool,
    /// Where procfs is mounted (a container may see the host's elsewhere)
    #[arg(long, global = true, value_name = "DIR", default_value = "/proc")]
    pub procfs: PathBuf,
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
