// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `top` on a terminal: reads, draws, takes keys, until it is told to end.

use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use crossterm::event::KeyEvent;
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level;

use super::draw::{spot, Plan, Scene};
use super::feed::{Feed, Progress, Taken};
use super::input::{Input, Inputs};
use super::saved::Saved;
use super::screen::Screen;
use super::state::Mode;
use super::{Board, Effect, History, Sample, State};
use crate::error::{describe, Error, Outcome, Result};
use crate::model::{Contexts, Names, Profile};
use crate::render::units::count;
use crate::render::Style;
use crate::source::file;
use crate::subsystem::Subsystems;
use crate::time::Clock;

/// What it runs in.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// Whose files are whose.
    pub subsystems: &'a Subsystems,
    /// What the terminal can show.
    pub style: Style,
    /// By which clock moments are told.
    pub clock: &'a Clock,
    /// Whether the mouse is taken.
    pub mouse: bool,
    /// Where settings are kept, if that is known.
    pub keep: Option<&'a Path>,
}

/// Runs until the user ends it.
///
/// # Errors
///
/// If the first reading fails, or the terminal does. A later reading that fails is told on the screen and tried again.
pub fn run(state: State, feed: Feed, around: Around<'_>, out: &mut dyn Write) -> Result<Outcome> {
    let mut names = Names::new();
    // Before the terminal is touched: what is wrong from the start is said as any command says it.
    let (mut feed, mut state) = (feed, state);
    let (profile, place) = loop {
        match feed.take(1, &mut names) {
            Some(Taken { reading: Ok(profile), place }) => break (profile, place),
            // A damaged beginning of a recording is no reason not to show the rest.
            Some(Taken { reading: Err(_), .. }) if feed.progress().is_some_and(|progress| !progress.is_at_end()) => {}
            Some(Taken { reading: Err(error), .. }) => return Err(error),
            None => return Ok(Outcome::Done),
        }
    };
    let trouble = unreadable(&profile);
    let mut history = History::default();
    let sample = history.record(profile);
    state.replay = feed.progress();
    let (contexts, places) = (Contexts::default(), vec![place]);
    let mut session = Session { state, around, feed, names, history, sample, trouble, contexts, places };
    let mut inputs = Inputs::open().map_err(terminal)?;
    let ended = Screen::enter(around.mouse, out)
        .map_err(terminal)
        .and_then(|mut screen| session.attend(&mut screen, &mut inputs));
    drop(inputs);
    if let Some(signal) = ended? {
        // The terminal is given back: now die of the signal as if it had never been caught.
        low_level::emulate_default_handler(signal).map_err(terminal)?;
    }
    Ok(Outcome::Done)
}

/// How many lines can be seen.
fn rows(screen: &Screen<'_>) -> Result<usize> {
    Ok(Plan::of(screen.size().map_err(terminal)?.height).rows.into())
}

/// An error of the terminal.
fn terminal(error: io::Error) -> Error {
    Error::failed("the terminal", describe(&error))
}

struct Session<'a> {
    state: State,
    around: Around<'a>,
    feed: Feed,
    names: Names,
    history: History,
    sample: Sample,
    trouble: Option<String>,
    /// Those of the line that is looked into.
    contexts: Contexts,
    /// Where the readings of the history are in the recording.
    places: Vec<usize>,
}

impl Session<'_> {
    /// The loop. Returns the signal that ended it, if one did.
    fn attend(&mut self, screen: &mut Screen<'_>, inputs: &mut Inputs) -> Result<Option<i32>> {
        let mut last = Instant::now();
        let mut board = self.arrange();
        let mut stale = true;
        // What line was looked into, since the last reading.
        let mut seen = Mode::Browse;
        loop {
            if stale {
                board = self.arrange();
                let rows = rows(screen)?;
                self.state.settle(&board, rows);
                if seen != self.state.mode && matches!(self.state.mode, Mode::Details(_)) {
                    self.contexts = self.feed.contexts(&self.sample.profile, &mut self.names);
                }
                seen = self.state.mode.clone();
                screen.draw(&self.scene(&board)).map_err(terminal)?;
            }
            let due = self.state.interval.saturating_sub(last.elapsed());
            let input = inputs.next((!self.state.paused).then_some(due)).map_err(terminal)?;
            stale = input != Input::Nothing;
            match input {
                Input::Key(key) => {
                    if self.press(key, &board, screen)? {
                        return Ok(None);
                    }
                }
                Input::Mouse(mouse) => {
                    let place = (mouse.column, mouse.row);
                    let spot = spot(screen.size().map_err(terminal)?, &self.state, place);
                    self.state.point(mouse.kind, spot, &board, rows(screen)?);
                }
                Input::End(signal) => return Ok(Some(signal)),
                Input::Stop => suspend(screen)?,
                // Stopped by force and woken: nobody knows what the terminal has been through.
                Input::Woken => {
                    screen.leave().map_err(terminal)?;
                    screen.take().map_err(terminal)?;
                }
                Input::Resized | Input::Nothing => {}
            }
            if !self.state.paused && last.elapsed() >= self.state.interval {
                self.read(1);
                seen = Mode::Browse;
                last = Instant::now();
                stale = true;
            }
        }
    }

    /// Does what a key asks for; whether that is to end.
    fn press(&mut self, key: KeyEvent, board: &Board, screen: &mut Screen<'_>) -> Result<bool> {
        let rows = rows(screen)?;
        match self.state.press(key, board, rows, self.around.subsystems) {
            Effect::None => {}
            Effect::Quit => return Ok(true),
            Effect::Suspend => suspend(screen)?,
            Effect::Redraw => screen.clear().map_err(terminal)?,
            Effect::Keep => self.state.notice = Some(self.keep()),
            Effect::Mark => self.history.mark(),
            Effect::Unmark => self.history.unmark(),
            Effect::Step(steps) => self.read(steps),
        }
        Ok(false)
    }

    /// Keeps how things are shown; says what became of that.
    fn keep(&self) -> String {
        let state = &self.state;
        let Some(path) = self.around.keep else { return "neither XDG_CONFIG_HOME nor HOME says where to".to_owned() };
        match Saved::of(&state.settings, &state.prompt, state.units, self.around.mouse).write(path) {
            Ok(()) => format!("kept in {}", path.display()),
            Err(error) => error.to_string(),
        }
    }

    fn arrange(&self) -> Board {
        Board::arrange(&self.sample, &self.history, &self.state.settings, self.around.subsystems)
    }

    fn scene<'s>(&'s self, board: &'s Board) -> Scene<'s> {
        Scene {
            state: &self.state,
            board,
            history: &self.history,
            meta: &self.sample.profile.meta,
            contexts: &self.contexts,
            style: self.around.style,
            clock: self.around.clock,
            trouble: self.trouble.as_deref(),
        }
    }

    /// Takes the reading that is so many behind this one, or notes why there is none. The end of a recording is a pause.
    fn read(&mut self, steps: isize) {
        let taken = self.feed.take(steps, &mut self.names);
        self.state.replay = self.feed.progress();
        let Some(Taken { reading, place }) = taken else {
            self.state.paused |= self.state.replay.is_some_and(Progress::is_at_end);
            return;
        };
        // What cannot be shown leaves what is shown, and with it what came before that.
        match reading {
            Ok(profile) if profile.meta.torn => {
                self.trouble = Some("modules keep coming and going: a reading is left out".to_owned());
            }
            Ok(profile) => {
                let before = self.places.len();
                self.places.retain(|&earlier| earlier < place || place == usize::MAX);
                self.history.rewind(before - self.places.len());
                self.trouble = unreadable(&profile);
                self.sample = self.history.record(profile);
                if self.state.replay.is_some() {
                    self.places.push(place);
                }
            }
            Err(error) => self.trouble = Some(error.to_string()),
        }
    }
}

fn unreadable(profile: &Profile) -> Option<String> {
    let unreadable = profile.unreadable();
    let Some(first) = unreadable.first.as_deref() else { return file::ignored(&profile.meta) };
    Some(format!("left out {} that cannot be read (first: {first})", count(unreadable.count, "row")))
}

/// Stops this process until the shell wakes it.
fn suspend(screen: &mut Screen<'_>) -> Result<()> {
    screen.leave().map_err(terminal)?;
    low_level::emulate_default_handler(SIGTSTP).map_err(terminal)?;
    screen.take().map_err(terminal)
}
