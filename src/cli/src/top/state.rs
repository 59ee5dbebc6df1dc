// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What keys change. Pure: a key goes in, the state is another, and what the world has to do comes out.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::feed::Progress;
use super::{Board, Column, Filter, Id, Settings, INTERVALS};
use crate::render::Units;
use crate::subsystem::Subsystems;
use crate::view::Group;

/// What the keys mean now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The board.
    #[default]
    Browse,
    /// A filter is being typed; holds the one before it.
    Filter(String),
    /// The history of a line.
    Details(Id),
    /// The help page.
    Help,
}

/// What the world has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Effect {
    /// Draw.
    None,
    /// End.
    Quit,
    /// Give the terminal back to the shell for a while.
    Suspend,
    /// Draw everything anew: something else has written on the screen.
    Redraw,
    /// Make the latest reading the baseline.
    Mark,
    /// Make the first reading the baseline.
    Unmark,
    /// Keep how things are shown for the next time.
    Keep,
    /// Show the reading that lies so many behind this one, or before it.
    Step(isize),
}

/// Everything that the user has chosen.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// What is shown.
    pub settings: Settings,
    /// What the keys mean.
    pub mode: Mode,
    /// The filter's text.
    pub prompt: String,
    /// What is wrong with it. The last good one stays in force.
    pub problem: Option<String>,
    /// The line that the cursor keeps to; the first one without.
    pub selected: Option<Id>,
    /// Where it is.
    pub cursor: usize,
    /// The first line that can be seen.
    pub first: usize,
    /// Whether readings are taken.
    pub paused: bool,
    /// The units.
    pub units: Units,
    /// The time between two readings.
    pub interval: Duration,
    /// What the last key has come to, until the next one.
    pub notice: Option<String>,
    /// How far a recording has been replayed, if one is.
    pub replay: Option<Progress>,
}

/// A recording is passed through in so many jumps.
const JUMP: isize = 10;

/// The groups in the order of the keys.
const GROUPS: [Group; 6] = [Group::Site, Group::Func, Group::File, Group::Dir(None), Group::Module, Group::Subsystem];

impl State {
    /// The state at the start.
    pub fn new(settings: Settings, interval: Duration) -> State {
        State { settings, interval, ..State::default() }
    }

    /// Takes a key. `rows` is how many lines can be seen. A filter's subsystems are those of `subsystems`.
    pub fn press(&mut self, key: KeyEvent, board: &Board, rows: usize, subsystems: &Subsystems) -> Effect {
        self.notice = None;
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => return Effect::Quit,
                KeyCode::Char('z') => return Effect::Suspend,
                KeyCode::Char('l') => return Effect::Redraw,
                _ => {}
            }
        }
        if let Some(effect) = self.replay.and_then(|progress| self.travel_in_time(key.code, progress)) {
            return effect;
        }
        match self.mode {
            Mode::Browse => self.browse(key.code, board, rows),
            Mode::Filter(_) => self.type_filter(key, subsystems),
            Mode::Details(_) => self.details(key.code, board, rows),
            Mode::Help => {
                self.mode = Mode::Browse;
                Effect::None
            }
        }
    }

    /// Puts the cursor where its line has gone, and moves what can be seen after it.
    pub fn settle(&mut self, board: &Board, rows: usize) {
        let last = board.lines.len().saturating_sub(1);
        self.cursor = match &self.selected {
            None => 0,
            Some(id) => board.find(id).unwrap_or(self.cursor.min(last)),
        };
        let lowest = self.cursor.saturating_sub(rows.saturating_sub(1));
        self.first = self.first.clamp(lowest, self.cursor).min((last + 1).saturating_sub(rows).max(lowest));
    }

    /// Keys that lead through a recording, where they mean that.
    fn travel_in_time(&mut self, code: KeyCode, progress: Progress) -> Option<Effect> {
        if matches!(self.mode, Mode::Filter(_) | Mode::Help) {
            return None;
        }
        let whole = isize::try_from(progress.of).unwrap_or(isize::MAX);
        let part = (whole / JUMP).max(1);
        let steps = match code {
            KeyCode::Char(' ' | 'p') => {
                // At the end there is nothing to go on with: begin again.
                let again = self.paused && progress.is_at_end();
                self.paused = !self.paused;
                return Some(if again { Effect::Step(-whole) } else { Effect::None });
            }
            KeyCode::Left => -1,
            KeyCode::Right => 1,
            KeyCode::Char('[') => -part,
            KeyCode::Char(']') => part,
            _ => return None,
        };
        // Who looks at one reading does not want it to go.
        self.paused = true;
        Some(Effect::Step(steps))
    }

    fn browse(&mut self, code: KeyCode, board: &Board, rows: usize) -> Effect {
        match code {
            KeyCode::Char('q') => return Effect::Quit,
            KeyCode::Char('d') => return Effect::Mark,
            KeyCode::Char('D') => return Effect::Unmark,
            KeyCode::Char('W') => return Effect::Keep,
            KeyCode::Char('?' | 'h') | KeyCode::F(1) => self.mode = Mode::Help,
            KeyCode::Char('/') => self.mode = Mode::Filter(self.prompt.clone()),
            KeyCode::Esc => self.unfilter(),
            KeyCode::Char('p') => self.paused = !self.paused,
            KeyCode::Char('u') => self.units = next_units(self.units),
            KeyCode::Char('-') => self.interval = (self.interval / 2).max(*INTERVALS.start()),
            KeyCode::Char('+') => self.interval = (self.interval * 2).min(*INTERVALS.end()),
            KeyCode::Enter | KeyCode::Char(' ' | '*') | KeyCode::Left | KeyCode::Right => self.open(code, board),
            _ if self.arrange(code) => {}
            _ => self.travel(code, board, rows),
        }
        Effect::None
    }

    /// Keys that arrange the lines differently; whether it was one.
    fn arrange(&mut self, code: KeyCode) -> bool {
        let settings = &mut self.settings;
        let order = &mut settings.order;
        match code {
            KeyCode::Char(digit @ '1'..='7') => {
                let place = digit.to_digit(10).and_then(|digit| usize::try_from(digit - 1).ok());
                settings.turn_round(Column::USUAL[place.unwrap_or_default()]);
            }
            KeyCode::Char('8') => settings.turn_measures_round(),
            KeyCode::Char('g') => settings.group = neighbour(&GROUPS, settings.group, 1),
            KeyCode::Char('G') => settings.group = neighbour(&GROUPS, settings.group, -1),
            KeyCode::Char('t') => settings.tree = !settings.tree,
            KeyCode::Char('z') => settings.zeros = !settings.zeros,
            KeyCode::Char('b') => settings.include_backing = !settings.include_backing,
            KeyCode::Char('i') => order.reversed = !order.reversed,
            KeyCode::Char('<') => settings.order.column = neighbour(&settings.sorted(), settings.order.column, -1),
            KeyCode::Char('>') => settings.order.column = neighbour(&settings.sorted(), settings.order.column, 1),
            KeyCode::Char('s') => order.column = Column::Bytes,
            KeyCode::Char('e') => order.column = Column::Delta,
            KeyCode::Char('r') => order.column = Column::Rate,
            KeyCode::Char('c') => order.column = Column::Calls,
            KeyCode::Char('a') => order.column = Column::Average,
            KeyCode::Char('n') => order.column = Column::Name,
            _ => return false,
        }
        true
    }

    /// Keys that move the cursor.
    pub(super) fn travel(&mut self, code: KeyCode, board: &Board, rows: usize) {
        let last = board.lines.len().saturating_sub(1);
        let page = rows.max(1);
        let cursor = match code {
            KeyCode::Up | KeyCode::Char('k') => self.cursor.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.cursor + 1,
            KeyCode::PageUp => self.cursor.saturating_sub(page),
            KeyCode::PageDown => self.cursor + page,
            // At the top the cursor keeps to the place, not to the line: what is first is what one wants to see.
            KeyCode::Home => {
                (self.selected, self.cursor) = (None, 0);
                return;
            }
            KeyCode::End => last,
            _ => return,
        };
        self.cursor = cursor.min(last);
        self.selected = board.lines.get(self.cursor).map(|line| line.id.clone());
    }

    /// Opens and closes branches, and the history of what is none.
    pub(super) fn open(&mut self, code: KeyCode, board: &Board) {
        if code == KeyCode::Char('*') {
            self.settings.open_all = !self.settings.open_all;
            self.settings.open.clear();
            return;
        }
        let Some(line) = board.lines.get(self.cursor) else { return };
        let wanted = match (line.open, code) {
            (None, KeyCode::Enter) => {
                self.mode = Mode::Details(line.id.clone());
                return;
            }
            (None, _) => return,
            (Some(_), KeyCode::Right) => true,
            (Some(_), KeyCode::Left) => false,
            (Some(open), _) => !open,
        };
        if self.settings.open_all {
            // From now on each for itself.
            let open = board.lines.iter().filter(|line| line.open == Some(true));
            self.settings.open = open.map(|line| line.id.clone()).collect();
            self.settings.open_all = false;
        }
        if wanted {
            self.settings.open.insert(line.id.clone());
        } else {
            self.settings.open.remove(&line.id);
        }
        self.selected = Some(line.id.clone());
    }

    fn details(&mut self, code: KeyCode, board: &Board, rows: usize) -> Effect {
        match code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::Left | KeyCode::Char('q') => self.mode = Mode::Browse,
            KeyCode::Char('p') => self.paused = !self.paused,
            KeyCode::Char('u') => self.units = next_units(self.units),
            KeyCode::Char('d') => return Effect::Mark,
            KeyCode::Char('D') => return Effect::Unmark,
            _ => {
                self.travel(code, board, rows);
                if let Some(line) = board.lines.get(self.cursor) {
                    self.mode = Mode::Details(line.id.clone());
                }
            }
        }
        Effect::None
    }

    fn type_filter(&mut self, key: KeyEvent, subsystems: &Subsystems) -> Effect {
        let Mode::Filter(before) = &self.mode else { return Effect::None };
        let mut text = self.prompt.clone();
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Enter => {
                // What cannot be read is not accepted.
                if self.problem.is_none() {
                    self.mode = Mode::Browse;
                }
                return Effect::None;
            }
            KeyCode::Esc => {
                text = before.clone();
                self.mode = Mode::Browse;
            }
            KeyCode::Backspace => drop(text.pop()),
            KeyCode::Char('u') if control => text.clear(),
            KeyCode::Char('w') if control => {
                let kept = text.trim_end().rfind(' ').map_or(0, |blank| blank + 1);
                text.truncate(kept);
            }
            KeyCode::Char(typed) if !control => text.push(typed),
            _ => return Effect::None,
        }
        self.refilter(text, subsystems);
        Effect::None
    }

    fn unfilter(&mut self) {
        (self.settings.filter, self.problem) = (Filter::All, None);
        self.prompt.clear();
    }

    /// Makes `text` the filter, if it can be read.
    fn refilter(&mut self, text: String, subsystems: &Subsystems) {
        match Filter::parse(&text, subsystems) {
            Ok(filter) => (self.settings.filter, self.problem) = (filter, None),
            Err(problem) => self.problem = Some(problem),
        }
        self.prompt = text;
    }
}

fn next_units(units: Units) -> Units {
    neighbour(&[Units::Iec, Units::Si, Units::Raw], units, 1)
}

/// The item that is `step` behind `item`, and around at the ends; the first if it is not among them.
fn neighbour<T: Copy + PartialEq>(items: &[T], item: T, step: isize) -> T {
    let place = items.iter().position(|&other| other == item);
    place.map_or(items[0], |place| items[place.wrapping_add_signed(step).wrapping_add(items.len()) % items.len()])
}

#[cfg(test)]
#[path = "state/tests.rs"]
mod tests;
