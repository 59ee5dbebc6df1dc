// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag top`: the profile as it changes, on the terminal or as pages.

mod args;

use std::thread::sleep;
use std::time::Duration;

use super::record::PATIENCE;
use super::{note_caveats, require, Context};
use crate::error::{Error, Outcome, Result};
use crate::model::Names;
use crate::recording;
use crate::source::Request;
use crate::subsystem::Subsystems;
use crate::top::feed::{Feed, Taken};
use crate::top::page::Page;
use crate::top::saved::Saved;
use crate::top::{json, Board, History, Settings};
use args::Form;
pub use args::TopArgs;

/// Runs the command.
///
/// # Errors
///
/// If options make no sense, nothing can be read, or there is no terminal to draw on.
pub fn run(args: &TopArgs, context: &mut Context<'_>) -> Result<Outcome> {
    if args.format == Form::Json && !args.on_paper() {
        return Err(Error::Usage("--format json: of pages only; give --once or --batch".to_owned()));
    }
    let subsystems = Subsystems::load(args.subsystems.as_deref())?;
    // What is wrong with the command line goes before what is wrong with what was kept.
    let settings = args.settings(&Saved::default(), &subsystems)?;
    // Rows that a filter leaves out now may be wanted in a moment: everything is read.
    let request = Request { interface: args.source, ..Request::live(&context.global.procfs) };
    let named = args.recording.as_slice();
    let mut files = recording::files(named, &context.clock)?;
    if args.once && !files.is_empty() {
        // The page of a recording is about its end.
        files.drain(..files.len() - 1);
    }
    let feed = Feed::new(request, files);
    if args.on_paper() {
        let pages = if args.once { Some(1) } else { args.iterations };
        return print(args, &settings, &subsystems, feed, pages, context);
    }
    live(args, &subsystems, feed, context)
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
    let (mut printed, mut failures) = (0, 0);
    let is_live = feed.progress().is_none();
    let mut is_first = true;
    while pages.is_none_or(|pages| printed < pages) {
        if !std::mem::take(&mut is_first) {
            // What has been recorded need not be waited for.
            let usual = if feed.progress().is_some() { Duration::ZERO } else { usual(&feed) };
            sleep(args.delay.unwrap_or(usual));
        }
        let Some(Taken { reading, .. }) = feed.take(1, &mut names) else { break };
        let profile = match reading {
            Ok(profile) => profile,
            // What is wrong from the start is, and what lasts; a module being loaded is not.
            Err(error) if is_live && (printed == 0 || failures + 1 >= PATIENCE) => return Err(error),
            Err(error) => {
                context.note(format_args!("left out: {error}"));
                outcome = outcome.and(Outcome::Partial);
                failures += 1;
                continue;
            }
        };
        failures = 0;
        require(&profile, settings.measures())?;
        outcome = outcome.and(note_caveats(&profile, context));
        let sample = history.record(profile);
        let board = Board::arrange(&sample, &history, settings, subsystems);
        let page = Page {
            board: &board,
            history: &history,
            profile: &sample.profile,
            settings,
            subsystems,
            units: args.units.resolve(),
            style: context.style,
            clock: &context.clock,
        };
        match args.format {
            Form::Json => json::print(&page, context.out)?,
            Form::Page => {
                if printed > 0 {
                    writeln!(context.out)?;
                }
                page.print(context.out)?;
            }
        }
        // Whoever reads along wants the page now.
        context.out.flush()?;
        printed += 1;
    }
    Ok(outcome)
}

#[cfg(feature = "tui")]
fn live(args: &TopArgs, subsystems: &Subsystems, feed: Feed, context: &mut Context<'_>) -> Result<Outcome> {
    use crate::top::{saved, session, State};
    use std::io::IsTerminal;

    if !std::io::stdout().is_terminal() {
        let problem = "standard output is no terminal; --once and --batch need none";
        return Err(Error::failed("top", problem));
    }
    let path = saved::path(|name| std::env::var_os(name));
    let (saved, problem) =
        path.as_ref().filter(|_| !args.no_settings).map_or_else(Default::default, |path| Saved::load(path, subsystems));
    let mut state = State::new(args.settings(&saved, subsystems)?, args.delay.unwrap_or_else(|| usual(&feed)));
    state.prompt = args.prompt(&saved);
    state.units = args.units.asked().or(saved.units()).unwrap_or_default();
    if let (Some(problem), Some(path)) = (problem, &path) {
        // Said again when the screen has been given back.
        context.note(format_args!("{}: passed over: {problem}", path.display()));
        state.notice = Some(format!("{}: passed over: {problem}", path.display()));
    }
    let mouse = !args.no_mouse && saved.mouse.unwrap_or(true);
    let around =
        session::Around { subsystems, style: context.style, clock: &context.clock, mouse, keep: path.as_deref() };
    session::run(state, feed, around, context.out)
}

#[cfg(not(feature = "tui"))]
fn live(_: &TopArgs, _: &Subsystems, _: Feed, _: &mut Context<'_>) -> Result<Outcome> {
    let problem = "this alloctag is built without its terminal view; use --once or --batch";
    Err(Error::failed("top", problem))
}
