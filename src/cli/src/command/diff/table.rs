// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The columns of a comparison.

use super::entry::{has_moved, Entry};
use crate::command::ruling::Rulings;
use crate::compare::Kind;
use crate::model::{Amount, Measure};
use crate::render::fit::End;
use crate::render::style::Ink;
use crate::render::{Cell, Column, Table};
use crate::subsystem::Subsystems;
use crate::view::Group;

/// The numbers, which all groups have.
const NUMBERS: [Column; 6] = [
    Column::right("delta", "DELTA"),
    Column::right("percent", "DELTA%").spare(5),
    Column::right("calls", "CALLS").spare(4),
    Column::right("before", "A").spare(2),
    Column::right("after", "B").spare(1),
    Column::left("kind", "KIND").spare(3),
];

/// What of the numbers that only some kernels count is told.
pub(super) struct Told<'t> {
    pub(super) measures: &'t [Measure],
    /// Milliseconds between both profiles, if that is known.
    pub(super) time_ms: Option<u64>,
}

impl Told<'_> {
    /// Who asks for a column gets it.
    fn columns(&self) -> impl Iterator<Item = Column> + '_ {
        self.measures.iter().map(|measure| Column::right(measure.name(), measure.title()))
    }

    fn cells(&self, entry: &Entry<'_>) -> Vec<Cell<'static>> {
        let cell = |&measure: &Measure| match entry.measure(measure, self.time_ms) {
            Some(Amount::Bytes(added)) => Cell::Change(added),
            other => other.map_or(Cell::Empty, Cell::from),
        };
        self.measures.iter().map(cell).collect()
    }
}

/// The entries for people: each has one name.
pub(super) fn for_people<'p>(entries: &[Entry<'p>], group: Group, told: &Told<'_>) -> Table<'p> {
    let own = match group {
        Group::Site => {
            let (found, was) = (Column::left("match", "MATCH").spare(7), Column::left("was", "WAS").spare(6));
            vec![found, Column::left("site", "SITE").cut(End::Front), was]
        }
        _ => vec![Column::right("sites", "SITES").spare(6), Column::left("name", title(group)).cut(end(group))],
    };
    // What a kernel counts besides takes no room where it counts nothing.
    let counts = group == Group::Site && entries.iter().any(|entry| !entry.counted().is_empty());
    let also = counts.then_some(Column::left("extra", "ALSO").spare(8));
    let cells = |entry: &Entry<'p>| match group {
        Group::Site => {
            let also = counts.then(|| Cell::Changes(entry.counted()));
            [numbers(entry), told.cells(entry), also.into_iter().collect(), site(entry)].concat()
        }
        _ => [numbers(entry), told.cells(entry), vec![Cell::size(entry.sites), name(entry, group)]].concat(),
    };
    let columns = NUMBERS.into_iter().chain(told.columns()).chain(also).chain(own).collect();
    Table { columns, rows: entries.iter().map(cells).collect() }
}

/// The entries for programs: names in their parts, besides what people get.
pub(super) fn for_programs<'p>(
    entries: &[Entry<'p>],
    group: Group,
    subsystems: &'p Subsystems,
    rulings: &Rulings,
    told: &Told<'_>,
) -> Table<'p> {
    let mut columns = NUMBERS.to_vec();
    if group == Group::Site {
        columns.extend([Column::left("match", ""), Column::left("site", ""), Column::left("was", "")]);
    } else {
        columns.push(Column::right("sites", ""));
    }
    columns.extend(parts(group).iter().map(|part| Column::left(part, "")));
    columns.extend((group == Group::Site).then_some(Column::left("extra", "")));
    columns.extend(told.columns());
    // Whether --fail-if names it.
    columns.extend((!rulings.is_empty()).then_some(Column::left("fails", "")));
    let cells = |entry: &Entry<'p>| {
        let own = if group == Group::Site { site(entry) } else { vec![Cell::size(entry.sites)] };
        let mut names: Vec<Cell<'p>> = parts(group).iter().map(|part| named(part, entry, group, subsystems)).collect();
        names.extend((group == Group::Site).then(|| Cell::Changes(entry.counted())));
        names.extend(told.cells(entry));
        names.extend((!rulings.is_empty()).then(|| Cell::Flag(rulings.names(&label(entry, group)))));
        [numbers(entry), own, names].concat()
    };
    Table { columns, rows: entries.iter().map(cells).collect() }
}

/// The names that all sites of a group share.
fn parts(group: Group) -> &'static [&'static str] {
    match group {
        Group::Site => &["file", "line", "func", "module", "subsystem"],
        Group::Func => &["file", "func", "module", "subsystem"],
        Group::File => &["file"],
        Group::Dir(_) => &["dir"],
        Group::Module => &["module"],
        Group::Subsystem => &["subsystem"],
    }
}

fn named<'p>(part: &str, entry: &Entry<'p>, group: Group, subsystems: &'p Subsystems) -> Cell<'p> {
    let site = &entry.change.row().site;
    match part {
        "file" => site.path().into(),
        "line" => Cell::Count(site.line.into()),
        "func" => site.func.as_str().into(),
        "module" => site.module.as_deref().map_or(Cell::Empty, Cell::from),
        // A user's table may give sites of one group to several.
        "subsystem" if group != Group::Subsystem => subsystems.of(site).into(),
        _ => entry.label.into(),
    }
}

fn numbers<'p>(entry: &Entry<'p>) -> Vec<Cell<'p>> {
    vec![
        Cell::Change(entry.delta()),
        entry.percent().map_or(Cell::Empty, Cell::Percent),
        Cell::Count(entry.delta_calls()),
        Cell::Bytes(entry.bytes.0),
        Cell::Bytes(entry.bytes.1),
        kind(entry.kind()),
    ]
}

/// What became of it, in its colour.
fn kind(kind: Kind) -> Cell<'static> {
    match kind {
        Kind::New | Kind::Grown => Cell::Word(Ink::Growth, kind.name()),
        Kind::Gone | Kind::Shrunk => Cell::Word(Ink::Shrinkage, kind.name()),
        Kind::Same => kind.name().into(),
    }
}

/// How sure a site was found again, what it is and what it was.
fn site<'p>(entry: &Entry<'p>) -> Vec<Cell<'p>> {
    let change = &entry.change;
    let was = change.before.filter(|_| has_moved(change)).map(|row| &row.site);
    vec![
        change.confidence.map_or(Cell::Empty, |confidence| confidence.name().into()),
        Cell::Text(change.row().site.to_string().into()),
        was.map_or(Cell::Empty, |site| Cell::Text(format!("{}:{}", site.path(), site.line).into())),
    ]
}

/// Which end of a name may go.
fn end(group: Group) -> End {
    match group {
        Group::Site | Group::File | Group::Dir(_) => End::Front,
        Group::Func | Group::Module | Group::Subsystem => End::Back,
    }
}

fn title(group: Group) -> &'static str {
    match group {
        Group::Site => "SITE",
        Group::Func => "FUNC",
        Group::File => "FILE",
        Group::Dir(_) => "DIR",
        Group::Module => "MODULE",
        Group::Subsystem => "SUBSYSTEM",
    }
}

/// What an entry is called in one.
pub(super) fn label(entry: &Entry<'_>, group: Group) -> String {
    match name(entry, group) {
        Cell::Text(name) if group != Group::Site => name.into_owned(),
        _ => entry.change.row().site.to_string(),
    }
}

fn name<'p>(entry: &Entry<'p>, group: Group) -> Cell<'p> {
    let site = &entry.change.row().site;
    match group {
        Group::Func => {
            let module = site.module.as_ref().map(|module| format!(" [{module}]")).unwrap_or_default();
            Cell::Text(format!("{} {}{module}", site.func, site.path()).into())
        }
        Group::Module if entry.label.is_empty() => "(built-in)".into(),
        _ => entry.label.into(),
    }
}
