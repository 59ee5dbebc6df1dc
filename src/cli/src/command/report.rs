// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag report`: profiles as one HTML file to look at.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{by_time, picture, require, Context, Doubts};
use crate::args::input::input;
use crate::args::output::UnitArgs;
use crate::args::sink::SinkArgs;
use crate::args::view::FilterArgs;
use crate::error::{Error, Outcome, Result};
use crate::model::{Names, Profile, Row};
use crate::query::Where;
use crate::recording::Thinned;
use crate::render::units::count;
use crate::report::{page, About, Frame, Series, Trends};
use crate::sink;
use crate::source::{self, Input, Interface, Request};
use crate::subsystem::Subsystems;
use crate::time::{span, Clock};
use crate::trend::{finding, History, Limits};

/// Options of `report`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag report -o now.html                      the running kernel
  alloctag report before.txt after.txt -o d.html   two profiles and what changed
  alloctag report /var/lib/alloctag -o day.html    a recording: memory over time, and what leaks
  alloctag report -w 'file~^fs/' > fs.html         a part of it")]
pub struct ReportArgs {
    /// Recordings and saved profiles, packed by gzip or zstd or not; those that tell their time are sorted by it. - is standard input. The running kernel without
    #[arg(value_name = "FILE", help_heading = "Input")]
    pub files: Vec<PathBuf>,
    /// Profiles that do not say when they were read are this far apart
    #[arg(long, value_name = "TIME", value_parser = span::interval, help_heading = "Input")]
    pub every: Option<Duration>,
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
    let subsystems = args.filter.subsystems()?;
    let condition = args.filter.condition(&subsystems)?;
    if args.sink.file().is_none() && io::stdout().is_terminal() {
        return Err(Error::Usage("the report is a web page: give a file by -o, such as -o report.html".to_owned()));
    }
    let requests = requests(args, context)?;
    if args.diff && requests.len() < 2 {
        return Err(Error::Usage("--diff: a difference takes two profiles".to_owned()));
    }
    let mut collected = Collected::read(requests, args, condition.as_ref(), &subsystems, context)?;
    require(&collected.last, condition.iter().flat_map(Where::measures))?;
    let trends = collected.trends(condition.as_ref(), &subsystems);
    let Collected { mut series, frames, mut last, outcome, clock, .. } = collected;
    let places = series.finish(trends.iter().flat_map(|trends| trends.told()).map(|finding| &finding.row.site));
    if series.is_empty() {
        return Err(Error::failed(&last.meta.origin, "no row that is to be shown holds anything"));
    }
    if series.moved() > 0 {
        let moved = count(series.moved(), "site");
        context.note(format_args!("found {moved} again at another line; --exact takes them for others"));
    }
    let diff = args.diff || (frames.len() == 2 && !args.no_diff);
    // CAST: saturates, at 500 million years.
    let every = args.every.map(|every| u64::try_from(every.as_millis()).unwrap_or(u64::MAX));
    let units = args.units.resolve();
    let stacks = picture::of_contexts(&last, units, &subsystems, &clock)?;
    let timings = std::mem::take(&mut last.timings);
    let about = About { title: args.title.clone(), units, diff, every, clock, frames, stacks, timings };
    let report = page::make(&series, &about, trends.as_ref(), &places, &subsystems);
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

/// What is kept of the profiles, each of which is forgotten before the next is read.
struct Collected {
    series: Series,
    frames: Vec<Frame>,
    /// `None` once a profile has come that does not say when it was read.
    history: Option<History>,
    last: Profile,
    outcome: Outcome,
    clock: Clock,
}

impl Collected {
    fn read(
        requests: Vec<Request>,
        args: &ReportArgs,
        condition: Option<&Where>,
        subsystems: &Subsystems,
        context: &Context<'_>,
    ) -> Result<Collected> {
        let requests = Thinned::of(requests);
        if let Some(note) = requests.note() {
            context.note(note);
        }
        let alone = requests.whole == 1;
        let (mut names, mut doubts, mut outcome) = (Names::new(), Doubts::default(), Outcome::Done);
        let (mut series, mut frames, mut last) = (Series::new(args.exact), Vec::new(), None);
        let mut clock = None;
        let mut history = Some(History::new(args.every.map(|every| every.as_secs_f64())));
        for (place, request) in requests.places().zip(&requests.taken) {
            let profile = match source::read(request, &mut names) {
                Ok(profile) => profile,
                Err(error) if alone => return Err(error),
                Err(error) => {
                    // One damaged file is no reason to tell nothing of a recording.
                    context.note(format_args!("left out: {error}"));
                    outcome = Outcome::Partial;
                    continue;
                }
            };
            outcome = outcome.and(doubts.about(&profile));
            let rows = select(&profile, args, condition, subsystems);
            // Of the whole report one clock: a day has 24 hours.
            let first = profile.meta.time_ms;
            let clock = clock.get_or_insert_with(|| context.clock.steady(first.unwrap_or_default()));
            frames.push(Frame::of(&profile, place, &rows, args.units.resolve(), clock));
            series.push(&rows);
            history = history.and_then(|mut history| history.push(&profile, place).is_ok().then_some(history));
            last = Some(profile);
        }
        doubts.tell(context);
        let last = last.ok_or_else(|| Error::Failed("none of these profiles can be read".to_owned()))?;
        Ok(Collected { series, frames, history, last, outcome, clock: clock.unwrap_or_else(Clock::utc) })
    }

    /// The verdicts of `alloctag leak` on the sites that are shown.
    fn trends(&mut self, condition: Option<&Where>, subsystems: &Subsystems) -> Option<Trends> {
        let history = self.history.take()?;
        let samples = history.tally().taken;
        let available = self.last.meta.memory.get("MemAvailable").and_then(|bytes| i64::try_from(bytes).ok());
        let mut findings = finding::find(history, &self.last, &Limits::default());
        findings.retain(|found| condition.is_none_or(|condition| condition.matches(&found.row, subsystems)));
        Trends::of(findings, samples, available)
    }
}

/// Of each profile everything: a report says what it is a part of.
fn requests(args: &ReportArgs, context: &Context<'_>) -> Result<Vec<Request>> {
    let files = by_time(&args.files, context)?;
    let mut inputs: Vec<Input> = files.iter().map(|file| input(Some(file))).collect();
    if inputs.is_empty() {
        inputs.push(Input::Live);
    }
    if inputs.iter().filter(|&input| *input == Input::Stdin).count() > 1 {
        return Err(Error::Usage("standard input can be read once only".to_owned()));
    }
    let live = Request { interface: args.source, ..Request::live(&context.global.procfs) };
    let request =
        |input: Input| Request { contexts: input == Input::Live, timings: input == Input::Live, input, ..live.clone() };
    Ok(inputs.into_iter().map(request).collect())
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
