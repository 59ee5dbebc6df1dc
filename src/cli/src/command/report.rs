// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag report`: profiles as one HTML file to look at.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::Args;

use super::{read_all, Context};
use crate::args::input::input;
use crate::args::output::UnitArgs;
use crate::args::sink::SinkArgs;
use crate::args::view::FilterArgs;
use crate::error::{Error, Outcome, Result};
use crate::model::{Profile, Row};
use crate::query::Where;
use crate::recording;
use crate::render::units::count;
use crate::report::{page, About, Series};
use crate::sink;
use crate::source::{Input, Interface, Request};
use crate::subsystem::Subsystems;

/// Options of `report`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag report -o now.html                      the running kernel
  alloctag report before.txt after.txt -o d.html   two profiles and what changed
  alloctag report /var/lib/alloctag -o day.html    a recording, with a slider for the time
  alloctag report -w 'file~^fs/' > fs.html         a part of it")]
pub struct ReportArgs {
    /// Recordings and saved profiles in the order of time, gzipped or not; - is standard input. The running kernel without
    #[arg(value_name = "FILE", help_heading = "Input")]
    pub files: Vec<PathBuf>,
    /// Which of the kernel's interfaces to read by
    #[arg(long, value_name = "INTERFACE", default_value = "auto", help_heading = "Input")]
    pub source: Interface,
    /// Which rows.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Count pages that only back other rows like the rest
    #[arg(long, help_heading = "Selection")]
    pub include_backing: bool,
    /// Take sites whose line has moved for others
    #[arg(long, help_heading = "Selection")]
    pub exact: bool,
    /// Open on the difference between the first profile and the last, as is done for two
    #[arg(long, help_heading = "Output")]
    pub diff: bool,
    /// Open on the last profile
    #[arg(long, conflicts_with = "diff", help_heading = "Output")]
    pub no_diff: bool,
    /// The heading
    #[arg(long, value_name = "TEXT", default_value = "Kernel memory by call site", help_heading = "Output")]
    pub title: String,
    /// Where to.
    #[command(flatten)]
    pub sink: SinkArgs,
    /// The units.
    #[command(flatten)]
    pub units: UnitArgs,
}

/// Runs the command.
///
/// # Errors
///
/// If nothing can be read or shown, or the output cannot be written.
pub fn run(args: &ReportArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let condition = args.filter.condition()?;
    let subsystems = args.filter.subsystems()?;
    if args.sink.file().is_none() && io::stdout().is_terminal() {
        return Err(Error::Usage("the report is a web page: give a file by -o, such as -o report.html".to_owned()));
    }
    let (profiles, outcome) = read_all(requests(args, context)?, context)?;
    if args.diff && profiles.len() < 2 {
        return Err(Error::Usage("--diff: a difference takes two profiles".to_owned()));
    }
    let select = |profile| select(profile, args, condition.as_ref(), &subsystems);
    let rows: Vec<Vec<&Row>> = profiles.iter().map(select).collect();
    let diff = args.diff || (profiles.len() == 2 && !args.no_diff);
    let about = About::new(args.title.clone(), args.units.resolve(), diff, &profiles, &rows);
    let series = Series::new(rows, args.exact);
    if series.is_empty() {
        return Err(Error::failed(&profiles[0].meta.origin, "no row that is to be shown holds anything"));
    }
    if series.moved() > 0 {
        let moved = count(series.moved(), "site");
        context.note(format_args!("found {moved} again at another line; --exact takes them for others"));
    }
    let report = page::make(&series, &about, &subsystems);
    if report.skipped > 0 {
        let skipped = count(report.skipped, "profile");
        context.note(format_args!("left out {skipped} in between: the report would be too large to open"));
    }
    if report.folded > 0 {
        let (folded, whole) = (count(report.folded, "site"), series.len());
        context.note(format_args!("added up the smallest {folded} of {whole} by file, to keep the report small"));
    }
    sink::write(args.sink.file(), context.out, |out| out.write_all(report.html.as_bytes()))?;
    Ok(outcome)
}

/// Of each profile everything: a report says what it is a part of.
fn requests(args: &ReportArgs, context: &Context<'_>) -> Result<Vec<Request>> {
    let files = recording::files(&args.files)?;
    let mut inputs: Vec<Input> = files.iter().map(|file| input(Some(file))).collect();
    if inputs.is_empty() {
        inputs.push(Input::Live);
    }
    if inputs.iter().filter(|&input| *input == Input::Stdin).count() > 1 {
        return Err(Error::Usage("standard input can be read once only".to_owned()));
    }
    let live = Request { interface: args.source, ..Request::live(&context.global.procfs) };
    Ok(inputs.into_iter().map(|input| Request { input, ..live.clone() }).collect())
}

fn select<'p>(
    profile: &'p Profile,
    args: &ReportArgs,
    condition: Option<&Where>,
    subsystems: &Subsystems,
) -> Vec<&'p Row> {
    let rows = profile.rows().iter().filter(|row| args.include_backing || row.backing().is_none());
    rows.filter(|row| condition.is_none_or(|condition| condition.matches(row, subsystems))).collect()
}
