// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! One line of a comparison: what became of a site, or of a group of them.

use std::collections::hash_map::{Entry as Slot, HashMap};

use foldhash::fast::RandomState;

use super::measures;
use crate::compare::{Change, Confidence, Kind};
use crate::model::{Amount, Measure, Measured, Numbers, Row, Together};
use crate::query::Fact;
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
    /// What was added of what only some kernels count.
    pub(super) numbers: Numbers,
    /// How many sites it has.
    pub(super) sites: usize,
    /// How many of them were found again at another line, or in another file.
    pub(super) moved: usize,
}

impl<'p> Entry<'p> {
    fn new(label: &'p str, change: Change<'p>) -> Entry<'p> {
        let (bytes, calls, numbers) = (change.bytes(), change.calls(), change.numbers());
        Entry { label, change, bytes, calls, numbers, sites: 1, moved: has_moved(&change).into() }
    }

    fn add(&mut self, change: &Change<'_>) {
        let ((bytes_before, bytes_after), (calls_before, calls_after)) = (change.bytes(), change.calls());
        // Row's invariant rules out overflow.
        self.bytes = (self.bytes.0 + bytes_before, self.bytes.1 + bytes_after);
        self.calls = (self.calls.0 + calls_before, self.calls.1 + calls_after);
        self.add_numbers(&change.numbers());
        self.sites += 1;
        self.moved += usize::from(has_moved(change));
    }

    /// Of a most, the largest that is known: what has not changed may have been less meanwhile.
    fn add_numbers(&mut self, others: &Numbers) {
        let known = self.numbers.known().chain(others.known());
        let known: Vec<_> = known.filter(|(number, _)| number.about().together == Together::Most).collect();
        self.numbers.add(others);
        for (number, value) in known {
            self.numbers.set(number, value.max(self.numbers.get(number).unwrap_or(value)));
        }
    }

    /// Bytes that were added.
    pub(super) fn delta(&self) -> i64 {
        self.bytes.1 - self.bytes.0
    }

    /// Allocations that were added.
    pub(super) fn delta_calls(&self) -> i64 {
        self.calls.1 - self.calls.0
    }

    /// What else the kernel counts of its site, where that is another number than before.
    pub(super) fn counted(&self) -> Vec<(&'p str, i64)> {
        let (before, after) = (self.change.before, self.change.after);
        let number = |row: Option<&Row>, key: &str| row.and_then(|row| row.extra(key)?.parse::<i64>().ok());
        let keys = self.change.row().extra.iter().map(|pair| pair.key.as_str());
        let changes = keys.filter_map(|key| {
            // A kernel that did not count it yet is no kernel in which it was nothing.
            let (was, is) =
                (before.map_or(Some(0), |_| number(before, key))?, after.map_or(Some(0), |_| number(after, key))?);
            Some((key, is.saturating_sub(was)))
        });
        changes.filter(|(_, change)| *change != 0).collect()
    }

    /// By how much it grew, in hundredths of what it was.
    pub(super) fn percent(&self) -> Option<f64> {
        percent(self.bytes)
    }

    /// What was added, in so many milliseconds, if that is known.
    pub(super) fn measure(&self, measure: Measure, time_ms: Option<u64>) -> Option<Amount> {
        measure.of(&Measured { bytes: self.delta(), numbers: &self.numbers, time_ms })
    }

    /// What a condition can ask of it.
    pub(super) fn fact(&self, field: &str, time_ms: Option<u64>) -> Fact {
        let measure = measures::named(field).and_then(|measure| self.measure(measure, time_ms));
        if let Some(amount) = measure {
            return amount.into();
        }
        match field {
            "delta" => Fact::Number(self.delta()),
            "percent" => self.percent().map_or(Fact::None, Fact::Share),
            "calls" => Fact::Number(self.delta_calls()),
            "before" => Fact::Number(self.bytes.0),
            "after" => Fact::Number(self.bytes.1),
            "kind" => Fact::Word(self.kind().name()),
            "match" if self.sites == 1 => {
                self.change.confidence.map_or(Fact::None, |confidence| Fact::Word(confidence.name()))
            }
            _ => Fact::None,
        }
    }

    /// Whether anything has changed, of what is asked for, too.
    fn differs(&self, asked: &[Measure]) -> bool {
        let moved = |measure: &Measure| self.numbers.get(measure.needs()).is_some_and(|added| added != 0);
        self.kind() != Kind::Same || self.delta_calls() != 0 || asked.iter().any(moved)
    }

    /// What became of it.
    pub(super) fn kind(&self) -> Kind {
        Kind::of(self.bytes)
    }
}

/// What a condition can ask of a change.
pub(super) fn fact(field: &str, change: &Change<'_>, time_ms: Option<u64>) -> Fact {
    Entry::new("", *change).fact(field, time_ms)
}

/// Whether anything has changed of a site, of what is asked for, too.
pub(super) fn differs(change: &Change<'_>, asked: &[Measure]) -> bool {
    Entry::new("", *change).differs(asked)
}

/// Hands on every entry of `group`, those too that have not changed.
pub(super) fn all<'p>(
    changes: &'p [Change<'p>],
    group: Group,
    subsystems: &'p Subsystems,
    mut then: impl FnMut(&Entry<'p>),
) {
    if group == Group::Site {
        return changes.iter().for_each(|change| then(&Entry::new(&change.row().site.func, *change)));
    }
    add_up(changes.iter().copied(), group, subsystems).iter().for_each(then);
}

/// Whether a site was found again at another line, or in another file.
pub(super) fn has_moved(change: &Change<'_>) -> bool {
    change.confidence.is_some_and(|confidence| confidence != Confidence::Exact)
}

/// Bytes added, in hundredths of what there was before; `None` if there was nothing.
pub(super) fn percent((before, after): (i64, i64)) -> Option<f64> {
    // CAST: sizes beyond 2^53 lose bits that no percentage shows. Multiplied first, so that what is whole stays so.
    (before > 0).then(|| (after - before) as f64 * 100.0 / before as f64)
}

/// Adds changes up by `group`, in the order in which the groups come. What has not changed is left out, and counted.
pub(super) fn gather<'p>(
    changes: &[Change<'p>],
    group: Group,
    subsystems: &'p Subsystems,
    asked: &[Measure],
) -> (Vec<Entry<'p>>, usize) {
    if group == Group::Site {
        // Most sites of a profile do not differ: no room is taken for them.
        let entry = |change: &Change<'p>| Entry::new(&change.row().site.func, *change);
        let entries: Vec<Entry<'p>> = changes.iter().map(entry).filter(|entry| entry.differs(asked)).collect();
        let unchanged = changes.len() - entries.len();
        return (entries, unchanged);
    }
    let mut entries = add_up(changes.iter().copied(), group, subsystems);
    let all = entries.len();
    entries.retain(|entry| entry.differs(asked));
    let unchanged = all - entries.len();
    (entries, unchanged)
}

/// Adds changes up by what is not a site.
fn add_up<'p>(
    changes: impl IntoIterator<Item = Change<'p>>,
    group: Group,
    subsystems: &'p Subsystems,
) -> Vec<Entry<'p>> {
    let mut entries: Vec<Entry<'p>> = Vec::new();
    let mut places: HashMap<_, usize, RandomState> = HashMap::default();
    for change in changes {
        let key = group.key(change.row(), subsystems);
        match places.entry(key) {
            Slot::Occupied(place) => entries[*place.get()].add(&change),
            Slot::Vacant(place) => {
                place.insert(entries.len());
                entries.push(Entry::new(key.0, change));
            }
        }
    }
    entries
}
