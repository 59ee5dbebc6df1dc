// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `top` on a terminal: reads, draws, takes keys, until it is told to end.

use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyEventKind};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::{flag, low_level};

use super::draw::{Plan, Scene};
use super::screen::Screen;
use super::{Board, Effect, History, Sample, State};
use crate::error::{describe, Error, Outcome, Result};
use crate::model::{Names, Profile};
use crate::render::units::count;
use crate::render::Style;
use crate::source::{self, Request};
use crate::subsystem::Subsystems;

/// The longest time that a signal waits for its answer.
const ATTENTION: Duration = Duration::from_millis(100);

/// Signals that have a say; the last one that came is what counts.
const SIGNALS: [i32; 6] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT];

/// Runs until the user ends it.
///
/// # Errors
///
/// If the first reading fails, or the terminal does. A later reading that fails is told on the screen and tried again.
pub fn run(
    state: State,
    subsystems: &Subsystems,
    request: &Request,
    style: Style,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let mut names = Names::new();
    // Before the terminal is touched: what is wrong from the start is said as any command says it.
    let profile = source::read(request, &mut names)?;
    let trouble = unreadable(&profile);
    let mut history = History::default();
    let sample = history.record(profile);
    let mut session = Session { state, subsystems, request, style, names, history, sample, trouble };
    let signal = Arc::new(AtomicUsize::new(0));
    let mut registered = Vec::new();
    for number in SIGNALS {
        let value = usize::try_from(number).unwrap_or_default();
        registered.push(flag::register_usize(number, Arc::clone(&signal), value).map_err(terminal)?);
    }
    let ended = Screen::enter(out).map_err(terminal).and_then(|mut screen| session.attend(&mut screen, &signal));
    for id in registered {
        low_level::unregister(id);
    }
    if let Some(signal) = ended? {
        // The terminal is given back: now die of the signal as if it had never been caught.
        low_level::emulate_default_handler(signal).map_err(terminal)?;
    }
    Ok(Outcome::Done)
}

/// An error of the terminal.
fn terminal(error: io::Error) -> Error {
    Error::failed("the terminal", describe(&error))
}

struct Session<'a> {
    state: State,
    subsystems: &'a Subsystems,
    request: &'a Request,
    style: Style,
    names: Names,
    history: History,
    sample: Sample,
    trouble: Option<String>,
}

impl Session<'_> {
    /// The loop. Returns the signal that ended it, if one did.
    fn attend(&mut self, screen: &mut Screen<'_>, signal: &AtomicUsize) -> Result<Option<i32>> {
        let mut last = Instant::now();
        let mut board = self.arrange();
        let mut stale = true;
        loop {
            if stale {
                board = self.arrange();
                let rows = Plan::of(screen.height().map_err(terminal)?).rows.into();
                self.state.settle(&board, rows);
                screen.draw(&self.scene(&board)).map_err(terminal)?;
                stale = false;
            }
            let due = self.state.interval.saturating_sub(last.elapsed());
            let wait = if self.state.paused { ATTENTION } else { due.min(ATTENTION) };
            if event::poll(wait).map_err(terminal)? {
                stale = true;
                if let Event::Key(key) = event::read().map_err(terminal)? {
                    let rows = Plan::of(screen.height().map_err(terminal)?).rows.into();
                    // A terminal that tells releases tells presses too.
                    if key.kind != KeyEventKind::Release {
                        match self.state.press(key, &board, rows) {
                            Effect::None => {}
                            Effect::Quit => return Ok(None),
                            Effect::Suspend => suspend(screen)?,
                            Effect::Redraw => screen.clear().map_err(terminal)?,
                            Effect::Mark => self.history.mark(),
                            Effect::Unmark => self.history.unmark(),
                        }
                    }
                }
            }
            match i32::try_from(signal.swap(0, Ordering::SeqCst)).unwrap_or_default() {
                0 => {}
                SIGTSTP => suspend(screen)?,
                // Stopped by force and woken: nobody knows what the terminal has been through.
                SIGCONT => {
                    screen.leave().map_err(terminal)?;
                    screen.take().map_err(terminal)?;
                    stale = true;
                }
                signal => return Ok(Some(signal)),
            }
            if !self.state.paused && last.elapsed() >= self.state.interval {
                self.read();
                last = Instant::now();
                stale = true;
            }
        }
    }

    fn arrange(&self) -> Board {
        Board::arrange(&self.sample, &self.history, &self.state.settings, self.subsystems)
    }

    fn scene<'s>(&'s self, board: &'s Board) -> Scene<'s> {
        Scene {
            state: &self.state,
            board,
            history: &self.history,
            meta: &self.sample.profile.meta,
            style: self.style,
            trouble: self.trouble.as_deref(),
        }
    }

    /// Takes a reading, or notes why there is none.
    fn read(&mut self) {
        match source::read(self.request, &mut self.names) {
            Ok(profile) if profile.meta.torn => {
                self.trouble = Some("modules keep coming and going: a reading is left out".to_owned());
            }
            Ok(profile) => {
                self.trouble = unreadable(&profile);
                self.sample = self.history.record(profile);
            }
            Err(error) => self.trouble = Some(error.to_string()),
        }
    }
}

fn unreadable(profile: &Profile) -> Option<String> {
    let unreadable = profile.unreadable();
    let first = unreadable.first.as_deref()?;
    Some(format!("left out {} that cannot be read (first: {first})", count(unreadable.count, "row")))
}

/// Stops this process until the shell wakes it.
fn suspend(screen: &mut Screen<'_>) -> Result<()> {
    screen.leave().map_err(terminal)?;
    low_level::emulate_default_handler(SIGTSTP).map_err(terminal)?;
    screen.take().map_err(terminal)
}
