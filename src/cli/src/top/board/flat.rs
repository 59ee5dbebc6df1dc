// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Lines side by side.

use std::collections::hash_map::{Entry, HashMap};

use foldhash::fast::RandomState;

use super::reading::Reading;
use crate::model::Row;
use crate::top::Line;
use crate::view::Group;

/// The lines in order, and how many are not to be shown.
pub(super) fn arrange(reading: &Reading<'_>) -> (Vec<Line>, usize) {
    let group = reading.settings.group;
    let mut lines: Vec<Line> = Vec::new();
    let mut places: HashMap<_, usize, RandomState> = HashMap::default();
    for &tracked in reading.rows {
        let row = tracked.0;
        let (first, second, module) = group.key(row, reading.subsystems);
        let line = if group == Group::Site { row.site.line } else { 0 };
        let place = match places.entry((first, second, module, line, row.backing())) {
            Entry::Occupied(place) => *place.get(),
            Entry::Vacant(place) => {
                let id = format!("{first}\n{second}\n{}\n{line}\n{:?}", module.unwrap_or_default(), row.backing());
                lines.push(Line::new(id, name(group, first, row), 0));
                *place.insert(lines.len() - 1)
            }
        };
        lines[place].add(tracked);
    }
    let hidden = reading.order(&mut lines);
    (lines, hidden)
}

/// What people call the group that a row is in; `first` is the first part of its key.
fn name(group: Group, first: &str, row: &Row) -> String {
    let site = &row.site;
    let module = site.module.as_ref().map(|module| format!(" [{module}]")).unwrap_or_default();
    match group {
        Group::Site => format!("{}:{}{module} {}", site.path(), site.line, site.func),
        Group::Func => format!("{} {}{module}", site.func, site.path()),
        Group::Module if first.is_empty() => "(built-in)".to_owned(),
        _ => first.to_owned(),
    }
}
