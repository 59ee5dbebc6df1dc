// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! One line of a comparison: what became of a site, or of a group of them.

use std::collections::hash_map::{Entry as Slot, HashMap};

use foldhash::fast::RandomState;

use crate::compare::{Change, Confidence, Kind};
use crate::subsystem::Subsystems;
use crate::view::Group;

/// Changes that were added up.
#[derive(Clone, Debug)]
pub(super) struct Entry<'p> {
    /// What the group is called: the first part of its key.
    pub(super) label: &'p str,
    /// Its first change: the only one of a site.
    pub(super) change: Change<'p>,
    /// Bytes before and after.
    pub(super) bytes: (i64, i64),
    /// Allocations before and after.
    pub(super) calls: (i64, i64),
    /// How many sites it has.
    pub(super) sites: usize,
}

impl<'p> Entry<'p> {
    fn new(label: &'p str, change: Change<'p>) -> Entry<'p> {
        Entry { label, change, bytes: change.bytes(), calls: change.calls(), sites: 1 }
    }

    fn add(&mut self, change: &Change<'_>) {
        let ((bytes_before, bytes_after), (calls_before, calls_after)) = (change.bytes(), change.calls());
        // Row's invariant rules out overflow.
        self.bytes = (self.bytes.0 + bytes_before, self.bytes.1 + bytes_after);
        self.calls = (self.calls.0 + calls_before, self.calls.1 + calls_after);
        self.sites += 1;
    }

    /// Bytes that were added.
    pub(super) fn delta(&self) -> i64 {
        self.bytes.1 - self.bytes.0
    }

    /// Allocations that were added.
    pub(super) fn delta_calls(&self) -> i64 {
        self.calls.1 - self.calls.0
    }

    /// By how much it grew, in hundredths of what it was.
    pub(super) fn percent(&self) -> Option<f64> {
        percent(self.bytes)
    }

    /// Whether anything has changed.
    fn differs(&self) -> bool {
        self.kind() != Kind::Same || self.delta_calls() != 0
    }

    /// What became of it.
    pub(super) fn kind(&self) -> Kind {
        Kind::of(self.bytes)
    }
}

/// Whether a site was found again at another line, or in another file.
pub(super) fn has_moved(change: &Change<'_>) -> bool {
    change.confidence.is_some_and(|confidence| confidence != Confidence::Exact)
}

/// Bytes added, in hundredths of what there was before; `None` if there was nothing.
pub(super) fn percent((before, after): (i64, i64)) -> Option<f64> {
    // CAST: sizes beyond 2^53 lose bits that no percentage shows.
    (before > 0).then(|| (after - before) as f64 / before as f64 * 100.0)
}

/// Adds changes up by `group`, in the order in which the groups come. What has not changed is left out.
pub(super) fn gather<'p>(
    changes: impl IntoIterator<Item = Change<'p>>,
    group: Group,
    subsystems: &'p Subsystems,
) -> Vec<Entry<'p>> {
    let mut entries: Vec<Entry<'p>> = Vec::new();
    let mut places: HashMap<_, usize, RandomState> = HashMap::default();
    for change in changes {
        let key = group.key(change.row(), subsystems);
        if group == Group::Site {
            let entry = Entry::new(key.0, change);
            // Most sites of a profile: no room is taken for them.
            entries.extend(Some(entry).filter(Entry::differs));
            continue;
        }
        match places.entry(key) {
            Slot::Occupied(place) => entries[*place.get()].add(&change),
            Slot::Vacant(place) => {
                place.insert(entries.len());
                entries.push(Entry::new(key.0, change));
            }
        }
    }
    entries.retain(Entry::differs);
    entries
}
