// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The options of `diff`.

use std::path::PathBuf;

use clap::Args;

use super::sort::SortKey;
use crate::args::choice::{Choice, Choosing};
use crate::args::fail_if::FailIfArgs;
use crate::args::output::JudgingArgs;
use crate::args::view::{amount, FilterArgs};
use crate::view::{Group, Key};

impl Choice for SortKey {
    fn words() -> Vec<&'static str> {
        SortKey::names().collect()
    }
}

/// Options of `diff`.
#[derive(Args, Debug)]
#[command(after_help = "\
--where and --fail-if compare, of every site: delta (bytes), percent, calls (allocations added), before, after (bytes), kind (new \
gone grown shrunk same), match (exact high fair low) and its names; what was added to slack requested allocs frees allocated failed injected stalls stall_ns stall_max_ns, \
and rate (allocations a second), of kernels that count them; --where also what `list --where` does, of B's row or, without one, of A's; --fail-if also total, the bytes \
added by all together, and subsystem, whose first words are enough. It is about what is listed, groups with -g, and about sums of \
subsystems where it names one; all that it holds for is named on standard error and in JSON.

Examples:
  alloctag diff before.alloctag after.alloctag
  alloctag diff before.alloctag                     against the running kernel
  alloctag diff rec@-1h @latest                     within the last hour of a recording
  alloctag diff rec@-1h @latest -s rate             who allocated most often meanwhile
  alloctag diff a b --contexts --by stack,comm      who called for what has come since
  alloctag diff 6.12.txt 7.3.txt -n 30              lines that have moved are found again
  alloctag diff a b -g subsystem                    who grew
  alloctag diff a b -w 'kind=new or percent>50' -m 64k
  alloctag diff a b --fail-if 'delta>1M'            exit status 3 if a site grew by more than 1 MiB
  alloctag diff a b --fail-if 'total>16M or kind=new delta>64k'
  alloctag diff a b --fail-if 'subsystem=ext4 delta>1M'   the sum of a subsystem
  alloctag diff a b --fail-if 'delta>1M' --format junit >memory.xml")]
pub struct DiffArgs {
    /// The earlier profile; of a recording DIR, DIR@first, DIR@-1h or DIR@2026-11-21T07:00
    #[arg(value_name = "A", help_heading = "Input", display_order = 0)]
    pub before: PathBuf,
    /// The later profile; @latest alone is of the same recording. The running kernel without
    #[arg(value_name = "B", help_heading = "Input", display_order = 1)]
    pub after: Option<PathBuf>,
    /// Which sites.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Add changes up by site, func, file, dir, dir:DEPTH, module or subsystem (of B, or of A where B does not have the site)
    #[arg(short, long, value_name = "GROUP", default_value = "site", value_parser = Choosing::<Group>::new(), hide_possible_values = true, help_heading = "Selection")]
    pub group: Group,
    /// Sort by delta, change (either way), percent, calls, before, after or name, or by what was added to slack, requested, allocs,
    /// frees, allocated, failed, injected, stalls, stall_ns, stall_max_ns or rate, numbers from the largest; a - in front turns it round. What grew, then what shrank, each from the largest, without
    #[arg(
        short,
        long,
        value_name = "KEY[,-KEY]",
        value_delimiter = ',',
        allow_hyphen_values = true,
        value_parser = Choosing::<SortKey>::new(),
        hide_possible_values = true,
        help_heading = "Selection"
    )]
    pub sort: Vec<SortKey>,
    /// Show only what grew or shrank by at least SIZE bytes, such as 64k
    #[arg(short, long, value_name = "SIZE", value_parser = amount, help_heading = "Selection")]
    pub min: Option<i64>,
    /// Show at most N entries
    #[arg(short = 'n', long, value_name = "N", help_heading = "Selection")]
    pub limit: Option<usize>,
    /// Count pages that only back other rows like the rest
    #[arg(long, help_heading = "Selection")]
    pub include_backing: bool,
    /// Compare contexts, of snapshots and texts that have some; EXPR may name keys as in `alloctag contexts`
    #[arg(long, help_heading = "Selection", conflicts_with_all = ["group", "exact"])]
    pub contexts: bool,
    /// Add contexts up by these keys, as `alloctag contexts` does
    #[arg(short, long, value_name = "KEY[,KEY]", value_delimiter = ',', value_parser = Choosing::<Key>::new(), hide_possible_values = true, help_heading = "Selection", conflicts_with_all = ["group", "exact"])]
    pub by: Vec<Key>,
    /// Take sites whose line has moved for others
    #[arg(long, help_heading = "Selection")]
    pub exact: bool,
    /// What is not to be.
    #[command(flatten)]
    pub fail_if: FailIfArgs,
    /// How to write it.
    #[command(flatten)]
    pub output: JudgingArgs,
}
