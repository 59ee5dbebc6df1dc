// SPDX-License-Identifier: GPL-2.0-only

//! What the ioctls of an open file ask for: the call sites that match a filter, one after the other.

use crate::{
    model::{text::Row, totals::Totals, wire::Filter},
    platform::{counters, resched},
    registry::{walk::Walk, Sections},
};

/// What the ioctls of an open file remember.
pub(super) struct Asking {
    /// Behind the record that was given last.
    walk: Walk,
    /// Whether the next record is asked for from there, or from the beginning.
    positioned: bool,
    filter: Filter,
}

impl Asking {
    /// Nothing was asked for yet.
    pub(super) fn new() -> Self {
        Self {
            walk: Walk::START,
            positioned: false,
            filter: Filter::ALL,
        }
    }

    /// Whether the next record is not the first one.
    pub(super) fn is_positioned(&self) -> bool {
        self.positioned
    }

    /// The call site at a place among those that match, from which the next ones are found.
    pub(super) fn at<'a>(
        &mut self,
        sections: &'a Sections,
        filter: Filter,
        position: u64,
    ) -> Option<(Row<'a>, Totals)> {
        self.filter = filter;
        self.walk = Walk::START;
        let found = self.find(sections, position)?;
        self.positioned = true;
        Some(found)
    }

    /// The next call site that matches; behind the last one, the next question begins anew.
    pub(super) fn next<'a>(&mut self, sections: &'a Sections) -> Option<(Row<'a>, Totals)> {
        if !self.positioned {
            self.walk = Walk::START;
        }
        let found = self.find(sections, 0);
        self.positioned = found.is_some();
        found
    }

    /// Passes over some call sites that match, finds the next that does, and leaves it.
    fn find<'a>(&mut self, sections: &'a Sections, mut over: u64) -> Option<(Row<'a>, Totals)> {
        if self.filter.matches_all() {
            self.pass(sections, over);
            over = 0;
        }
        // Counters are read of the call site that is found, and of others where sizes are asked for.
        let sizes = self.filter.asks_for_sizes();
        let mut steps = 0;
        let mut more = self.walk.settle(sections);
        while more {
            if self.matches(sections) {
                let mut totals = Totals::default();
                if sizes || over == 0 {
                    totals = counters::total(self.walk.account());
                }
                if !self.filter.fits(totals) {
                    // Too large, or too small.
                } else if over > 0 {
                    over -= 1;
                } else if let Some(row) = self.walk.row(sections) {
                    self.walk.leave();
                    return Some((row, totals));
                }
            }
            steps += 1;
            resched::at_step(steps);
            more = self.walk.advance(sections);
        }
        None
    }

    /// Passes over some call sites without a look at them.
    fn pass(&mut self, sections: &Sections, mut over: u64) {
        let mut steps = 0;
        while over > 0 && self.walk.settle(sections) {
            over -= self.walk.leave_run(over);
            steps += 1;
            resched::at_step(steps);
        }
    }

    /// Whether the call site is wanted, as far as its totals do not matter. Its names are looked at
    /// no more than the filter asks.
    fn matches(&self, sections: &Sections) -> bool {
        let (walk, filter) = (&self.walk, &self.filter);
        (!filter.asks_for_marks()
            || (walk.marks(sections))
                .is_some_and(|(line, accurate)| filter.matches_marks(line, accurate)))
            && (!filter.asks_for_file()
                || walk
                    .file(sections)
                    .is_some_and(|file| filter.matches_file(file)))
            && (!filter.asks_for_names()
                || walk
                    .row(sections)
                    .is_some_and(|row| filter.matches_names(&row)))
    }
}
