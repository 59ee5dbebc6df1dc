// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Tables of cells, whatever they are about.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::io::{self, Write};

use super::{delimited, human, json, Style, Units};
use crate::model::Pair;

/// How a table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Columns for people.
    #[default]
    Table,
    /// One JSON object, with what the rows are about in front of them.
    Json,
    /// One JSON object a row.
    Ndjson,
    /// Comma-separated values with a header.
    Csv,
    /// Tab-separated values with a header.
    Tsv,
}

/// How a table is written in every respect.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layout {
    /// The format.
    pub format: Format,
    /// Units, for people; machines get all digits.
    pub units: Units,
    /// What the device can show.
    pub style: Style,
}

/// Which side of a column its cells keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Texts.
    Left,
    /// Numbers.
    Right,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name for machines.
    pub name: &'static str,
    /// Its head for people.
    pub title: &'static str,
    /// Its side.
    pub align: Align,
}

impl Column {
    /// A column of texts.
    pub const fn left(name: &'static str, title: &'static str) -> Column {
        Column { name, title, align: Align::Left }
    }

    /// A column of numbers.
    pub const fn right(name: &'static str, title: &'static str) -> Column {
        Column { name, title, align: Align::Right }
    }
}

/// A value in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// There is none.
    Empty,
    /// An amount of memory.
    Bytes(i64),
    /// A number of things.
    Count(i64),
    /// Hundredths of something.
    Percent(f64),
    /// Yes or no.
    Flag(bool),
    /// A text.
    Text(Cow<'a, str>),
    /// Pairs of texts.
    Pairs(&'a [Pair]),
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Cell::Text(text.into())
    }
}

impl Cell<'_> {
    /// A number of things in memory.
    pub fn size(count: usize) -> Self {
        Cell::Count(i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// `part` as a share of `whole`; empty if there is nothing to share.
    pub fn share(part: i64, whole: i64) -> Self {
        if whole <= 0 {
            return Cell::Empty;
        }
        // CAST: sizes beyond 2^53 lose bits that no percentage shows.
        Cell::Percent(part as f64 / whole as f64 * 100.0)
    }

    /// An order within a column: empty cells first, then by value.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Cell::Bytes(a) | Cell::Count(a), Cell::Bytes(b) | Cell::Count(b)) => a.cmp(b),
            (Cell::Percent(a), Cell::Percent(b)) => a.total_cmp(b),
            (Cell::Flag(a), Cell::Flag(b)) => a.cmp(b),
            (Cell::Text(a), Cell::Text(b)) => a.cmp(b),
            (Cell::Pairs(a), Cell::Pairs(b)) => {
                let texts = |pairs: &[Pair]| {
                    pairs.iter().map(|pair| (pair.key.clone(), pair.value.clone())).collect::<Vec<_>>()
                };
                texts(a).cmp(&texts(b))
            }
            (Cell::Empty, Cell::Empty) => Ordering::Equal,
            (Cell::Empty, _) => Ordering::Less,
            (_, Cell::Empty) => Ordering::Greater,
            // A column has one kind of value.
            _ => Ordering::Equal,
        }
    }
}

/// Rows of cells under columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<'a> {
    /// The columns.
    pub columns: Vec<Column>,
    /// As many cells in each as there are columns.
    pub rows: Vec<Vec<Cell<'a>>>,
}

impl Table<'_> {
    /// Writes the table. `head` is what stands in front of the rows in JSON; see [`json::head`].
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(&self, layout: &Layout, head: &json::Head, out: &mut dyn Write) -> io::Result<()> {
        match layout.format {
            Format::Table => human::write(self, layout.units, layout.style, out),
            Format::Json => json::write(self, head, out),
            Format::Ndjson => json::write_lines(self, out),
            Format::Csv => delimited::write(self, b',', out),
            Format::Tsv => delimited::write(self, b'\t', out),
        }
    }
}

#[cfg(test)]
#[path = "table/tests.rs"]
mod tests;
