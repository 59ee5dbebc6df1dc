// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the board shows, and how.

use std::collections::HashSet;

use crate::top::{Filter, Id, Line, Order};
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

impl Settings {
    /// Whether a line is to be shown.
    pub(super) fn shows(&self, line: &Line) -> bool {
        (self.zeros || !line.is_empty()) && self.min.is_none_or(|min| line.bytes >= min)
    }
}
