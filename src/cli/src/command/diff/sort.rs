// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The order of a comparison.

use std::cmp::Ordering;
use std::str::FromStr;

use super::entry::Entry;
use super::measures;
use crate::model::{Amount, Measure};

/// A field to sort by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Delta,
    Change,
    Percent,
    Calls,
    Before,
    After,
    Name,
    Measure(Measure),
}

const FIELDS: [(&str, Field); 7] = [
    ("delta", Field::Delta),
    ("change", Field::Change),
    ("percent", Field::Percent),
    ("calls", Field::Calls),
    ("before", Field::Before),
    ("after", Field::After),
    ("name", Field::Name),
];

/// What to sort by: numbers from the largest, names from A; reversed the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortKey {
    field: Field,
    reversed: bool,
}

impl SortKey {
    /// What it can be by.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FIELDS.iter().map(|field| field.0).chain(measures::all().map(Measure::name))
    }

    /// What it asks of the kernels besides.
    pub(super) fn measure(&self) -> Option<Measure> {
        match self.field {
            Field::Measure(measure) => Some(measure),
            _ => None,
        }
    }

    fn order(self, a: &Entry<'_>, b: &Entry<'_>) -> Ordering {
        let order = match self.field {
            Field::Delta => b.delta().cmp(&a.delta()),
            Field::Change => b.delta().unsigned_abs().cmp(&a.delta().unsigned_abs()),
            // What was nothing before has grown by more than any share.
            Field::Percent => {
                let percent = |entry: &Entry<'_>| entry.percent().unwrap_or(f64::INFINITY);
                percent(b).total_cmp(&percent(a))
            }
            Field::Calls => b.delta_calls().cmp(&a.delta_calls()),
            Field::Before => b.bytes.0.cmp(&a.bytes.0),
            Field::After => b.bytes.1.cmp(&a.bytes.1),
            Field::Name => name(a).cmp(&name(b)),
            Field::Measure(measure) => {
                // All took the same time: by rate is by number.
                let added = |entry: &Entry<'_>| entry.measure(measure, Some(1000)).map(Amount::whole);
                added(b).cmp(&added(a))
            }
        };
        if self.reversed {
            order.reverse()
        } else {
            order
        }
    }
}

impl FromStr for SortKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let turned = text.strip_prefix('-');
        let name = turned.unwrap_or(text);
        let own = FIELDS.iter().find(|field| field.0 == name).map(|field| field.1);
        let field = own.or_else(|| measures::named(name).map(Field::Measure)).ok_or_else(|| {
            let names = SortKey::names().collect::<Vec<_>>().join(", ");
            format!("`{text}` is nothing to sort by; there are {names}")
        })?;
        Ok(SortKey { field, reversed: turned.is_some() })
    }
}

/// Sorts. Without `keys`, what grew comes first and then what shrank, each from the largest on: what was freed buries no
/// growth.
pub(super) fn sort(entries: &mut [Entry<'_>], keys: &[SortKey]) {
    let by_growth = |a: &Entry<'_>, b: &Entry<'_>| {
        let key = |entry: &Entry<'_>| {
            let (delta, calls) = (entry.delta(), entry.delta_calls());
            (delta < 0, std::cmp::Reverse((delta.unsigned_abs(), calls.unsigned_abs())))
        };
        key(a).cmp(&key(b))
    };
    // Stable: equal ones keep the order of their sites.
    entries.sort_by(|a, b| {
        let order = keys.iter().map(|key| key.order(a, b)).fold(Ordering::Equal, Ordering::then);
        order.then_with(|| by_growth(a, b)).then_with(|| name(a).cmp(&name(b)))
    });
}

fn name<'p>(entry: &Entry<'p>) -> (&'p str, &'p str, u32, Option<&'p str>) {
    let site = &entry.change.row().site;
    (if entry.sites > 1 { entry.label } else { site.path() }, entry.label, site.line, site.module.as_deref())
}
