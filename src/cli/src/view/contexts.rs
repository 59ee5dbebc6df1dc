// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Arranges contexts: groups, order, limits.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::str::FromStr;

use super::Key;
use crate::model::{average, Context, Contexts, Measure, Measured, Number, Totals, EVERY};
use crate::query::OfContext;
use crate::render::fit::End;
use crate::render::{Align, Cell, Column, Table};
use crate::subsystem::Subsystems;

/// What to show of contexts, and how.
#[derive(Clone, Debug, Default)]
pub struct ContextView {
    /// Only contexts for which it holds.
    pub condition: Option<OfContext>,
    /// What they are added up by; what all of them are told apart by if there is nothing.
    pub by: Vec<Key>,
    /// The order; by bytes without.
    pub sort: Vec<Order>,
    /// At most so many groups.
    pub limit: Option<usize>,
    /// Only groups of at least so many bytes.
    pub min: Option<i64>,
    /// Groups that hold nothing too.
    pub zeros: bool,
    /// Pages in which the memory of other call sites lies, too: with these, it is counted twice.
    pub include_backing: bool,
}

/// A column of a list of contexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Live bytes.
    Bytes,
    /// Live allocations.
    Calls,
    /// Bytes per live allocation.
    Average,
    /// How many contexts are in a group.
    Contexts,
    /// What else is counted.
    Measure(Measure),
    /// What they are added up by.
    Key(Key),
}

/// What to sort by: numbers from the largest, names from A; reversed the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The column.
    pub part: Part,
    /// Whether it is turned round.
    pub reversed: bool,
}

/// Contexts, added up.
#[derive(Clone, Debug)]
pub struct ContextGroup<'c> {
    /// The first of them.
    pub first: &'c Context,
    /// All of them.
    pub all: Vec<&'c Context>,
    /// The sums.
    pub totals: Totals,
    pub(super) values: Vec<Option<Cow<'c, str>>>,
}

/// What a view has chosen.
#[derive(Clone, Debug)]
pub struct ContextSelection<'c> {
    /// What they were added up by.
    pub by: Vec<Key>,
    /// The groups, in order.
    pub groups: Vec<ContextGroup<'c>>,
    /// The sum of all contexts that fulfil the condition.
    pub totals: Totals,
    /// How many of these are estimates.
    pub estimates: usize,
    /// The sum of those that only back others and were left out.
    pub backing: Totals,
    /// How many groups hold nothing and were left out.
    pub empty: usize,
    /// How many were left out by the limits.
    pub cut: usize,
}

impl ContextView {
    /// The contexts that fulfil the condition.
    pub fn chosen<'c>(
        &'c self,
        contexts: &'c Contexts,
        subsystems: &'c Subsystems,
    ) -> impl Iterator<Item = &'c Context> {
        let matching = self.matching(contexts, subsystems);
        matching.filter(|context| self.include_backing || context.row.backing().is_none())
    }

    fn matching<'c>(&'c self, contexts: &'c Contexts, subsystems: &'c Subsystems) -> impl Iterator<Item = &'c Context> {
        let holds =
            |context: &Context| self.condition.as_ref().is_none_or(|condition| condition.matches(context, subsystems));
        contexts.list().iter().filter(move |context| holds(context))
    }

    /// Adds them up, sorts and cuts.
    pub fn apply<'c>(&'c self, contexts: &'c Contexts, subsystems: &'c Subsystems) -> ContextSelection<'c> {
        let by = if self.by.is_empty() { Key::of_all(contexts) } else { self.by.clone() };
        let mut groups: Vec<ContextGroup<'c>> = Vec::new();
        let mut places: HashMap<Vec<Option<Cow<'c, str>>>, usize> = HashMap::new();
        let (mut totals, mut backing, mut estimates) = (Totals::default(), Totals::default(), 0);
        for context in self.matching(contexts, subsystems) {
            if !self.include_backing && context.row.backing().is_some() {
                backing.add(&context.row);
                continue;
            }
            totals.add(&context.row);
            estimates += usize::from(context.period().is_some());
            let values: Vec<_> = by.iter().map(|key| key.of(context, subsystems)).collect();
            let place = *places.entry(values).or_insert_with_key(|values| {
                groups.push(ContextGroup {
                    first: context,
                    all: Vec::new(),
                    totals: Totals::default(),
                    values: values.clone(),
                });
                groups.len() - 1
            });
            groups[place].all.push(context);
            groups[place].totals.add(&context.row);
        }
        let all = groups.len();
        groups.retain(|group| self.zeros || group.totals.bytes != 0 || group.totals.calls != 0 || self.sorts_by(group));
        let empty = all - groups.len();
        let bytes = Order { part: Part::Bytes, reversed: false };
        let sort = if self.sort.is_empty() { &[bytes][..] } else { &self.sort };
        groups.sort_by(|a, b| {
            let orders =
                sort.iter().map(|order| order.of(&by, a, b)).chain([bytes.of(&by, a, b), a.values.cmp(&b.values)]);
            orders.fold(Ordering::Equal, Ordering::then)
        });
        let there = groups.len();
        groups.retain(|group| self.min.is_none_or(|min| group.totals.bytes >= min));
        groups.truncate(self.limit.unwrap_or(usize::MAX));
        let cut = there - groups.len();
        ContextSelection { by, groups, totals, estimates, backing, empty, cut }
    }

    /// Whether a group that holds nothing has of what is sorted by.
    fn sorts_by(&self, group: &ContextGroup<'_>) -> bool {
        self.sort.iter().any(|order| match order.part {
            Part::Measure(Measure::Counted(number)) => group.totals.numbers.get(number).is_some_and(|value| value != 0),
            _ => false,
        })
    }
}

/// The numbers that a kernel counts of contexts.
pub const NUMBERS: [Number; 4] = [Number::Slack, Number::Allocs, Number::Frees, Number::Allocated];

impl Part {
    /// All that can be sorted by.
    pub fn all() -> impl Iterator<Item = Part> {
        let counted = NUMBERS.into_iter().map(|number| Part::Measure(Measure::Counted(number)));
        [Part::Bytes, Part::Calls, Part::Average, Part::Contexts]
            .into_iter()
            .chain(counted)
            .chain(Key::all().map(Part::Key))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.column().name
    }

    /// Its column.
    pub fn column(self) -> Column {
        match self {
            Part::Bytes => Column::right("bytes", "BYTES"),
            Part::Calls => Column::right("calls", "CALLS").spare(1),
            Part::Average => Column::right("avg", "AVG").spare(4),
            Part::Contexts => Column::right("contexts", "CONTEXTS").spare(3),
            Part::Measure(measure) => Column::right(measure.name(), measure.title()).spare(2),
            Part::Key(key) => Column { align: Align::Left, ..Column::left(key.name(), key.title()).cut(End::Front) },
        }
    }

    fn cell<'c>(self, by: &[Key], group: &ContextGroup<'c>) -> Cell<'c> {
        let totals = &group.totals;
        match self {
            Part::Bytes => Cell::Bytes(totals.bytes),
            Part::Calls => Cell::Count(totals.calls),
            Part::Average => average(totals.bytes, totals.calls).map_or(Cell::Empty, Cell::Bytes),
            Part::Contexts => Cell::size(totals.sites),
            Part::Measure(measure) => {
                let measured = Measured { bytes: totals.bytes, numbers: &totals.numbers, time_ms: None };
                measure.of(&measured).map_or(Cell::Empty, Cell::from)
            }
            Part::Key(Key::Stack) => Cell::List(group.first.stack.iter().map(|frame| frame.as_str()).collect()),
            Part::Key(key) => {
                let value = by.iter().position(|known| *known == key).and_then(|place| group.values[place].clone());
                // A period is a size.
                let size = value.as_ref().filter(|_| key.name() == EVERY).and_then(|value| value.parse().ok());
                size.map(Cell::Bytes).or(value.map(Cell::Text)).unwrap_or(Cell::Empty)
            }
        }
    }
}

impl Order {
    fn of(self, by: &[Key], a: &ContextGroup<'_>, b: &ContextGroup<'_>) -> Ordering {
        let order = self.part.cell(by, a).order(&self.part.cell(by, b));
        let downwards = !matches!(self.part, Part::Key(_));
        if downwards != self.reversed {
            order.reverse()
        } else {
            order
        }
    }
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Order, String> {
        let turned = text.strip_prefix('-');
        let name = turned.unwrap_or(text);
        let own = Part::all().filter(|part| !matches!(part, Part::Key(_))).find(|part| part.name() == name);
        let part = match own {
            Some(part) => part,
            None => Part::Key(name.parse().map_err(|problem| {
                format!("{problem}; and bytes, calls, avg, contexts, slack, allocs, frees, allocated")
            })?),
        };
        Ok(Order { part, reversed: turned.is_some() })
    }
}

impl<'c> ContextSelection<'c> {
    /// Whether a group has something there.
    pub fn tells(&self, key: Key) -> bool {
        let place = self.by.iter().position(|known| *known == key);
        place.is_some_and(|place| self.groups.iter().any(|group| group.values[place].is_some()))
    }

    /// The groups as a table of these columns.
    pub fn table(&self, parts: &[Part]) -> Table<'c> {
        let rows = self.groups.iter().map(|group| parts.iter().map(|part| part.cell(&self.by, group)).collect());
        Table { columns: parts.iter().map(|part| part.column()).collect(), rows: rows.collect() }
    }
}
