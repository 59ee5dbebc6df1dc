// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The options of `contexts`.

use std::path::PathBuf;

use clap::Args;

use crate::args::choice::Choosing;
use crate::args::output::OutputArgs;
use crate::args::view::size;
use crate::view::contexts::Order;
use crate::view::Key;

const WHERE_HELP: &str = "\
Only contexts for which EXPR holds: as for `alloctag list`, with the call site's names and the context's numbers (bytes calls avg \
slack allocs frees allocated), and besides:

stack, which holds if it does for one function of the stack: stack=ext4_*; the kernel's keys comm pid cgroup node order gfp age \
every caller; any other by key.NAME. = of a cgroup takes its id or its path, of gfp one of the flags, of age seconds: age>=960. What \
a context is not told apart by is neither equal nor unequal to anything.

Example: 'comm=kworker* stack~^ext4_ bytes>64k'";

/// Options of `contexts`.
#[derive(Args, Debug)]
#[command(after_help = "\
Call sites are chosen by `alloctag watch`. Without --by every context stands for itself, with its stack below it.

Examples:
  alloctag contexts                                   the largest first
  alloctag contexts --by comm -s allocs               who allocates most often
  alloctag contexts --by stack,comm -w func=leaks     who called, and for whom
  alloctag contexts --tree                            from the outermost functions downwards
  alloctag contexts --invert -w 'bytes>1M'            from the call sites to who called them
  alloctag contexts --by cgroup,stack --tree -d 3     what each cgroup does
  alloctag contexts --cumulative a.alloctag           what has allocated most, freed or not
  ssh host sudo cat /sys/kernel/debug/alloctag/contexts | alloctag contexts - --format json")]
pub struct ContextsArgs {
    /// A saved text of contexts, or a snapshot or recording that has some; - is standard input. The running kernel without
    #[arg(value_name = "FILE", help_heading = "Input")]
    pub file: Option<PathBuf>,
    /// Add contexts up by site, func, file, dir, module, subsystem, stack, caller, comm, pid, cgroup, node, order, gfp, age, every,
    /// key.NAME; by all that tells them apart without
    #[arg(short, long, value_name = "KEY[,KEY]", value_delimiter = ',', value_parser = Choosing::<Key>::new(), hide_possible_values = true, help_heading = "Selection")]
    pub by: Vec<Key>,
    /// Sort by bytes, calls, avg, contexts, slack, allocs, frees, allocated, from the largest, or by keys, from A; a - in front
    /// turns it round
    #[arg(short, long, value_name = "KEY[,-KEY]", value_delimiter = ',', allow_hyphen_values = true, value_parser = Choosing::<Order>::new(), hide_possible_values = true, help_heading = "Selection")]
    pub sort: Vec<Order>,
    /// Show at most N, of a tree at most N below each
    #[arg(short = 'n', long, value_name = "N", help_heading = "Selection")]
    pub limit: Option<usize>,
    /// Show only what holds at least SIZE bytes; in a tree half a percent of all without
    #[arg(short, long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true, help_heading = "Selection")]
    pub min: Option<i64>,
    /// Only contexts for which EXPR holds, such as 'comm=nginx stack~^ext4_ bytes>64k'
    #[arg(short = 'w', long = "where", value_name = "EXPR", long_help = WHERE_HELP, help_heading = "Selection")]
    pub condition: Option<String>,
    /// A TOML table of subsystems that goes before the built-in one
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub subsystems: Option<PathBuf>,
    /// Show what holds nothing too
    #[arg(short, long, help_heading = "Selection")]
    pub zeros: bool,
    /// Count pages in which the memory of other call sites lies like the rest
    #[arg(long, help_heading = "Selection")]
    pub include_backing: bool,
    /// Count all that was ever allocated, freed or not
    #[arg(short, long, help_heading = "Selection")]
    pub cumulative: bool,
    /// Show the stacks as a tree, the outermost functions on top
    #[arg(short, long, help_heading = "Output")]
    pub tree: bool,
    /// Show the stacks as a tree, the call sites on top and their callers below
    #[arg(long, help_heading = "Output")]
    pub invert: bool,
    /// Show so many levels of a tree
    #[arg(short, long, value_name = "N", help_heading = "Output")]
    pub depth: Option<usize>,
    /// How to write it.
    #[command(flatten)]
    pub output: OutputArgs,
}
