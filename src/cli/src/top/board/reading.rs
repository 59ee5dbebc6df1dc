// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The rows of a reading on their way to the board.

use super::settings::Settings;
use crate::model::Row;
use crate::subsystem::Subsystems;
use crate::top::{History, Line};

/// A row, its track, and whether it is still there.
pub(super) type Tracked<'p> = (&'p Row, usize, bool);

/// What there is to arrange, and how.
pub(super) struct Reading<'a> {
    pub(super) rows: &'a [Tracked<'a>],
    pub(super) history: &'a History,
    pub(super) settings: &'a Settings,
    pub(super) subsystems: &'a Subsystems,
}

impl Reading<'_> {
    /// Puts what has a line in order, and removes what is not to be shown. Returns how many that were.
    pub(super) fn order<T: AsRef<Line> + AsMut<Line>>(&self, items: &mut Vec<T>) -> usize {
        items.iter_mut().for_each(|item| item.as_mut().compare(self.history));
        let before = items.len();
        items.retain(|item| self.settings.shows(item.as_ref()));
        items.sort_by(|a, b| self.settings.order.compare(a.as_ref(), b.as_ref()));
        before - items.len()
    }
}
