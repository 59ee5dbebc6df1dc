// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the board shows, and how.

use std::collections::HashSet;

use crate::model::{Measure, Number};
use crate::top::{Column, Filter, Id, Line, Order};
use crate::view::Group;

/// What a key shows of what only some kernels count.
const MEASURES: [Measure; 3] = [Measure::Counted(Number::Slack), Measure::Waste, Measure::Counted(Number::Allocs)];

/// What is shown, and how.
#[derive(Clone, Debug)]
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
    /// The columns, from left to right.
    pub columns: Vec<Column>,
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

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            filter: Filter::default(),
            group: Group::default(),
            tree: false,
            open: HashSet::new(),
            open_all: false,
            columns: Column::USUAL.to_vec(),
            order: Order::default(),
            min: None,
            limit: None,
            zeros: false,
            include_backing: false,
        }
    }
}

impl Settings {
    /// Shows a column, or hides it. Names stay: numbers alone are about nothing.
    pub fn turn_round(&mut self, column: Column) {
        let shown = |other: &Column| (*other == column) != self.columns.contains(other) || *other == Column::Name;
        self.columns = Column::all().filter(shown).collect();
    }

    /// Shows the columns of what only some kernels count that most want, or hides all that are shown of it.
    pub fn turn_measures_round(&mut self) {
        let measures = |column: &Column| matches!(column, Column::Measure(_));
        if self.columns.iter().any(measures) {
            self.columns.retain(|column| !measures(column));
        } else {
            MEASURES.into_iter().for_each(|measure| self.turn_round(Column::Measure(measure)));
        }
    }

    /// The columns that the order can go on to.
    pub fn sorted(&self) -> Vec<Column> {
        let there = |column: &Column| !matches!(column, Column::Measure(_)) || self.columns.contains(column);
        Column::sorted().filter(there).collect()
    }

    /// What order and filter go by that only some kernels count.
    pub fn measures(&self) -> Vec<Measure> {
        let sorted = match self.order.column {
            Column::Measure(measure) => Some(measure),
            _ => None,
        };
        sorted.into_iter().chain(self.filter.measures()).collect()
    }

    /// Whether a line is to be shown.
    pub(super) fn shows(&self, line: &Line) -> bool {
        // What is given back at once holds nothing, and may yet be what is looked for.
        let busy = match self.order.column {
            Column::Measure(measure) => line.measure(measure).is_some_and(|amount| amount.real() != 0.0),
            _ => false,
        };
        (self.zeros || busy || !line.is_empty()) && self.min.is_none_or(|min| line.bytes >= min)
    }
}
