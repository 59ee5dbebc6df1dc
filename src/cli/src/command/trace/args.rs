// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The options of `trace`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::output::OutputArgs;
use crate::args::view::amount;
use crate::time::span;

const WHERE_HELP: &str = "\
Only call sites for which EXPR holds: comparisons joined by `and` (or nothing), `or`, `not` and parentheses.

Names (file func module dir subsystem site) are compared as for `alloctag list`, line by = != < <= > >= and with ranges.

Example: 'file~^fs/ext4 not module=-'";

/// Options of `trace`.
#[derive(Args, Debug)]
#[command(after_help = "\
Every allocation and every free is told by the kernel, with the call site that allocated, and added up: by process, by call site, \
how long things lived, what was freed on another CPU, what is left. Of COMMAND, what it and its children allocate counts, and what \
becomes of that, whoever frees it; the exit status is COMMAND's. Pages are those of the page allocator, which slab objects lie in \
as well; bytes of a process are those of objects and per-CPU areas.

What the kernel's buffers could not take is told; then what is left, and lifetimes, are of what was seen.

Examples:
  alloctag trace --for 5s                             what the whole kernel does
  alloctag trace -- make -j4                          what a command costs and leaves behind
  alloctag trace --events -w module=nvme              line by line
  alloctag trace -o x.trace -- systemctl start x      to be looked at later, or elsewhere
  alloctag trace --replay x.trace -w 'file~^fs/'")]
pub struct TraceArgs {
    /// Look at what was kept by -o
    #[arg(long, value_name = "FILE", conflicts_with_all = ["time", "output_file", "buffer", "command"], help_heading = "Input")]
    pub replay: Option<PathBuf>,
    /// For so long; until COMMAND ends, or ^C, without
    #[arg(long = "for", value_name = "TIME", value_parser = span::interval, help_heading = "Input")]
    pub time: Option<Duration>,
    /// Room for events not yet read, for each CPU
    #[arg(long, value_name = "SIZE", default_value = "4M", value_parser = amount, help_heading = "Input")]
    pub buffer: i64,
    /// Only call sites for which EXPR holds, such as 'file~^fs/ext4 not module=-'
    #[arg(short = 'w', long = "where", value_name = "EXPR", long_help = WHERE_HELP, help_heading = "Selection")]
    pub condition: Option<String>,
    /// A TOML table of subsystems that goes before the built-in one
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub subsystems: Option<PathBuf>,
    /// Show at most N lines of each table of the summary; 10 for people, all for programs without
    #[arg(short = 'n', long, value_name = "N", help_heading = "Selection")]
    pub limit: Option<usize>,
    /// Show each event as it happens, failures and waits as well; as a table or as ndjson
    #[arg(long, help_heading = "Output")]
    pub events: bool,
    /// Show the summary behind the events as well
    #[arg(long, help_heading = "Output")]
    pub summary: bool,
    /// Keep the kernel's events in FILE, for --replay
    #[arg(short = 'o', long = "output", value_name = "FILE", help_heading = "Output")]
    pub output_file: Option<PathBuf>,
    /// Replace FILE if it is there
    #[arg(long, requires = "output_file", help_heading = "Output")]
    pub force: bool,
    /// How to write it.
    #[command(flatten)]
    pub output: OutputArgs,
    /// The command, with its arguments
    #[arg(value_name = "COMMAND", last = true)]
    pub command: Vec<OsString>,
}
