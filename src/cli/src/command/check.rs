// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag check`: whether saved profiles are whole, and what is doubtful about them.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Context;
use crate::args::input::input;
use crate::args::output::{Judging, JudgingArgs};
use crate::error::{Error, Outcome, Result};
use crate::model::{Meta, Names, Profile};
use crate::recording;
use crate::render::fit::End;
use crate::render::json::head;
use crate::render::junit::{Case, Suite};
use crate::render::style::Ink;
use crate::render::units::count;
use crate::render::{Cell, Column, Table};
use crate::source::{self, Request};
use crate::time::{duration, Clock};

/// Options of `check`.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit status: 0 if all files are whole and every row can be read, else 1.

Examples:
  alloctag check saved.alloctag
  alloctag check /var/lib/alloctag      what there is to say of a recording, and gaps in it
  alloctag check -a /var/lib/alloctag   every snapshot of it
  alloctag check *.txt.gz --format json")]
pub struct CheckArgs {
    /// Saved profiles of any kind, or recordings
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Show all snapshots of recordings, those too of which there is nothing to say
    #[arg(short, long, help_heading = "Selection")]
    pub all: bool,
    /// How to write it.
    #[command(flatten)]
    pub output: JudgingArgs,
}

/// How much longer than usual the time between two snapshots must be to be called a gap.
const GAP: u64 = 2;

/// Runs the command.
///
/// # Errors
///
/// If the output cannot be written. Files that cannot be read are part of the output.
pub fn run(args: &CheckArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let files = recording::files(&args.files, &context.clock)?;
    let mut findings: Vec<Finding> = Vec::new();
    let mut names = Names::new();
    for file in &files {
        let previous = findings.iter().rev().find_map(|finding| finding.meta.as_ref());
        let finding = Finding::of(file, previous, context, &mut names);
        findings.push(finding);
    }
    mark_gaps(&mut findings);
    let broken = findings.iter().filter(|finding| !finding.whole).count();
    let mut head = head("alloctag.check/1");
    head.insert("files".into(), findings.len().into());
    head.insert("broken".into(), broken.into());
    if args.output.format == Judging::Junit {
        Suite { name: "alloctag check".to_owned(), cases: findings.iter().map(Finding::case).collect() }
            .write(context.out)?;
        return Ok(if broken > 0 { Outcome::Partial } else { Outcome::Done });
    }
    let layout = args.output.resolve(context.style);
    let for_people = layout.format.is_for_people();
    // Of what was named something is said; of ten thousand snapshots in a directory only what there is to say.
    let is_told = |finding: &&Finding| {
        args.all || !for_people || !finding.is_unremarkable() || args.files.contains(&finding.path)
    };
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
            number => format!("; nothing to say of {number} of a recording (--all shows them)"),
        };
        let line = format!("{} checked, {broken} broken{rest}", count(findings.len(), "file"));
        layout.remark(Ink::Head, &line, context.out)?;
    }
    Ok(if broken > 0 { Outcome::Partial } else { Outcome::Done })
}

/// What was found out about a file.
struct Finding {
    path: PathBuf,
    file: String,
    whole: bool,
    meta: Option<Meta>,
    rows: usize,
    bytes: i64,
    remarks: Vec<String>,
}

impl Finding {
    fn of(file: &Path, previous: Option<&Meta>, context: &Context<'_>, names: &mut Names) -> Finding {
        let name = file.display().to_string();
        let request = Request { input: input(Some(file)), ..Request::live(&context.global.procfs) };
        match source::read(&request, names) {
            Ok(profile) => Finding {
                path: file.to_owned(),
                file: name,
                whole: profile.unreadable().count == 0,
                rows: profile.rows().len(),
                bytes: profile.totals().sites.bytes,
                remarks: remarks(&profile, previous),
                meta: Some(profile.meta),
            },
            Err(error) => Finding {
                path: file.to_owned(),
                whole: false,
                meta: None,
                rows: 0,
                bytes: 0,
                remarks: vec![reason(&error, &name)],
                file: name,
            },
        }
    }

    fn is_unremarkable(&self) -> bool {
        self.whole && self.remarks.is_empty()
    }

    /// It as a test that fails if it is broken.
    fn case(&self) -> Case {
        let remarks = self.remarks.join("\n");
        Case { name: self.file.clone(), failure: (!self.whole).then(|| ("broken".to_owned(), remarks)) }
    }

    fn cells(&self, clock: &Clock) -> Vec<Cell<'_>> {
        let verdict = if self.whole { "ok".into() } else { Cell::Word(Ink::Alarm, "BROKEN") };
        let (rows, bytes) = match self.meta {
            Some(_) => (Cell::size(self.rows), Cell::Bytes(self.bytes)),
            None => (Cell::Empty, Cell::Empty),
        };
        let time = self.meta.as_ref().and_then(|meta| meta.time_ms).map(|time| clock.date(time));
        let time = time.map_or(Cell::Empty, |time| Cell::Text(time.into()));
        vec![verdict, time, rows, bytes, self.file.as_str().into(), Cell::Text(self.remarks.join("; ").into())]
    }
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

/// An error without the file's name in front, which stands beside it.
fn reason(error: &Error, name: &str) -> String {
    let text = error.to_string();
    text.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&text).to_owned()
}

fn remarks(profile: &Profile, previous: Option<&Meta>) -> Vec<String> {
    let mut remarks = Vec::new();
    let (meta, totals, unreadable) = (&profile.meta, profile.totals(), profile.unreadable());
    if unreadable.count > 0 {
        let first = unreadable.first.as_deref().unwrap_or_default();
        remarks.push(format!("{} cannot be read (first: {first})", count(unreadable.count, "row")));
    }
    let all = [totals.sites, totals.slab, totals.percpu];
    let sum = |of: fn(&crate::model::Totals) -> usize| all.iter().map(of).sum::<usize>();
    for (number, what) in [
        (sum(|totals| totals.inaccurate), "accurate:no"),
        (sum(|totals| totals.negative), "below zero"),
        (profile.rows().iter().filter(|row| row.clipped).count(), "with a clipped name"),
    ] {
        if number > 0 {
            remarks.push(format!("{} {what}", count(number, "site")));
        }
    }
    if let Some(uncounted @ 1..) = meta.profiling.uncounted {
        remarks.push(format!("{} uncounted", count(uncounted, "allocation")));
    }
    let facts = [
        (meta.torn, "modules came or went while it was read"),
        (meta.filtered, "only rows that match a filter"),
        (meta.profiling.enabled == Some(false), "profiling was off"),
    ];
    remarks.extend(facts.iter().filter(|fact| fact.0).map(|fact| fact.1.to_owned()));
    if let Some(previous) = previous {
        if matches!((&previous.boot_id, &meta.boot_id), (Some(a), Some(b)) if a != b) {
            remarks.push("another boot than before".to_owned());
        } else if matches!((previous.content_id, meta.content_id), (Some(a), Some(b)) if a != b) {
            remarks.push("modules came or went since before".to_owned());
        }
        if matches!((previous.time_ms, meta.time_ms), (Some(a), Some(b)) if b < a) {
            remarks.push("the clock was set back".to_owned());
        }
    }
    remarks
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
            finding.remarks.push(format!("{} after the one before", duration(step)));
        }
    }
}
