// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! From a profile to the entries that are shown.

use std::cmp::Ordering;
use std::collections::hash_map::{Entry as Slot, HashMap};

use super::{Entry, Field, Group, Scale, SortKey};
use crate::model::{Measure, Profile, Row, Whole};
use crate::query::Where;
use crate::render::{Cell, Table};
use crate::subsystem::Subsystems;

/// Which rows are shown, and how.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Rows to look at; all without.
    pub condition: Option<Where>,
    /// What they are added up by.
    pub group: Group,
    /// The order of entries; the first key that tells two apart decides. Bytes without any.
    pub sort: Vec<SortKey>,
    /// How many entries are shown.
    pub limit: Option<usize>,
    /// The least bytes of an entry that is shown.
    pub min: Option<i64>,
    /// Whether entries that hold nothing are shown.
    pub zeros: bool,
    /// Whether backing store is an entry like others, and part of the total.
    pub include_backing: bool,
}

/// What a [`View`] shows of a profile.
#[derive(Clone, Debug)]
pub struct Selection<'p> {
    /// The entries, in order.
    pub entries: Vec<Entry<'p>>,
    /// The sums of all rows that fulfil the condition, shown or not.
    pub whole: Whole,
    /// What shares and rates are of.
    pub scale: Scale,
    /// Entries left out because they hold nothing.
    pub empty: usize,
    /// Entries left out by limit and least size.
    pub cut: usize,
    /// The fields that they are in the order of.
    pub sorted: Vec<Field>,
    /// Backing store that fulfils the condition and is not among the entries.
    pub backing: Vec<&'p Row>,
}

impl View {
    /// What order and condition go by that only some kernels count.
    pub fn measures(&self) -> Vec<Measure> {
        let sorted = self.sort.iter().filter_map(|key| match key.field {
            Field::Measure(measure) => Some(measure),
            _ => None,
        });
        sorted.chain(self.condition.iter().flat_map(Where::measures)).collect()
    }

    /// Applies the view. The condition's subsystems and the group's are those of `subsystems`.
    pub fn apply<'p>(&self, profile: &'p Profile, subsystems: &'p Subsystems) -> Selection<'p> {
        let matching = |row: &&Row| self.condition.as_ref().is_none_or(|condition| condition.matches(row, subsystems));
        let rows: Vec<&Row> = profile.rows().iter().filter(matching).collect();
        let whole = Whole::of(rows.iter().copied());
        let (backing, ordinary): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| !self.include_backing && row.backing().is_some());

        let total = whole.total(self.include_backing).bytes;
        let asked = self.measures();
        let is_shown = |entry: &Entry<'p>| {
            self.zeros || !entry.is_empty() || asked.iter().any(|measure| entry.has(measure.needs()))
        };
        let (mut entries, empty) = self.gather(&ordinary, subsystems, is_shown);
        let before = entries.len();
        entries.retain(|entry| self.min.is_none_or(|min| entry.totals.bytes >= min));
        let scale = Scale { total, time_ms: profile.meta.uptime_ms };
        let entries = self.in_order(&entries, &scale, subsystems);
        let cut = before - entries.len();
        let sorted = self.sort.iter().map(|key| key.field).collect();
        Selection { entries, whole, scale, empty, cut, sorted, backing }
    }

    /// The entries that are shown, and how many are not.
    fn gather<'p>(
        &self,
        rows: &[&'p Row],
        subsystems: &'p Subsystems,
        is_shown: impl Fn(&Entry<'p>) -> bool,
    ) -> (Vec<Entry<'p>>, usize) {
        let is_dir = matches!(self.group, Group::Dir(_));
        let entry = |row: &'p Row| Entry::new(self.group.key(row, subsystems).0, row, is_dir);
        if self.group == Group::Site {
            // Most rows hold nothing: no room is taken for them.
            let entries: Vec<_> = rows.iter().map(|&row| entry(row)).filter(is_shown).collect();
            let hidden = rows.len() - entries.len();
            return (entries, hidden);
        }
        let mut entries: Vec<Entry<'p>> = Vec::new();
        let mut places: HashMap<_, usize> = HashMap::new();
        for &row in rows {
            match places.entry(self.group.key(row, subsystems)) {
                Slot::Occupied(place) => entries[*place.get()].add(row),
                Slot::Vacant(place) => {
                    place.insert(entries.len());
                    entries.push(entry(row));
                }
            }
        }
        let all = entries.len();
        entries.retain(is_shown);
        let hidden = all - entries.len();
        (entries, hidden)
    }

    /// The entries in order, as many as are shown.
    fn in_order<'p>(&self, entries: &[Entry<'p>], scale: &Scale, subsystems: &'p Subsystems) -> Vec<Entry<'p>> {
        const BY_BYTES: &[SortKey] = &[SortKey { field: Field::Bytes, reversed: false }];
        let keys = if self.sort.is_empty() { BY_BYTES } else { &self.sort };
        let cells = entries.iter().flat_map(|entry| keys.iter().map(|key| key.field.cell(entry, scale, subsystems)));
        let cells: Vec<Cell<'p>> = cells.collect();
        let of = |place: usize| cells[place * keys.len()..].iter().take(keys.len());
        // Places are moved instead of entries, which are large. Stable: equal entries keep the kernel's order, which goes by file.
        let mut places: Vec<usize> = (0..entries.len()).collect();
        places.sort_by(|&a, &b| {
            let orders = keys.iter().zip(of(a).zip(of(b))).map(|(key, (a, b))| key.order(a, b));
            orders.fold(Ordering::Equal, Ordering::then)
        });
        places.truncate(self.limit.unwrap_or(usize::MAX));
        places.into_iter().map(|place| entries[place].clone()).collect()
    }
}

impl<'p> Selection<'p> {
    /// The entries as a table of `fields`.
    pub fn table(&self, fields: &[Field], subsystems: &'p Subsystems) -> Table<'p> {
        let row = |entry: &Entry<'p>| fields.iter().map(|field| field.cell(entry, &self.scale, subsystems)).collect();
        // What they are sorted by is shown whatever the width.
        let kept = |field: &Field| self.sorted.contains(field);
        let column = |field: &Field| if kept(field) { field.column().spare(0) } else { field.column() };
        Table { columns: fields.iter().map(column).collect(), rows: self.entries.iter().map(row).collect() }
    }
}

#[cfg(test)]
#[path = "selection/tests.rs"]
mod tests;
