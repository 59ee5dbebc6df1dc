// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! One line of the board: a call site, or what several add up to.

use super::spark::spark;
use super::{Column, History};
use crate::model::{average, Amount, Measure, Measured, Numbers, Row};
use crate::printable::printable;
use crate::render::units::percent;
use crate::render::Units;

/// What tells a line from the others, from reading to reading.
pub type Id = String;

/// Readings that the TREND column shows: a character each.
pub const TREND: usize = 8;

/// A line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// What tells it from the others.
    pub id: Id,
    /// What it is about, for people.
    pub name: String,
    /// How many branches of a tree it is below.
    pub depth: usize,
    /// In a tree, whether it is a branch, and open.
    pub open: Option<bool>,
    /// Live bytes.
    pub bytes: i64,
    /// Live allocations.
    pub calls: i64,
    /// Bytes more than at the baseline, once there is something to compare.
    pub delta: Option<i64>,
    /// Net bytes a second, where that makes sense.
    pub rate: Option<i64>,
    /// What only some kernels count, of the sites that are there.
    pub numbers: Numbers,
    /// By how much each of these has grown in a second, where that makes sense.
    pub pace: Numbers,
    /// The tracks of its sites.
    pub tracks: Vec<usize>,
    /// Whether all its sites' values can be trusted.
    pub accurate: bool,
    /// Whether none of its sites is there any more.
    pub gone: bool,
}

impl AsRef<Line> for Line {
    fn as_ref(&self) -> &Line {
        self
    }
}

impl AsMut<Line> for Line {
    fn as_mut(&mut self) -> &mut Line {
        self
    }
}

impl Line {
    /// A line about nothing yet.
    pub fn new(id: Id, name: String, depth: usize) -> Line {
        Line { id, name, depth, accurate: true, gone: true, ..Line::default() }
    }

    /// Adds a row with its track, and whether it is still there.
    pub fn add(&mut self, (row, track, present): (&Row, usize, bool)) {
        // Row's invariant rules out overflow.
        self.bytes += row.bytes;
        self.calls += row.calls;
        match present {
            true if self.gone => self.numbers = row.numbers.clone(),
            true => self.numbers.add(&row.numbers),
            false => {}
        }
        self.accurate &= row.accurate || !present;
        self.gone &= !present;
        self.tracks.push(track);
    }

    /// Looks up what has changed.
    pub fn compare(&mut self, history: &History) {
        self.delta = history.delta(&self.tracks);
        self.rate = history.rate(&self.tracks);
        self.pace = history.pace(&self.tracks);
    }

    /// Bytes per live allocation.
    pub fn average(&self) -> Option<i64> {
        average(self.bytes, self.calls)
    }

    /// What a column of what only some kernels count has: of what only grows, by how much in a second.
    pub fn measure(&self, measure: Measure) -> Option<Amount> {
        let numbers = if measure.pace().is_some() { &self.pace } else { &self.numbers };
        measure.of(&Measured { bytes: self.bytes, numbers, time_ms: None })
    }

    /// Whether it holds nothing and has not changed.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0 && self.calls == 0 && self.delta.unwrap_or(0) == 0
    }

    /// What stands in a column. `total` is what shares are of, in bytes.
    pub fn cell(&self, column: Column, total: i64, units: Units, unicode: bool, history: &History) -> String {
        let size = |size: Option<i64>| size.map_or("-".to_owned(), |size| units.format(size));
        match column {
            Column::Bytes => units.format(self.bytes),
            // CAST: sizes beyond 2^53 lose bits that no percentage shows.
            Column::Share if total > 0 => percent(self.bytes as f64 / total as f64 * 100.0),
            Column::Share => "-".to_owned(),
            Column::Delta => change(self.delta, units),
            Column::Rate => change(self.rate, units),
            Column::Calls => self.calls.to_string(),
            Column::Average => size(self.average()),
            Column::Trend => spark(&history.series(&self.tracks, TREND), unicode),
            Column::Measure(measure) => match self.measure(measure) {
                None => "-".to_owned(),
                Some(Amount::Bytes(bytes)) => units.format(bytes),
                Some(Amount::Times(times)) => times.to_string(),
                Some(Amount::Time(ns)) => units.time(ns),
                Some(Amount::Percent(hundredths)) => percent(hundredths),
            },
            Column::Name => self.label(),
        }
    }

    /// The name, as deep as it is in the tree, with what people should know about it.
    fn label(&self) -> String {
        let mark = match self.open {
            Some(true) => "- ",
            Some(false) => "+ ",
            None if self.depth > 0 => "  ",
            None => "",
        };
        let mut label = format!("{:indent$}{mark}{}", "", self.name, indent = self.depth * 2);
        if !self.accurate {
            label.push_str(" accurate:no");
        }
        if self.gone {
            label.push_str(" gone");
        }
        printable(&label).into_owned()
    }
}

/// A change with its sign, 0 for none, a dash for unknown.
pub fn change(change: Option<i64>, units: Units) -> String {
    match change {
        None => "-".to_owned(),
        Some(0) => "0".to_owned(),
        Some(size) if size > 0 => format!("+{}", units.format(size)),
        Some(size) => units.format(size),
    }
}
