// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag diff`: what differs between two profiles.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::{read_sharing, Context};
use crate::args::fail_if::FailIfArgs;
use crate::args::input::input;
use crate::args::output::OutputArgs;
use crate::args::view::FilterArgs;
use crate::compare::{changes, Change, Confidence, Kind};
use crate::error::{Error, Outcome, Result};
use crate::model::{Names, Profile};
use crate::query::{Condition, Fact};
use crate::render::json::{head, Head};
use crate::render::style::Ink;
use crate::render::{Cell, Column, Format, Layout, Table};
use crate::source::{Input, Request};

/// Options of `diff`.
#[derive(Args, Debug)]
#[command(after_help = "\
--fail-if compares, of every site: delta (bytes), percent, calls (allocations added), before, after (bytes), kind (new \
gone grown shrunk same), match (exact high fair low), file, func, module, dir, site; and total, the bytes added by all \
together.

Examples:
  alloctag diff before.alloctag after.alloctag
  alloctag diff before.alloctag                     against the running kernel
  alloctag diff 6.12.txt 7.3.txt -n 30              lines that have moved are found again
  alloctag diff a b --fail-if 'delta>1M'            exit status 3 if a site grew by more than 1 MiB
  alloctag diff a b --fail-if 'total>16M or kind=new delta>64k'")]
pub struct DiffArgs {
    /// The earlier profile
    #[arg(value_name = "A", help_heading = "Input", display_order = 0)]
    pub before: PathBuf,
    /// The later profile; the running kernel without
    #[arg(value_name = "B", help_heading = "Input", display_order = 1)]
    pub after: Option<PathBuf>,
    /// Which sites: of B, or of A where B does not have them.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Show at most N sites
    #[arg(short = 'n', long, value_name = "N", help_heading = "Selection")]
    pub limit: Option<usize>,
    /// Count pages that only back other rows like the rest
    #[arg(long, help_heading = "Selection")]
    pub include_backing: bool,
    /// Take sites whose line has moved for others
    #[arg(long, help_heading = "Selection")]
    pub exact: bool,
    /// What is not to be.
    #[command(flatten)]
    pub fail_if: FailIfArgs,
    /// How to write it.
    #[command(flatten)]
    pub output: OutputArgs,
}

const NUMBERS: [&str; 6] = ["delta", "percent", "calls", "before", "after", "total"];

/// Runs the command.
///
/// # Errors
///
/// If a profile cannot be read, an expression makes no sense or the output cannot be written.
pub fn run(args: &DiffArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let words: [(&str, &[&str]); 2] =
        [("kind", &Kind::ALL.map(Kind::name)), ("match", &Confidence::ALL.map(Confidence::name))];
    let fail_if = args.fail_if.condition(&words, &NUMBERS)?;
    let condition = args.filter.condition()?;
    let subsystems = args.filter.subsystems()?;
    let stdin = |file: Option<&PathBuf>| input(file.map(PathBuf::as_path)) == Input::Stdin;
    if stdin(Some(&args.before)) && stdin(args.after.as_ref()) {
        return Err(Error::Usage("only one of the profiles can come from standard input".into()));
    }
    let mut names = Names::new();
    let live = Request::live(&context.global.procfs);
    let before = Request { input: input(Some(&args.before)), ..live.clone() };
    let before = read_sharing(&before, &mut names, context)?;
    let after = Request { input: input(args.after.as_deref()), ..live };
    let after = read_sharing(&after, &mut names, context)?;
    note_doubts(&before.profile, &after.profile, context);

    let mut changes = changes(&before.profile, &after.profile, args.exact);
    changes.retain(|change| {
        let row = change.row();
        (args.include_backing || row.backing().is_none())
            && condition.as_ref().is_none_or(|condition| condition.matches(row, &subsystems))
    });
    let total = changes.iter().map(Change::delta).sum();
    let fails = fail_if.is_some_and(|condition| {
        // A total can be too large without any site.
        let alone = condition.holds(None, |field| if field == "total" { Fact::Number(total) } else { Fact::None });
        alone || changes.iter().any(|change| fails(&condition, change, total))
    });
    write(args, &before.profile, &after.profile, &changes, total, context)?;
    let outcome = before.outcome.and(after.outcome);
    Ok(if fails { outcome.and(Outcome::ConditionMet) } else { outcome })
}

/// Says why a comparison may be less than it seems.
fn note_doubts(before: &Profile, after: &Profile, context: &Context<'_>) {
    let (a, b) = (&before.meta, &after.meta);
    let release = |profile: &Profile| profile.meta.uname.as_ref().map(|uname| uname.release.clone());
    match (release(before), release(after)) {
        (Some(a), Some(b)) if a != b => context.note(format_args!("these are different kernels, {a} and {b}")),
        _ if matches!((&a.boot_id, &b.boot_id), (Some(a), Some(b)) if a != b) => {
            context.note("these are different boots: counts began anew");
        }
        _ if matches!((a.uptime_ms, b.uptime_ms), (Some(a), Some(b)) if b < a) => {
            context.note("the first profile is the later one");
        }
        _ => {}
    }
}

fn fails(condition: &Condition, change: &Change<'_>, total: i64) -> bool {
    condition.holds(Some(&change.row().site), |field| match field {
        "delta" => Fact::Number(change.delta()),
        // CAST: a percentage, cut to whole ones.
        "percent" => percent(change).map_or(Fact::None, |percent| Fact::Number(percent as i64)),
        "calls" => Fact::Number(change.delta_calls()),
        "before" => Fact::Number(change.bytes().0),
        "after" => Fact::Number(change.bytes().1),
        "total" => Fact::Number(total),
        "kind" => Fact::Word(change.kind().name()),
        _ => change.confidence.map_or(Fact::None, |confidence| Fact::Word(confidence.name())),
    })
}

/// Whether it was found again at another line, or in another file.
fn has_moved(change: &Change<'_>) -> bool {
    change.confidence.is_some_and(|confidence| confidence != Confidence::Exact)
}

/// By how much it grew, in hundredths of what it was.
fn percent(change: &Change<'_>) -> Option<f64> {
    let (before, _) = change.bytes();
    // CAST: sizes beyond 2^53 lose bits that no percentage shows.
    (before > 0).then(|| change.delta() as f64 / before as f64 * 100.0)
}

fn write(
    args: &DiffArgs,
    before: &Profile,
    after: &Profile,
    changes: &[Change<'_>],
    total: i64,
    context: &mut Context<'_>,
) -> Result<()> {
    let layout = args.output.resolve(context.style);
    let different = |change: &&Change<'_>| change.kind() != Kind::Same || change.delta_calls() != 0;
    let shown: Vec<&Change<'_>> = changes.iter().filter(different).take(args.limit.unwrap_or(usize::MAX)).collect();
    let rows = shown.iter().map(|change| cells(change)).collect();
    let counts: Vec<(Kind, usize, i64)> = Kind::ALL
        .iter()
        .map(|&kind| {
            let of_kind = || changes.iter().filter(|change| change.kind() == kind);
            (kind, of_kind().count(), of_kind().map(Change::delta).sum())
        })
        .collect();
    Table { columns: columns(), rows }.write(&layout, &about(before, after, &counts, total), context.out)?;
    if layout.format == Format::Table {
        footer(changes, &counts, total, &layout, context.out)?;
        let hidden = changes.iter().filter(different).count() - shown.len();
        if hidden > 0 {
            writeln!(context.out, "{}", layout.style.paint(Ink::Faint, format!("not shown: {hidden} by -n")))?;
        }
    }
    Ok(())
}

fn about(before: &Profile, after: &Profile, counts: &[(Kind, usize, i64)], total: i64) -> Head {
    let mut head = head("alloctag.diff/1");
    head.insert("before".into(), json!({"meta": before.meta, "unreadable": before.unreadable()}));
    head.insert("after".into(), json!({"meta": after.meta, "unreadable": after.unreadable()}));
    head.insert("total".into(), total.into());
    let kinds =
        counts.iter().map(|(kind, sites, delta)| (kind.name().to_owned(), json!({"sites": sites, "delta": delta})));
    head.insert("kinds".into(), serde_json::Value::Object(kinds.collect()));
    head
}

/// The line under the table.
fn footer(
    changes: &[Change<'_>],
    counts: &[(Kind, usize, i64)],
    total: i64,
    layout: &Layout,
    out: &mut dyn Write,
) -> Result<()> {
    let signed = |bytes: i64| format!("{}{}", if bytes > 0 { "+" } else { "" }, layout.units.format(bytes));
    let parts: Vec<String> = counts
        .iter()
        .filter(|(kind, sites, _)| *sites > 0 && *kind != Kind::Same)
        .map(|(kind, sites, delta)| format!("{sites} {} ({})", kind.name(), signed(*delta)))
        .collect();
    let parts = if parts.is_empty() { "no site differs".to_owned() } else { parts.join(", ") };
    writeln!(out, "{}", layout.style.paint(Ink::Head, format!("{} in all: {parts}", signed(total))))?;
    let moved = changes.iter().filter(|change| has_moved(change)).count();
    if moved > 0 {
        let line = format!("matched although the line has moved: {moved}, as sure as MATCH says");
        writeln!(out, "{}", layout.style.paint(Ink::Faint, line))?;
    }
    Ok(())
}

fn columns() -> Vec<Column> {
    vec![
        Column::right("delta", "DELTA"),
        Column::right("percent", "DELTA%"),
        Column::right("calls", "CALLS"),
        Column::right("before", "A"),
        Column::right("after", "B"),
        Column::left("kind", "KIND"),
        Column::left("match", "MATCH"),
        Column::left("site", "SITE"),
        Column::left("was", "WAS"),
    ]
}

fn cells<'p>(change: &Change<'p>) -> Vec<Cell<'p>> {
    let (before, after) = change.bytes();
    let was = change.before.filter(|_| has_moved(change)).map(|row| &row.site);
    vec![
        Cell::Bytes(change.delta()),
        percent(change).map_or(Cell::Empty, Cell::Percent),
        Cell::Count(change.delta_calls()),
        Cell::Bytes(before),
        Cell::Bytes(after),
        change.kind().name().into(),
        change.confidence.map_or(Cell::Empty, |confidence| confidence.name().into()),
        Cell::Text(change.row().site.to_string().into()),
        was.map_or(Cell::Empty, |site| Cell::Text(format!("{}:{}", site.path(), site.line).into())),
    ]
}
