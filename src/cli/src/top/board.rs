// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Arranges a reading: which rows, added up by what, in which order.

mod flat;
mod tree;

use std::collections::HashSet;

use super::{Filter, History, Id, Line, Order, Sample};
use crate::model::{Row, Whole};
use crate::subsystem::Subsystems;
use crate::view::Group;

/// What is shown, and how.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Which rows.
    pub filter: Filter,
    /// What they are added up by.
    pub group: Group,
    /// Whether they are shown as a tree, by what fits the group.
    pub tree: bool,
    /// The branches of the tree that are open.
    pub open: HashSet<Id>,
    /// Whether all are.
    pub open_all: bool,
    /// The order of lines, in a tree among siblings.
    pub order: Order,
    /// The least bytes of a line.
    pub min: Option<i64>,
    /// How many lines.
    pub limit: Option<usize>,
    /// Whether lines that hold nothing and have not changed are shown.
    pub zeros: bool,
    /// Whether backing store is shown like the rest, and part of the total.
    pub include_backing: bool,
}

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

/// A row, its track, and whether it is still there.
type Tracked<'p> = (&'p Row, usize, bool);

/// What there is to arrange, and how.
struct Reading<'a> {
    rows: &'a [Tracked<'a>],
    history: &'a History,
    settings: &'a Settings,
    subsystems: &'a Subsystems,
}

impl Reading<'_> {
    /// Puts what has a line in order, and removes what is not to be shown. Returns how many that were.
    fn order<T: AsRef<Line> + AsMut<Line>>(&self, items: &mut Vec<T>) -> usize {
        items.iter_mut().for_each(|item| item.as_mut().compare(self.history));
        let before = items.len();
        items.retain(|item| self.settings.shows(item.as_ref()));
        items.sort_by(|a, b| self.settings.order.compare(a.as_ref(), b.as_ref()));
        before - items.len()
    }
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

impl Settings {
    /// Whether a line is to be shown.
    fn shows(&self, line: &Line) -> bool {
        (self.zeros || !line.is_empty()) && self.min.is_none_or(|min| line.bytes >= min)
    }
}

#[cfg(test)]
#[path = "board/tests.rs"]
mod tests;
