// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag export`: the profile in the formats of other tools.

use std::io::{self, IsTerminal};

use clap::{Args, ValueEnum};

use super::{backing, describe, read, Context};
use crate::args::choice::Choosing;
use crate::args::rows::RowsArgs;
use crate::args::sink::SinkArgs;
use crate::args::view::size;
use crate::error::{Error, Outcome, Result};
use crate::export::{folded, openmetrics, pprof};
use crate::model::{Profile, Row};
use crate::render::json::head;
use crate::render::units::count;
use crate::render::{Format, Layout};
use crate::sink;
use crate::subsystem::Subsystems;
use crate::view::{Group, View};

/// Options of `export`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag export --format json -o profile.json          everything, for a program
  alloctag export --format openmetrics -o /var/lib/prometheus/node-exporter/alloctag.prom
                                                         for node_exporter's textfile collector
  alloctag export --format openmetrics -g file -n 500    finer series, at most 500 of them
  alloctag export --format pprof -o kernel.pb.gz && pprof -http=: -tagroot=subsystem kernel.pb.gz
  alloctag export --format folded | flamegraph.pl --countname bytes > kernel.svg")]
pub struct ExportArgs {
    /// Which rows of what.
    #[command(flatten)]
    pub rows: RowsArgs,
    /// Add rows up by site, func, file, dir, dir:DEPTH, module or subsystem; site without, subsystem for openmetrics
    #[arg(short, long, value_name = "GROUP", value_parser = Choosing::<Group>::new(), hide_possible_values = true, help_heading = "Selection")]
    pub group: Option<Group>,
    /// At most N entries or series; openmetrics adds the others up in one, and has 200 without
    #[arg(short = 'n', long, value_name = "N", help_heading = "Selection")]
    pub limit: Option<usize>,
    /// Only entries of at least SIZE bytes, such as 64k
    #[arg(short, long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true, help_heading = "Selection")]
    pub min: Option<i64>,
    /// Which format
    #[arg(long, value_name = "FORMAT", default_value = "json", help_heading = "Output")]
    pub format: ExportFormat,
    /// Where to.
    #[command(flatten)]
    pub sink: SinkArgs,
}

/// A format of other tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// One JSON object, a row a line.
    Json,
    /// A JSON object a line; the first says what the rows are of.
    Ndjson,
    /// Comma-separated values with a header.
    Csv,
    /// Tab-separated values with a header.
    Tsv,
    /// Prometheus and node_exporter.
    Openmetrics,
    /// flamegraph.pl, speedscope.
    Folded,
    /// pprof, Pyroscope, Parca; gzipped.
    Pprof,
}

/// Series of each metric unless asked otherwise. A recent kernel has some 15,000 sites, in about 900 subsystems of which
/// fewer than 200 hold something.
pub const SERIES: usize = 200;

/// Runs the command.
///
/// # Errors
///
/// If options do not go together, nothing can be read, or the output cannot be written.
pub fn run(args: &ExportArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let view = view(args)?;
    if args.format == ExportFormat::Pprof && args.sink.file().is_none() && io::stdout().is_terminal() {
        return Err(Error::Usage("--format pprof is binary: give a file by -o, or a pipe".to_owned()));
    }
    let subsystems = args.rows.filter.subsystems()?;
    // Metrics count all call sites that the kernel lists, whatever the condition is.
    let asked = view.condition.as_ref().filter(|_| args.format != ExportFormat::Openmetrics);
    let reading = read(&args.rows.input.resolve(&context.global, asked), context)?;
    let profile = &reading.profile;
    let mut negative = 0;
    sink::write(args.sink.file(), context.out, |out| match args.format {
        ExportFormat::Json => rows(profile, &view, Format::Json, &subsystems, out),
        ExportFormat::Ndjson => rows(profile, &view, Format::Ndjson, &subsystems, out),
        ExportFormat::Csv => rows(profile, &view, Format::Csv, &subsystems, out),
        ExportFormat::Tsv => rows(profile, &view, Format::Tsv, &subsystems, out),
        ExportFormat::Openmetrics => openmetrics::write(profile, &view, &subsystems, out),
        ExportFormat::Folded => {
            folded::write(sites(profile, &view, &subsystems), &subsystems, out).map(|rows| negative = rows)
        }
        ExportFormat::Pprof => pprof::write(sites(profile, &view, &subsystems), &profile.meta, &subsystems, out),
    })?;
    if negative > 0 {
        context.note(format_args!("left out {} below zero: folded stacks cannot say that", count(negative, "row")));
    }
    Ok(reading.outcome)
}

/// What is exported. Formats for programs hold every row: what is zero today may be compared with tomorrow's.
fn view(args: &ExportArgs) -> Result<View> {
    use ExportFormat::{Folded, Openmetrics, Pprof};
    let stacks = matches!(args.format, Folded | Pprof);
    if stacks && args.group.is_some_and(|group| group != Group::Site) {
        return Err(Error::Usage(
            "--group: folded stacks and pprof are of call sites; their readers add up".to_owned(),
        ));
    }
    if args.limit == Some(0) {
        return Err(Error::Usage("-n 0: nothing would be exported".to_owned()));
    }
    let metrics = args.format == Openmetrics;
    if metrics && args.min.is_some() {
        return Err(Error::Usage("--min: series would come and go; -n bounds them and keeps their sum".to_owned()));
    }
    Ok(View {
        condition: args.rows.filter.condition()?,
        group: args.group.unwrap_or(if metrics { Group::Subsystem } else { Group::Site }),
        sort: Vec::new(),
        limit: args.limit.or(metrics.then_some(SERIES)),
        min: args.min,
        zeros: !metrics && !stacks,
        include_backing: args.rows.include_backing,
    })
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
    let fields = view.group.machine_fields();
    selection.table(fields, subsystems).write(&Layout { format, ..Layout::default() }, &about, out)
}

/// The rows of a view of call sites, the largest first.
fn sites<'p>(profile: &'p Profile, view: &View, subsystems: &'p Subsystems) -> Vec<&'p Row> {
    view.apply(profile, subsystems).entries.iter().map(|entry| entry.row).collect()
}
