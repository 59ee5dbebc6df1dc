// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How long allocations took and lived, at one moment.

use super::{Timed, Timing, Unreadable};

/// What a kernel has measured, in its order; `None` of what it does not measure, or what nobody asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    lists: [Option<Vec<Timing>>; Timed::ALL.len()],
    unreadable: Unreadable,
}

impl Timings {
    /// What was measured of that.
    pub fn of(&self, timed: Timed) -> Option<&[Timing]> {
        self.lists[place(timed)].as_deref()
    }

    /// All that was measured.
    pub fn known(&self) -> impl Iterator<Item = (Timed, &[Timing])> {
        Timed::ALL.into_iter().filter_map(|timed| Some((timed, self.of(timed)?)))
    }

    /// Makes known that this is measured.
    pub fn begin(&mut self, timed: Timed) {
        self.lists[place(timed)].get_or_insert_default();
    }

    /// Adds one.
    pub fn push(&mut self, timed: Timed, timing: Timing) {
        self.lists[place(timed)].get_or_insert_default().push(timing);
    }

    /// Takes in what others know.
    pub fn join(&mut self, others: Timings) {
        for (mine, theirs) in self.lists.iter_mut().zip(others.lists) {
            match (mine, theirs) {
                (Some(mine), Some(theirs)) => mine.extend(theirs),
                (mine, Some(theirs)) => *mine = Some(theirs),
                (_, None) => {}
            }
        }
        self.inherit_unreadable(others.unreadable);
    }

    /// Adds what could not be read when they were read before.
    pub fn inherit_unreadable(&mut self, before: Unreadable) {
        self.unreadable.count = self.unreadable.count.saturating_add(before.count);
        self.unreadable.first = before.first.or_else(|| self.unreadable.first.take());
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.lists.iter().all(Option::is_none)
    }

    /// What could not be read.
    pub fn unreadable(&self) -> &Unreadable {
        &self.unreadable
    }

    /// Counts what could not be read. `place` says where it is, `reason` what is wrong with it.
    pub fn refuse(&mut self, place: impl FnOnce() -> String, reason: &str) {
        self.unreadable.count += 1;
        self.unreadable.first.get_or_insert_with(|| format!("{}: {reason}", place()));
    }
}

fn place(timed: Timed) -> usize {
    // CAST: variants are numbered from 0.
    timed as usize
}
