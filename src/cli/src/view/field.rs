// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The columns that a list can have.

use std::cmp::Ordering;
use std::str::FromStr;

use super::{Entry, Scale};
use crate::model::Measure;
use crate::render::fit::End;
use crate::render::{Align, Cell, Column};
use crate::subsystem::Subsystems;

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Live bytes.
    Bytes,
    /// Their share of the total.
    Share,
    /// Live allocations.
    Calls,
    /// Bytes per live allocation.
    Average,
    /// How many call sites are in this entry.
    Sites,
    /// How many rows of the source are in this entry: more than the sites where some were printed twice.
    Rows,
    /// The module.
    Module,
    /// The file.
    File,
    /// The line.
    Line,
    /// `FILE:LINE`.
    Site,
    /// The function.
    Func,
    /// The directory.
    Dir,
    /// The subsystem.
    Subsystem,
    /// Whether the values can be trusted.
    Accurate,
    /// Whether backing store of other entries is in it.
    Backing,
    /// The kernel's other `key:value` pairs.
    Extra,
    /// All remarks in one, for people.
    Flags,
    /// What only kernels tell that count more.
    Measure(Measure),
}

/// Fields by their names: in options, in JSON and CSV, in the heads of tables. [`Measure`]s have theirs from the kernel's numbers.
const NAMES: &[(Field, &str, &str)] = &[
    (Field::Bytes, "bytes", "BYTES"),
    (Field::Share, "share", "%TOTAL"),
    (Field::Calls, "calls", "CALLS"),
    (Field::Average, "avg", "AVG"),
    (Field::Sites, "sites", "SITES"),
    (Field::Rows, "rows", "ROWS"),
    (Field::Module, "module", "MODULE"),
    (Field::File, "file", "FILE"),
    (Field::Line, "line", "LINE"),
    (Field::Site, "site", "FILE:LINE"),
    (Field::Func, "func", "FUNC"),
    (Field::Dir, "dir", "DIR"),
    (Field::Subsystem, "subsystem", "SUBSYSTEM"),
    (Field::Accurate, "accurate", "ACCURATE"),
    (Field::Backing, "backing", "BACKING"),
    (Field::Extra, "extra", "EXTRA"),
    (Field::Flags, "flags", "FLAGS"),
];

impl Field {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Field> {
        NAMES.iter().map(|entry| entry.0).chain(Measure::all().map(Field::Measure))
    }

    /// Its name in options and machine formats.
    pub fn name(self) -> &'static str {
        self.names().0
    }

    /// Its column.
    pub fn column(self) -> Column {
        let (name, title) = self.names();
        let align = if self.is_number() { Align::Right } else { Align::Left };
        Column { name, title, align, spare: self.spare(), end: self.end() }
    }

    /// What `entry` has in this field.
    pub fn cell<'p>(self, entry: &Entry<'p>, scale: &Scale, subsystems: &'p Subsystems) -> Cell<'p> {
        let site = &entry.row.site;
        match self {
            Field::Bytes => Cell::Bytes(entry.totals.bytes),
            Field::Share => Cell::share(entry.totals.bytes, scale.total),
            Field::Calls => Cell::Count(entry.totals.calls),
            Field::Average => entry.average().map_or(Cell::Empty, Cell::Bytes),
            Field::Sites => Cell::size(entry.totals.sites),
            Field::Rows => Cell::Count(entry.rows),
            Field::Module => site.module.as_deref().map_or(Cell::Empty, Cell::from),
            Field::File => Cell::from(site.path()),
            Field::Line => Cell::Count(site.line.into()),
            Field::Site => Cell::Text(format!("{}:{}", site.path(), site.line).into()),
            Field::Func => Cell::from(site.func.as_str()),
            Field::Dir => Cell::from(entry.dir()),
            Field::Subsystem => Cell::from(subsystems.of(site)),
            Field::Accurate => Cell::Flag(entry.totals.inaccurate == 0),
            Field::Backing => Cell::Flag(entry.backing > 0),
            Field::Extra => Cell::Pairs(&entry.row.extra),
            Field::Flags => Cell::Text(entry.remarks().into()),
            Field::Measure(measure) => entry.measure(measure, scale.time_ms).map_or(Cell::Empty, Cell::from),
        }
    }

    /// How early a narrow terminal does without it: what not every kernel tells, what can be worked out from other fields, then what is often empty.
    fn spare(self) -> u8 {
        match self {
            Field::Average => 5,
            Field::Measure(_) => 6,
            Field::Share => 4,
            Field::Sites | Field::Rows => 3,
            Field::Module => 2,
            Field::Calls => 1,
            _ => 0,
        }
    }

    /// Which end of it can go.
    fn end(self) -> Option<End> {
        match self {
            Field::File | Field::Site | Field::Dir => Some(End::Front),
            Field::Func | Field::Subsystem | Field::Flags => Some(End::Back),
            _ => None,
        }
    }

    fn is_number(self) -> bool {
        use Field::{Average, Bytes, Calls, Line, Rows, Share, Sites};
        matches!(self, Bytes | Share | Calls | Average | Sites | Rows | Line | Field::Measure(_))
    }

    fn names(self) -> (&'static str, &'static str) {
        if let Field::Measure(measure) = self {
            return (measure.name(), measure.title());
        }
        let found = NAMES.iter().find(|entry| entry.0 == self).expect("every field has a name");
        (found.1, found.2)
    }
}

impl FromStr for Field {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The letters are alloctop's.
        let text = match text {
            "s" | "size" => "bytes",
            "c" => "calls",
            "t" | "tag" => "site",
            "function" => "func",
            other => other,
        };
        let own = NAMES.iter().find(|entry| entry.1 == text).map(|entry| entry.0);
        own.or_else(|| Measure::named(text).map(Field::Measure)).ok_or_else(|| {
            let names: Vec<_> = Field::all().map(Field::name).collect();
            format!("`{text}` is no field; there are {}", names.join(", "))
        })
    }
}

/// A field to sort by: the largest number first, names from A to Z; reversed the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// The field.
    pub field: Field,
    /// Whether the order is turned round.
    pub reversed: bool,
}

impl SortKey {
    /// Orders two cells of this key's field.
    pub fn order(self, a: &Cell<'_>, b: &Cell<'_>) -> Ordering {
        // A line is a place more than an amount.
        let downwards = self.field.is_number() && self.field != Field::Line;
        if downwards != self.reversed {
            b.order(a)
        } else {
            a.order(b)
        }
    }
}

impl FromStr for SortKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let turned = text.strip_prefix('-');
        Ok(SortKey { field: turned.unwrap_or(text).parse()?, reversed: turned.is_some() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_found_by_its_name() {
        for field in Field::all() {
            assert_eq!(field.name().parse(), Ok(field));
        }
        assert_eq!("waste%".parse::<Field>().map(|field| field.column().title), Ok("WASTE%"));
        assert!("colour".parse::<Field>().unwrap_err().contains("there are bytes, share"));
    }

    #[test]
    fn numbers_sort_downwards_names_and_lines_upwards_and_a_dash_turns_it_round() {
        let (small, large) = (Cell::Bytes(1), Cell::Bytes(2));
        for (key, first) in [
            ("bytes", Ordering::Greater),
            ("-bytes", Ordering::Less),
            ("line", Ordering::Less),
            ("-line", Ordering::Greater),
        ] {
            assert_eq!(key.parse::<SortKey>().unwrap().order(&small, &large), first, "{key}");
        }
        let (a, b) = (Cell::from("a"), Cell::from("b"));
        assert_eq!("file".parse::<SortKey>().unwrap().order(&a, &b), Ordering::Less);
        assert_eq!("-file".parse::<SortKey>().unwrap().order(&a, &b), Ordering::Greater);
        assert!("--file".parse::<SortKey>().is_err());
    }
}
