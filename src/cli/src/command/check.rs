// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag check`: whether saved profiles are whole, and what is doubtful about them.

mod finding;
mod remark;

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::Context;
use crate::args::output::{Judging, JudgingArgs};
use crate::error::{Outcome, Result};
use crate::model::Names;
use crate::recording;
use crate::render::fit::End;
use crate::render::json::head;
use crate::render::junit::Suite;
use crate::render::style::Ink;
use crate::render::units::count;
use crate::render::{Column, Table};
use crate::time::{duration, Clock};
use finding::Finding;
use remark::Remark;

/// Options of `check`.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit status: 0 if all files are whole, every row can be read and every recording holds snapshots, else 1.

Examples:
  alloctag check saved.alloctag
  alloctag check /var/lib/alloctag      what is new in a recording, and gaps in it
  alloctag check -a /var/lib/alloctag   every snapshot of it
  alloctag check *.txt.gz --format json")]
pub struct CheckArgs {
    /// Saved profiles of any kind, or recordings; each is judged by itself
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Show all snapshots of recordings, those too of which there is nothing new to say
    #[arg(short, long, help_heading = "Selection")]
    pub all: bool,
    /// How to write it.
    #[command(flatten)]
    pub output: JudgingArgs,
}

/// How much longer than usual the time between two snapshots must be to be called a gap.
const GAP: u64 = 2;

/// Looks at the files of one recording: of another one they tell nothing.
fn judge(files: &[PathBuf], context: &Context<'_>, names: &mut Names) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::with_capacity(files.len());
    for file in files {
        let previous = findings.iter().rev().find(|finding| finding.meta.is_some());
        let finding = Finding::of(file, previous, context, names);
        findings.push(finding);
    }
    mark_gaps(&mut findings);
    findings
}

/// Runs the command.
///
/// # Errors
///
/// If the output cannot be written. Files that cannot be read are part of the output.
pub fn run(args: &CheckArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut names = Names::new();
    for path in &args.files {
        match recording::files(std::slice::from_ref(path), &context.clock) {
            Ok(files) => findings.extend(judge(&files, context, &mut names)),
            // The others are looked at all the same.
            Err(error) => findings.push(Finding::broken(path, &error)),
        }
    }
    let broken = findings.iter().filter(|finding| !finding.whole).count();
    let outcome = if broken > 0 { Outcome::Partial } else { Outcome::Done };
    outcome.once(write(&findings, broken, args, context))
}

fn write(findings: &[Finding], broken: usize, args: &CheckArgs, context: &mut Context<'_>) -> io::Result<()> {
    let mut head = head("alloctag.check/1");
    head.insert("files".into(), findings.len().into());
    head.insert("broken".into(), broken.into());
    if args.output.format == Judging::Junit {
        let cases = findings.iter().map(Finding::case).collect();
        return Suite { name: "alloctag check".to_owned(), cases }.write(context.out);
    }
    let layout = args.output.resolve(context.style);
    let for_people = layout.format.is_for_people();
    // Of what was named something is said; of ten thousand snapshots in a directory only what is new.
    let is_told =
        |finding: &&Finding| args.all || !for_people || finding.is_news() || args.files.contains(&finding.path);
    // Programs get the same everywhere.
    let utc = Clock::utc();
    let clock = if for_people { &context.clock } else { &utc };
    let rows: Vec<_> = findings.iter().filter(is_told).map(|finding| finding.cells(clock)).collect();
    let passed_over = findings.len() - rows.len();
    if !for_people || !rows.is_empty() {
        Table { columns: columns(), rows }.write(&layout, &head, context.out)?;
    }
    if for_people {
        let rest = match passed_over {
            0 => String::new(),
            number => format!("; nothing new to say of {number} of a recording (--all shows them)"),
        };
        let line = format!("{} checked, {broken} broken{rest}", count(findings.len(), "file"));
        layout.remark(Ink::Head, &line, context.out)?;
    }
    Ok(())
}

fn columns() -> Vec<Column> {
    vec![
        Column::left("verdict", "VERDICT"),
        Column::left("time", "TIME").spare(1),
        Column::right("rows", "ROWS").spare(3),
        Column::right("bytes", "BYTES").spare(2),
        Column::left("file", "FILE").cut(End::Front),
        Column::left("remarks", "REMARKS"),
    ]
}

/// Marks snapshots that come much later than usual.
fn mark_gaps(findings: &mut [Finding]) {
    let times: Vec<Option<u64>> = findings.iter().map(|finding| finding.meta.as_ref()?.time_ms).collect();
    let step = |at: usize| times[at]?.checked_sub(times[at - 1]?);
    let mut steps: Vec<u64> = (1..times.len()).filter_map(step).collect();
    steps.sort_unstable();
    let Some(&usual) = steps.get(steps.len() / 2) else { return };
    for (at, finding) in findings.iter_mut().enumerate().skip(1) {
        if let Some(step) = step(at).filter(|&step| usual > 0 && step > usual.saturating_mul(GAP)) {
            finding.remarks.push(Remark::new(format!("{} after the one before", duration(step))));
        }
    }
}
