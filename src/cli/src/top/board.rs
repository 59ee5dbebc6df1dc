// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Arranges a reading: which rows, added up by what, in which order.

mod flat;
mod reading;
mod settings;
mod tree;

use super::{History, Id, Line, Sample};
use crate::model::{Row, Whole};
use crate::subsystem::Subsystems;
use reading::Reading;
pub use settings::Settings;

/// A reading, arranged.
#[derive(Clone, Debug, Default)]
pub struct Board {
    /// The lines, in order.
    pub lines: Vec<Line>,
    /// Everything that the filter lets through, in one line. Shares are of its bytes.
    pub all: Line,
    /// The sums of the rows that are there.
    pub whole: Whole,
    /// Entries that are not among the lines: empty, small, or beyond the limit.
    pub hidden: usize,
}

impl Board {
    /// Arranges a reading.
    pub fn arrange(sample: &Sample, history: &History, settings: &Settings, subsystems: &Subsystems) -> Board {
        let rows: Vec<_> = sample.rows().filter(|(row, ..)| settings.filter.matches(row, subsystems)).collect();
        let whole = Whole::of(rows.iter().filter(|(.., present)| *present).map(|(row, ..)| *row));
        let wanted = |row: &Row| settings.include_backing || row.backing().is_none();
        let rows: Vec<_> = rows.into_iter().filter(|(row, ..)| wanted(row)).collect();
        let mut all = Line::new(Id::new(), "total".to_owned(), 0);
        rows.iter().for_each(|&row| all.add(row));
        all.compare(history);

        let reading = Reading { rows: &rows, history, settings, subsystems };
        let (mut lines, mut hidden) = if settings.tree { tree::arrange(&reading) } else { flat::arrange(&reading) };
        let shown = settings.limit.unwrap_or(usize::MAX).min(lines.len());
        hidden += lines.len() - shown;
        lines.truncate(shown);
        Board { lines, all, whole, hidden }
    }

    /// Where the line of that id is.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.lines.iter().position(|line| line.id == id)
    }
}

#[cfg(test)]
#[path = "board/tests.rs"]
mod tests;
