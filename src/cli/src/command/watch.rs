// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag watch`: has the kernel tell apart what call sites have, by where it comes from and for whom.

use clap::Args;

use super::Context;
use crate::error::{Error, Outcome, Result};
use crate::render::fit::End;
use crate::render::json::head;
use crate::render::style::Ink;
use crate::render::units::count;
use crate::render::{Cell, Column, Format, Layout, Table};
use crate::rule::Rules;
use crate::source::control::{Control, Listed};
use crate::source::surroundings;

/// Options of `watch`.
#[derive(Args, Debug)]
#[command(after_help = "\
A rule names call sites by all of the words `file GLOB`, `func GLOB`, `module GLOB`, `line A[-B]` that it has, or all of them by \
`*`. Then come letters and what they want: `+c by=KEY,...` for contexts, told apart by any of stack (depth=1..16), caller, comm, \
pid, cgroup, node, order, gfp, age (slice=1m); `every=512K` takes samples. `+l` has allocations timed (see alloctag latency), \
`+s` objects followed (alloctag lifetimes; every= as well), `+t` has tracers told of these alone, and `+f` has them fail (alloctag \
fault does that for a command). `-c` makes exceptions: for each call site the last rule that \
says something decides. Rules hold until they are taken back, for modules that come later, too.

Examples:
  alloctag watch 'file fs/inode.c func alloc_inode +c by=stack'  who makes inodes
  alloctag watch module nvme +c by=comm,cgroup                   for whom; one rule needs no quotes
  alloctag watch '* +c by=stack every=512K' 'file slub.c -c'     all by samples, but for a file
  alloctag watch --list                                          what is watched
  alloctag watch --stop 2                                        no more of rule 2
  alloctag watch --stop                                          no more of anything")]
pub struct WatchArgs {
    /// Rules, each in quotes; of a single one the words
    #[arg(value_name = "RULE")]
    pub rules: Vec<String>,
    /// Show the rules that there are (without RULE, too)
    #[arg(short, long, conflicts_with = "rules")]
    pub list: bool,
    /// Take the rules of these numbers back; all without a number
    #[arg(long, value_name = "N", num_args = 0.., conflicts_with_all = ["rules", "list"])]
    pub stop: Option<Vec<u32>>,
    /// How to write the list
    #[arg(long, value_name = "FORMAT", default_value = "table", help_heading = "Output")]
    pub format: Format,
}

/// Runs the command.
///
/// # Errors
///
/// If a rule makes no sense, or the kernel does not take it.
pub fn run(args: &WatchArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let control = Control::of(&context.global.procfs);
    let layout = Layout { format: args.format, style: context.style, ..Layout::default() };
    if let Some(numbers) = &args.stop {
        let numbers = Some(numbers.as_slice()).filter(|numbers| !numbers.is_empty());
        control.take_back(numbers)?;
        return Ok(Outcome::Done);
    }
    if args.rules.is_empty() {
        let rules = control.list()?;
        write(&rules, &layout, context)?;
        return Ok(Outcome::Done);
    }
    let rules = Rules::of_arguments(&args.rules)
        .map_err(|problem| Error::expression("RULE", &args.rules.join(" "), problem))?;
    let added = control.add(&rules)?;
    write(&added, &layout, context)?;
    for rule in added.iter().filter(|rule| rule.sites == 0) {
        context.note(format_args!("rule {} is about no call site that there is now", rule.number));
    }
    if surroundings::profiling(&context.global.procfs).enabled == Some(false) {
        context.note("profiling is off, and so are rules; `alloctag ctl on` turns it on");
    }
    Ok(Outcome::Done)
}

const COLUMNS: [Column; 5] = [
    Column::right("rule", "RULE"),
    Column::right("sites", "SITES"),
    Column::right("contexts", "CONTEXTS"),
    Column::right("lost", "LOST"),
    Column::left("command", "COMMAND").cut(End::Back),
];

fn write(rules: &[Listed], layout: &Layout, context: &mut Context<'_>) -> Result<()> {
    let number = |number: u64| Cell::Count(i64::try_from(number).unwrap_or(i64::MAX));
    let cells = |rule: &'_ Listed| {
        let command = Cell::Text(rule.command.clone().into());
        vec![number(rule.number.into()), number(rule.sites), number(rule.contexts), number(rule.lost), command]
    };
    let table = Table { columns: COLUMNS.to_vec(), rows: rules.iter().map(cells).collect() };
    table.write(layout, &head("alloctag.watch/1"), context.out)?;
    let lost: u64 = rules.iter().fold(0, |sum, rule| sum.saturating_add(rule.lost));
    if lost > 0 {
        let lost = count(lost, "allocation");
        let line = format!("{lost} found no room for a context, and are charged to their call sites alone");
        layout.remark(Ink::Alarm, &line, context.out)?;
    }
    Ok(())
}
