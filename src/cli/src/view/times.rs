// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Arranges times: groups, order, limits.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::str::FromStr;

use super::Key;
use crate::model::{Quantity, Site, Timed, Timing};
use crate::query::OfTiming;
use crate::render::fit::End;
use crate::render::{Cell, Column, Table};
use crate::subsystem::Subsystems;

/// What to show of times, and how.
#[derive(Clone, Debug)]
pub struct TimesView {
    /// What took so long.
    pub timed: Timed,
    /// Only what fulfils it.
    pub condition: Option<OfTiming>,
    /// What they are added up by; nothing for every line of the kernel's for itself.
    pub by: Vec<By>,
    /// The order; without, by what matters most.
    pub sort: Vec<TimesOrder>,
    /// At most so many groups.
    pub limit: Option<usize>,
}

/// What times are added up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A part of the call site.
    Of(Key),
    /// What was waited for.
    Cause,
}

/// A column of a list of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimesPart {
    /// A number about them.
    Quantity(Quantity),
    /// How many call sites are in a group.
    Sites,
    /// The causes in a group, that of the longest first.
    Causes,
    /// The buckets.
    Histogram,
    /// The buckets of how old those are that live.
    Ages,
    /// What they are added up by.
    By(By),
}

/// What to sort by: numbers from the largest, names from A; reversed the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimesOrder {
    /// The column.
    pub part: TimesPart,
    /// Whether it is turned round.
    pub reversed: bool,
}

/// Times, added up.
#[derive(Clone, Debug)]
pub struct TimesGroup<'t> {
    /// The sum, with the names of the first of them.
    pub sum: Timing,
    /// How many call sites.
    pub sites: usize,
    values: Vec<Cow<'t, str>>,
    causes: Vec<(&'t str, u64)>,
}

/// What a view has chosen.
#[derive(Clone, Debug)]
pub struct TimesSelection<'t> {
    /// What they were added up by.
    pub by: Vec<By>,
    /// The groups, in order.
    pub groups: Vec<TimesGroup<'t>>,
    /// The sum of all that fulfil the condition; `None` if there are none.
    pub total: Option<Timing>,
    /// Of how many call sites.
    pub sites: usize,
    /// How many of these are such as had to share a histogram.
    pub shared: u64,
    /// How many groups were left out by the limit.
    pub cut: usize,
}

impl TimesView {
    /// Adds up, sorts and cuts.
    pub fn apply<'t>(&self, list: &'t [Timing], subsystems: &'t Subsystems) -> TimesSelection<'t> {
        let by = if self.by.is_empty() { usual(self.timed) } else { self.by.clone() };
        let mut groups: Vec<TimesGroup<'t>> = Vec::new();
        let mut places: HashMap<Vec<Cow<'t, str>>, usize> = HashMap::new();
        let mut seen: HashSet<(usize, &'t Site)> = HashSet::new();
        let mut all: HashSet<&'t Site> = HashSet::new();
        let (mut total, mut shared): (Option<Timing>, u64) = (None, 0);
        let holds =
            |timing: &&Timing| self.condition.as_ref().is_none_or(|condition| condition.matches(timing, subsystems));
        for timing in list.iter().filter(holds) {
            match &mut total {
                Some(total) => total.add(timing),
                none => *none = Some(timing.clone()),
            }
            if timing.is_shared() {
                shared = shared.saturating_add(timing.times.count()).saturating_add(timing.ages.count());
            } else {
                all.insert(&timing.site);
            }
            let values: Vec<_> = by.iter().map(|by| by.of(timing, subsystems)).collect();
            let place = match places.get(&values) {
                Some(&place) => {
                    groups[place].sum.add(timing);
                    place
                }
                None => {
                    places.insert(values.clone(), groups.len());
                    groups.push(TimesGroup { sum: timing.clone(), sites: 0, values, causes: Vec::new() });
                    groups.len() - 1
                }
            };
            let group = &mut groups[place];
            group.sites += usize::from(!timing.is_shared() && seen.insert((place, &timing.site)));
            if let Some(cause) = &timing.cause {
                match group.causes.iter_mut().find(|(known, _)| *known == cause.as_str()) {
                    Some((_, ns)) => *ns = ns.saturating_add(timing.times.ns()),
                    None => group.causes.push((cause, timing.times.ns())),
                }
            }
        }
        groups.iter_mut().for_each(|group| group.causes.sort_by_key(|&(_, ns)| std::cmp::Reverse(ns)));
        let first = [TimesOrder { part: TimesPart::Quantity(most_important(self.timed)), reversed: false }];
        let sort = if self.sort.is_empty() { &first[..] } else { &self.sort };
        groups.sort_by(|a, b| {
            let orders = sort.iter().chain(&first).map(|order| order.of(&by, a, b)).chain([a.values.cmp(&b.values)]);
            orders.fold(Ordering::Equal, Ordering::then)
        });
        let there = groups.len();
        groups.truncate(self.limit.unwrap_or(usize::MAX));
        let cut = there - groups.len();
        TimesSelection { by, groups, total, sites: all.len(), shared, cut }
    }
}

/// What times are added up by unless asked otherwise: lines as the kernel has them.
fn usual(timed: Timed) -> Vec<By> {
    match timed {
        Timed::Stalls => vec![By::Cause, By::Of(Key::Site)],
        Timed::Latency | Timed::Lifetimes => vec![By::Of(Key::Site)],
    }
}

/// What they are sorted by unless asked otherwise.
fn most_important(timed: Timed) -> Quantity {
    match timed {
        Timed::Stalls | Timed::Latency => Quantity::Total,
        Timed::Lifetimes => Quantity::Alive,
    }
}

impl By {
    /// All of them.
    pub fn all() -> impl Iterator<Item = By> {
        [Key::Site, Key::Func, Key::File, Key::Dir, Key::Module, Key::Subsystem]
            .map(By::Of)
            .into_iter()
            .chain([By::Cause])
    }

    /// Its name in options and machine formats.
    pub fn name(self) -> &'static str {
        match self {
            By::Of(key) => key.name(),
            By::Cause => "cause",
        }
    }

    fn of<'t>(self, timing: &'t Timing, subsystems: &'t Subsystems) -> Cow<'t, str> {
        match self {
            By::Cause => timing.cause.as_deref().unwrap_or_default().into(),
            // Of no call site: whatever names the kernel gives it are its own.
            By::Of(_) if timing.is_shared() => "(no histogram of its own)".into(),
            By::Of(key) => key.of_site(&timing.site, subsystems).unwrap_or_default(),
        }
    }
}

impl FromStr for By {
    type Err = String;

    fn from_str(text: &str) -> Result<By, String> {
        By::all().find(|by| by.name() == text).ok_or_else(|| {
            let names: Vec<_> = By::all().map(By::name).collect();
            format!("`{text}` is nothing to add up by; there are {}", names.join(", "))
        })
    }
}

impl TimesPart {
    /// All that can be sorted by.
    pub fn sorted() -> impl Iterator<Item = TimesPart> {
        Quantity::all().map(TimesPart::Quantity).chain([TimesPart::Sites]).chain(By::all().map(TimesPart::By))
    }

    /// Its name in options.
    pub fn word(self) -> &'static str {
        match self {
            TimesPart::Quantity(quantity) => quantity.word(),
            other => other.column().name,
        }
    }

    /// Its column.
    pub fn column(self) -> Column {
        match self {
            TimesPart::Quantity(quantity) => {
                let spare = match quantity {
                    Quantity::Mean | Quantity::Min | Quantity::P90 => 5,
                    Quantity::Lost => 4,
                    Quantity::Age | Quantity::Max => 3,
                    Quantity::P50 => 2,
                    Quantity::Count => 1,
                    _ => 0,
                };
                Column::right(quantity.name(), quantity.title()).spare(spare)
            }
            TimesPart::Sites => Column::right("sites", "SITES").spare(4),
            TimesPart::Causes => Column::left("causes", "CAUSES").spare(3),
            TimesPart::Histogram => Column::left("histogram", "HISTOGRAM"),
            TimesPart::Ages => Column::left("ages", "AGES"),
            TimesPart::By(By::Cause) => Column::left("cause", "CAUSE"),
            TimesPart::By(By::Of(key)) => Column::left(key.name(), key.title()).cut(End::Front),
        }
    }

    fn cell<'t>(self, by: &[By], group: &TimesGroup<'t>) -> Cell<'t> {
        match self {
            TimesPart::Quantity(quantity) => quantity.of(&group.sum).map_or(Cell::Empty, Cell::from),
            TimesPart::Sites => Cell::size(group.sites),
            TimesPart::Causes => {
                let causes: Vec<_> = group.causes.iter().map(|(cause, _)| *cause).collect();
                Cell::Text(causes.join(",").into())
            }
            TimesPart::Histogram => Cell::Text(group.sum.times.to_string().into()),
            TimesPart::Ages => Cell::Text(group.sum.ages.to_string().into()),
            TimesPart::By(wanted) => {
                let place = by.iter().position(|by| *by == wanted);
                place.map_or(Cell::Empty, |place| Cell::Text(group.values[place].clone()))
            }
        }
    }
}

impl TimesOrder {
    fn of(self, by: &[By], a: &TimesGroup<'_>, b: &TimesGroup<'_>) -> Ordering {
        let order = self.part.cell(by, a).order(&self.part.cell(by, b));
        let downwards = !matches!(self.part, TimesPart::By(_));
        if downwards != self.reversed {
            order.reverse()
        } else {
            order
        }
    }
}

impl FromStr for TimesOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<TimesOrder, String> {
        let turned = text.strip_prefix('-');
        let name = turned.unwrap_or(text);
        let quantity = Quantity::named(name).map(TimesPart::Quantity);
        let found = quantity.or_else(|| TimesPart::sorted().find(|part| part.word() == name));
        let part = found.ok_or_else(|| {
            let names: Vec<_> = TimesPart::sorted().map(TimesPart::word).collect();
            format!("`{name}` is nothing to sort by; there are {}", names.join(", "))
        })?;
        Ok(TimesOrder { part, reversed: turned.is_some() })
    }
}

impl<'t> TimesSelection<'t> {
    /// The groups as a table of these columns.
    pub fn table(&self, parts: &[TimesPart]) -> Table<'t> {
        let rows = self.groups.iter().map(|group| parts.iter().map(|part| part.cell(&self.by, group)).collect());
        Table { columns: parts.iter().map(|part| part.column()).collect(), rows: rows.collect() }
    }
}
