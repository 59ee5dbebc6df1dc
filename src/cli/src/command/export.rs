// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag export`: the profile in the formats of other tools.

mod args;
mod contexts;
mod select;
#[cfg(not(feature = "parquet"))]
#[path = "export/no_table.rs"]
mod table;
#[cfg(feature = "parquet")]
mod table;

use std::io::{self, IsTerminal};

use super::told::{read_either, Either};
use super::{backing, describe, read, require, require_times, Context, Reading};
use crate::error::{Error, Outcome, Result};
use crate::export::{folded, openmetrics, pprof};
use crate::model::Profile;
use crate::render::json::head;
use crate::render::units::count;
use crate::render::{Format, Layout};
use crate::sink;
use crate::source::{Input, Request};
use crate::subsystem::Subsystems;
use crate::view::View;
pub use args::{ExportArgs, ExportFormat};
pub use select::SERIES;
use select::{sites, view};

/// Runs the command.
///
/// # Errors
///
/// If options do not go together, nothing can be read, or the output cannot be written.
pub fn run(args: &ExportArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let binary = matches!(args.format, ExportFormat::Pprof | ExportFormat::Parquet);
    if binary && args.sink.file().is_none() && io::stdout().is_terminal() {
        return Err(Error::Usage("this format is binary: give a file by -o, or a pipe".to_owned()));
    }
    if args.all && args.format != ExportFormat::Parquet {
        return Err(Error::Usage("--all: only parquet says of every row when it was read".to_owned()));
    }
    if args.histograms && args.format != ExportFormat::Openmetrics {
        let problem = "--histograms: of openmetrics only; `alloctag stalls --format json` has them for other programs";
        return Err(Error::Usage(problem.to_owned()));
    }
    let subsystems = args.rows.filter.subsystems()?;
    let request = args.rows.input.resolve(&context.global, None);
    let saved = request.input != Input::Live && contexts::can_write(args.format);
    if args.contexts || saved {
        contexts::check(args)?;
        match read_either(&request, args.contexts, args.cumulative, context)? {
            Either::Contexts(told) => return contexts::write(args, &told, &subsystems, context),
            Either::Profile(reading) => return write(args, reading, &view(args, &subsystems)?, &subsystems, context),
        }
    }
    if args.cumulative {
        return Err(Error::Usage("--cumulative: it is about --contexts".to_owned()));
    }
    let view = view(args, &subsystems)?;
    if args.format == ExportFormat::Parquet {
        return table::write(args, &view, &subsystems, context);
    }
    // Metrics count all call sites that the kernel lists, whatever the condition is.
    let asked = view.condition.as_ref().filter(|_| args.format != ExportFormat::Openmetrics);
    let request = Request { timings: args.histograms, ..args.rows.input.resolve(&context.global, asked) };
    let reading = read(&request, context)?;
    if args.histograms {
        require_times(&reading.profile)?;
    }
    write(args, reading, &view, &subsystems, context)
}

/// Writes what call sites have.
fn write(
    args: &ExportArgs,
    reading: Reading,
    view: &View,
    subsystems: &Subsystems,
    context: &mut Context<'_>,
) -> Result<Outcome> {
    let profile = &reading.profile;
    require(profile, view.measures())?;
    let mut negative = 0;
    sink::write(args.sink.file(), context.out, |out| match args.format {
        ExportFormat::Json => rows(profile, view, Format::Json, subsystems, out),
        ExportFormat::Ndjson => rows(profile, view, Format::Ndjson, subsystems, out),
        ExportFormat::Csv => rows(profile, view, Format::Csv, subsystems, out),
        ExportFormat::Tsv => rows(profile, view, Format::Tsv, subsystems, out),
        ExportFormat::Openmetrics => openmetrics::write(profile, view, args.histograms, subsystems, out),
        ExportFormat::Folded => {
            folded::write(sites(profile, view, subsystems), subsystems, out).map(|rows| negative = rows)
        }
        ExportFormat::Pprof => pprof::write(sites(profile, view, subsystems), &profile.meta, subsystems, out),
        // Written above, as more than one profile may be.
        ExportFormat::Parquet => Ok(()),
    })?;
    if negative > 0 {
        context.note(format_args!("left out {} below zero: folded stacks cannot say that", count(negative, "row")));
    }
    Ok(reading.outcome)
}

fn rows(
    profile: &Profile,
    view: &View,
    format: Format,
    subsystems: &Subsystems,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let selection = view.apply(profile, subsystems);
    let mut about = head("alloctag.export/1");
    describe(&mut about, profile);
    about.insert("group".into(), view.group.to_string().into());
    backing::describe(&mut about, &selection.whole, view.include_backing);
    if format == Format::Ndjson {
        writeln!(out, "{}", serde_json::Value::Object(about.clone()))?;
    }
    let fields = view.group.machine_fields(profile);
    selection.table(&fields, subsystems).write(&Layout { format, ..Layout::default() }, &about, out)
}
