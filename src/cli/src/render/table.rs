// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Tables of cells, whatever they are about.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::fit::End;
use super::style::Ink;
use crate::model::{Amount, Pair};

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
    /// How early a narrow terminal does without it; 0 for never.
    pub spare: u8,
    /// Which end of its cells may go where there is no room for all; none if that would make another value of them.
    pub end: Option<End>,
}

impl Column {
    /// A column of texts.
    pub const fn left(name: &'static str, title: &'static str) -> Column {
        Column { name, title, align: Align::Left, spare: 0, end: None }
    }

    /// A column of numbers.
    pub const fn right(name: &'static str, title: &'static str) -> Column {
        Column { name, title, align: Align::Right, spare: 0, end: None }
    }

    /// The same, which narrow terminals do without: the sooner the larger `spare` is.
    #[must_use]
    pub const fn spare(self, spare: u8) -> Column {
        Column { spare, ..self }
    }

    /// The same, of whose cells an end may go.
    #[must_use]
    pub const fn cut(self, end: End) -> Column {
        Column { end: Some(end), ..self }
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
    /// Nanoseconds.
    Time(i64),
    /// A number that may be very small: people get its magnitude, machines all digits.
    Real(f64),
    /// Hundredths of something.
    Percent(f64),
    /// An amount of memory that was added; less than 0 if it was given back.
    Change(i64),
    /// Yes or no.
    Flag(bool),
    /// A word that should be seen.
    Word(Ink, &'static str),
    /// A text.
    Text(Cow<'a, str>),
    /// Texts in an order.
    List(Vec<&'a str>),
    /// Pairs of texts.
    Pairs(&'a [Pair]),
    /// Numbers that have names, and were added.
    Changes(Vec<(&'a str, i64)>),
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Cell::Text(text.into())
    }
}

impl From<Amount> for Cell<'_> {
    fn from(amount: Amount) -> Self {
        match amount {
            Amount::Bytes(bytes) => Cell::Bytes(bytes),
            Amount::Times(times) => Cell::Count(times),
            Amount::Time(ns) => Cell::Time(ns),
            Amount::Percent(percent) => Cell::Percent(percent),
        }
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

    /// The role that it plays among the others, if it does.
    pub fn ink(&self) -> Option<Ink> {
        match self {
            Cell::Word(ink, _) => Some(*ink),
            Cell::Change(0) => None,
            Cell::Change(added) => Some(if *added > 0 { Ink::Growth } else { Ink::Shrinkage }),
            _ => None,
        }
    }

    /// An order within a column: empty cells first, then by value.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Cell::Bytes(a) | Cell::Count(a) | Cell::Change(a), Cell::Bytes(b) | Cell::Count(b) | Cell::Change(b)) => {
                a.cmp(b)
            }
            (Cell::Time(a), Cell::Time(b)) => a.cmp(b),
            (Cell::Percent(a), Cell::Percent(b)) | (Cell::Real(a), Cell::Real(b)) => a.total_cmp(b),
            (Cell::Flag(a), Cell::Flag(b)) => a.cmp(b),
            (Cell::Text(a), Cell::Text(b)) => a.cmp(b),
            (Cell::Word(_, a), Cell::Word(_, b)) => a.cmp(b),
            (Cell::Pairs(a), Cell::Pairs(b)) => {
                let texts = |pairs: &[Pair]| {
                    pairs.iter().map(|pair| (pair.key.clone(), pair.value.clone())).collect::<Vec<_>>()
                };
                texts(a).cmp(&texts(b))
            }
            (Cell::List(a), Cell::List(b)) => a.cmp(b),
            (Cell::Changes(a), Cell::Changes(b)) => a.cmp(b),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_cells_come_before_all_values() {
        for (a, b) in [
            (Cell::Empty, Cell::Bytes(i64::MIN)),
            (Cell::Bytes(1), Cell::Bytes(2)),
            (Cell::Percent(1.0), Cell::Percent(f64::INFINITY)),
            (Cell::Flag(false), Cell::Flag(true)),
            (Cell::from("a"), Cell::from("b")),
        ] {
            assert_eq!((a.order(&b), b.order(&a), a.order(&a)), (Ordering::Less, Ordering::Greater, Ordering::Equal));
        }
    }
}
