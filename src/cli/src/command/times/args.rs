// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The options of `stalls`, `latency` and `lifetimes`.

use std::path::PathBuf;

use clap::Args;

use crate::args::choice::Choosing;
use crate::args::output::OutputArgs;
use crate::view::times::{By, TimesOrder};

const WHERE_HELP: &str = "\
Only call sites for which EXPR holds, before anything is added up: comparisons joined by `and` (or nothing), `or`, `not` and \
parentheses.

Names (file func module line dir subsystem site cause) are compared as for `alloctag list`. Times (total mean min p50 p90 p99 max \
age) and numbers (count alive kept lost) are compared by = != < <= > >=; times are nanoseconds or have units: 48us, 1.5ms, 2s, \
5min, 1h, 3d.

Example: 'p99>1ms cause=reclaim not module=-'";

/// Options of every command about times.
#[derive(Args, Debug)]
pub struct TimesArgs {
    /// A saved text, or a snapshot or recording that has it; - is standard input. The running kernel without
    #[arg(value_name = "FILE", help_heading = "Input")]
    pub file: Option<PathBuf>,
    /// Add times up by site, func, file, dir, module, subsystem, of stalls cause; by site, of stalls by cause as well, without
    #[arg(short, long, value_name = "KEY[,KEY]", value_delimiter = ',', value_parser = Choosing::<By>::new(), hide_possible_values = true, help_heading = "Selection")]
    pub by: Vec<By>,
    /// Sort by count, total, mean, min, p50, p90, p99, max, sites, of lifetimes alive, kept, age, lost, from the largest, or by keys,
    /// from A; a - in front turns it round
    #[arg(short, long, value_name = "KEY[,-KEY]", value_delimiter = ',', allow_hyphen_values = true, value_parser = Choosing::<TimesOrder>::new(), hide_possible_values = true, help_heading = "Selection")]
    pub sort: Vec<TimesOrder>,
    /// Show at most N
    #[arg(short = 'n', long, value_name = "N", help_heading = "Selection")]
    pub limit: Option<usize>,
    /// Only call sites for which EXPR holds, such as 'p99>1ms not module=-'
    #[arg(short = 'w', long = "where", value_name = "EXPR", long_help = WHERE_HELP, help_heading = "Selection")]
    pub condition: Option<String>,
    /// A TOML table of subsystems that goes before the built-in one
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub subsystems: Option<PathBuf>,
    /// Draw a bar for each power of two of nanoseconds below each line; other formats than table have the numbers in any case
    #[arg(long, help_heading = "Output")]
    pub histogram: bool,
    /// Have the kernel forget what it has measured so far, and show nothing
    #[arg(long, conflicts_with_all = ["file", "histogram"], help_heading = "Control")]
    pub reset: bool,
    /// How to write it.
    #[command(flatten)]
    pub output: OutputArgs,
}
