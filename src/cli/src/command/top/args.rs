// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The options of `top`, and what they come to with what was kept the last time.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::choice::Choosing;
use crate::args::output::UnitArgs;
use crate::args::view::size;
use crate::error::{Error, Result};
use crate::source::Interface;
use crate::subsystem::Subsystems;
use crate::time::span;
use crate::top::saved::Saved;
use crate::top::{Column, Filter, Order, Settings, INTERVALS};
use crate::view::Group;

/// Options of `top`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag top                              live; ? explains the keys
  alloctag top -g subsystem -s rate         who grows right now
  alloctag top -s allocs -f bytes,slack,allocs    who allocates most often, if the kernel counts it
  alloctag top -w ext4                      everything with ext4 in its name
  alloctag top /var/lib/alloctag            replay a recording
  alloctag top -o -n 20                     twenty lines, once, for a pipe
  alloctag top -b -d 1m -i 60 -n 10 >log    ten lines a minute for an hour")]
pub struct TopArgs {
    /// A recording to replay: Space, arrows and [ ] lead through it, - and + set its speed. The running kernel without
    #[arg(value_name = "RECORDING", help_heading = "Reading")]
    pub recording: Option<PathBuf>,
    /// Only rows for which EXPR holds, or that have it in their name; the language is that of `list --where`
    #[arg(short = 'w', long = "where", value_name = "EXPR", help_heading = "Selection")]
    pub filter: Option<String>,
    /// A TOML table of subsystems that goes before the built-in one
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub subsystems: Option<PathBuf>,
    /// Add rows up by site (the default), func, file, dir, dir:DEPTH, module or subsystem
    #[arg(short, long, value_name = "GROUP", value_parser = Choosing::<Group>::new(), hide_possible_values = true, help_heading = "Selection")]
    pub group: Option<Group>,
    /// Show a tree, by directory or what --group says
    #[arg(short, long, help_heading = "Selection")]
    pub tree: bool,
    /// Sort by bytes (or s; the default), delta, rate, calls (or c), avg, name (or t), or by what --fields has of some kernels; a -
    /// in front turns it round
    #[arg(
        short,
        long,
        value_name = "KEY",
        value_parser = Choosing::<Order>::new(),
        hide_possible_values = true,
        allow_hyphen_values = true,
        help_heading = "Selection"
    )]
    pub sort: Option<Order>,
    /// Show at most N lines
    #[arg(short = 'n', long, value_name = "N", help_heading = "Selection")]
    pub limit: Option<usize>,
    /// Show only lines of at least SIZE bytes, such as 64k
    #[arg(short, long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true, help_heading = "Selection")]
    pub min: Option<i64>,
    /// Show lines that hold nothing too
    #[arg(short, long, help_heading = "Selection")]
    pub zeros: bool,
    /// Count pages that only back other rows like the rest
    #[arg(long, help_heading = "Selection")]
    pub include_backing: bool,
    /// Read every TIME, from 0.1s to 1d; 2s without, and 0.5s of a recording, whose pages --batch prints without delay
    #[arg(short, long, value_name = "TIME", value_parser = delay, help_heading = "Reading")]
    pub delay: Option<Duration>,
    /// Which of the kernel's interfaces to read by
    #[arg(long, value_name = "INTERFACE", default_value = "auto", help_heading = "Reading")]
    pub source: Interface,
    /// Print one page and end
    #[arg(short, long, help_heading = "Output")]
    pub once: bool,
    /// Print a page for every reading, until interrupted
    #[arg(short, long, conflicts_with = "once", help_heading = "Output")]
    pub batch: bool,
    /// With --batch, end after N pages
    #[arg(short, long, value_name = "N", requires = "batch", help_heading = "Output")]
    pub iterations: Option<u64>,
    /// With --once or --batch, write pages for people or, of each, one JSON object on a line
    #[arg(long, value_name = "FORMAT", default_value = "page", help_heading = "Output")]
    pub format: Form,
    /// Show these columns: bytes, share, delta, rate, calls, avg, trend; of kernels that count them slack, requested, waste, and
    /// allocs, frees, allocated, failed, injected, stalls, stall_ns a second, and stall_max_ns; names are always there
    #[arg(short, long, value_name = "LIST", value_parser = Column::list, help_heading = "Output")]
    pub fields: Option<Columns>,
    /// Leave the mouse to the terminal, which can select text by it
    #[arg(long, help_heading = "Output")]
    pub no_mouse: bool,
    /// Show things as if no settings had been kept
    #[arg(long, help_heading = "Output")]
    pub no_settings: bool,
    /// The units.
    #[command(flatten)]
    pub units: UnitArgs,
}

/// Columns as one value.
type Columns = Vec<Column>;

/// How a page is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// Lines for people.
    Page,
    /// One JSON object on a line.
    Json,
}

impl TopArgs {
    /// Whether pages are printed.
    pub(super) fn on_paper(&self) -> bool {
        self.once || self.batch
    }

    /// The text of the filter; what was kept goes behind what is asked for.
    pub(super) fn prompt(&self, saved: &Saved) -> String {
        self.filter.clone().or_else(|| saved.filter.clone()).unwrap_or_default()
    }

    /// What is shown at first.
    ///
    /// # Errors
    ///
    /// If the filter makes no sense.
    pub(super) fn settings(&self, saved: &Saved, subsystems: &Subsystems) -> Result<Settings> {
        let prompt = self.prompt(saved);
        let columns = self.fields.clone().or_else(|| Column::list(saved.fields.as_ref()?).ok());
        Ok(Settings {
            filter: Filter::parse(&prompt, subsystems).map_err(|error| Error::expression("--where", &prompt, error))?,
            group: self.group.or_else(|| saved.group.as_ref()?.parse().ok()).unwrap_or_default(),
            tree: self.tree || saved.tree.unwrap_or_default(),
            order: self.sort.or_else(|| saved.sort.as_ref()?.parse().ok()).unwrap_or_default(),
            columns: columns.unwrap_or_else(|| Column::USUAL.to_vec()),
            min: self.min,
            limit: self.limit,
            zeros: self.zeros || saved.zeros.unwrap_or_default(),
            include_backing: self.include_backing || saved.include_backing.unwrap_or_default(),
            // A page cannot be asked to open a branch.
            open_all: self.on_paper(),
            ..Settings::default()
        })
    }
}

/// Reads a delay.
fn delay(text: &str) -> std::result::Result<Duration, String> {
    let found = span::parse(text)?;
    INTERVALS.contains(&found).then_some(found).ok_or_else(|| "must be from 0.1s to 1d".to_owned())
}
