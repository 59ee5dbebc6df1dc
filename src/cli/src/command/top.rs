// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag top`: the profile as it changes, on the terminal or as pages.

use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use clap::Args;

use super::{note_caveats, Context};
use crate::args::choice::Choosing;
use crate::args::duration::duration;
use crate::args::output::UnitArgs;
use crate::args::view::size;
use crate::error::{Error, Outcome, Result};
use crate::model::Names;
use crate::recording;
use crate::source::{Interface, Request};
use crate::subsystem::Subsystems;
use crate::top::feed::{Feed, Taken};
use crate::top::{page, Board, Filter, History, Order, Settings, INTERVALS};
use crate::view::Group;

/// Options of `top`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag top                              live; ? explains the keys
  alloctag top -g subsystem -s rate         who grows right now
  alloctag top -w ext4                      everything with ext4 in its name
  alloctag top /var/lib/alloctag            replay a recording
  alloctag top -o -n 20                     twenty lines, once, for a pipe
  alloctag top -b -d 1m -i 60 -n 10 >log    ten lines a minute for an hour")]
pub struct TopArgs {
    /// A recording to replay: Space, arrows and [ ] lead through it, - and + set its speed. The running kernel without
    #[arg(value_name = "RECORDING", help_heading = "Reading")]
    pub recording: Option<PathBuf>,
    /// Only rows for which EXPR holds, or that have it in their name; the language is that of `list --where`
    #[arg(short = 'w', long = "where", value_name = "EXPR", help_heading = "Selection")]
    pub filter: Option<String>,
    /// A TOML table of subsystems that goes before the built-in one
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub subsystems: Option<PathBuf>,
    /// Add rows up by site, func, file, dir, dir:DEPTH, module or subsystem
    #[arg(short, long, value_name = "GROUP", value_parser = Choosing::<Group>::new(), hide_possible_values = true, default_value = "site", help_heading = "Selection")]
    pub group: Group,
    /// Show a tree, by directory or what --group says
    #[arg(short, long, help_heading = "Selection")]
    pub tree: bool,
    /// Sort by bytes (or s), delta, rate, calls (or c), avg, name (or t); a - in front turns it round
    #[arg(
        short,
        long,
        value_name = "KEY",
        default_value = "bytes",
        value_parser = Choosing::<Order>::new(),
        hide_possible_values = true,
        allow_hyphen_values = true,
        help_heading = "Selection"
    )]
    pub sort: Order,
    /// Show at most N lines
    #[arg(short = 'n', long, value_name = "N", help_heading = "Selection")]
    pub limit: Option<usize>,
    /// Show only lines of at least SIZE bytes, such as 64k
    #[arg(short, long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true, help_heading = "Selection")]
    pub min: Option<i64>,
    /// Show lines that hold nothing too
    #[arg(short, long, help_heading = "Selection")]
    pub zeros: bool,
    /// Count pages that only back other rows like the rest
    #[arg(long, help_heading = "Selection")]
    pub include_backing: bool,
    /// Read every TIME, from 0.1s to 1d; 2s without, and 0.5s of a recording, whose pages --batch prints without delay
    #[arg(short, long, value_name = "TIME", value_parser = delay, help_heading = "Reading")]
    pub delay: Option<Duration>,
    /// Which of the kernel's interfaces to read by
    #[arg(long, value_name = "INTERFACE", default_value = "auto", help_heading = "Reading")]
    pub source: Interface,
    /// Print one page and end
    #[arg(short, long, help_heading = "Output")]
    pub once: bool,
    /// Print a page for every reading, until interrupted
    #[arg(short, long, conflicts_with = "once", help_heading = "Output")]
    pub batch: bool,
    /// With --batch, end after N pages
    #[arg(short, long, value_name = "N", requires = "batch", help_heading = "Output")]
    pub iterations: Option<u64>,
    /// The units.
    #[command(flatten)]
    pub units: UnitArgs,
}

/// Runs the command.
///
/// # Errors
///
/// If options make no sense, nothing can be read, or there is no terminal to draw on.
pub fn run(args: &TopArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let filter = args.filter.as_deref().unwrap_or_default();
    let settings = Settings {
        filter: Filter::parse(filter).map_err(|error| Error::expression("--where", filter, error))?,
        group: args.group,
        tree: args.tree,
        order: args.sort,
        min: args.min,
        limit: args.limit,
        zeros: args.zeros,
        include_backing: args.include_backing,
        // A page cannot be asked to open a branch.
        open_all: args.once || args.batch,
        ..Settings::default()
    };
    let subsystems = Subsystems::load(args.subsystems.as_deref())?;
    // Rows that a filter leaves out now may be wanted in a moment: everything is read.
    let request = Request { interface: args.source, ..Request::live(&context.global.procfs) };
    let mut files =
        args.recording.as_ref().map_or(Ok(Vec::new()), |named| recording::files(std::slice::from_ref(named)))?;
    if args.once && !files.is_empty() {
        // The page of a recording is about its end.
        files.drain(..files.len() - 1);
    }
    let feed = Feed::new(request, files);
    if args.once || args.batch {
        let pages = if args.once { Some(1) } else { args.iterations };
        return print(args, &settings, &subsystems, feed, pages, context);
    }
    live(args, settings, subsystems, feed, context)
}

/// The time from one reading to the next, unless the user has another wish.
fn usual(feed: &Feed) -> Duration {
    match feed.progress() {
        None => Duration::from_secs(2),
        Some(_) => Duration::from_millis(500),
    }
}

/// Prints pages.
fn print(
    args: &TopArgs,
    settings: &Settings,
    subsystems: &Subsystems,
    mut feed: Feed,
    pages: Option<u64>,
    context: &mut Context<'_>,
) -> Result<Outcome> {
    let (mut names, mut history) = (Names::new(), History::default());
    let mut outcome = Outcome::Done;
    let mut printed = 0;
    while pages.is_none_or(|pages| printed < pages) {
        if printed > 0 {
            // What has been recorded need not be waited for.
            let usual = if feed.progress().is_some() { Duration::ZERO } else { usual(&feed) };
            sleep(args.delay.unwrap_or(usual));
        }
        let Some(Taken { reading, .. }) = feed.take(1, &mut names) else { break };
        let profile = match reading {
            Ok(profile) => profile,
            Err(error) if feed.progress().is_none() => return Err(error),
            Err(error) => {
                context.note(format_args!("left out: {error}"));
                outcome = outcome.and(Outcome::Partial);
                continue;
            }
        };
        outcome = outcome.and(note_caveats(&profile, context));
        if printed > 0 {
            writeln!(context.out)?;
        }
        let sample = history.record(profile);
        let board = Board::arrange(&sample, &history, settings, subsystems);
        page::print(&board, &history, &sample.profile.meta, args.units.resolve(), context.style, context.out)?;
        // Whoever reads along wants the page now.
        context.out.flush()?;
        printed += 1;
    }
    Ok(outcome)
}

#[cfg(feature = "tui")]
fn live(
    args: &TopArgs,
    settings: Settings,
    subsystems: Subsystems,
    feed: Feed,
    context: &mut Context<'_>,
) -> Result<Outcome> {
    use crate::top::{session, State};
    use std::io::IsTerminal;

    if !std::io::stdout().is_terminal() {
        let problem = "standard output is no terminal; --once and --batch need none";
        return Err(Error::failed("top", problem));
    }
    let mut state = State::new(settings, args.delay.unwrap_or_else(|| usual(&feed)));
    state.prompt = args.filter.clone().unwrap_or_default();
    state.units = args.units.resolve();
    session::run(state, &subsystems, feed, context.style, context.out)
}

#[cfg(not(feature = "tui"))]
fn live(_: &TopArgs, _: Settings, _: Subsystems, _: Feed, _: &mut Context<'_>) -> Result<Outcome> {
    let problem = "this alloctag is built without its terminal view; use --once or --batch";
    Err(Error::failed("top", problem))
}

/// Reads a delay.
fn delay(text: &str) -> std::result::Result<Duration, String> {
    let found = duration(text)?;
    INTERVALS.contains(&found).then_some(found).ok_or_else(|| "must be from 0.1s to 1d".to_owned())
}
