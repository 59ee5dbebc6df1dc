// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The columns, and the order that lines can have by them.

use std::cmp::Ordering;
use std::str::FromStr;

use super::Line;

/// A column, from left to right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Column {
    /// Live bytes.
    #[default]
    Bytes,
    /// Their share of the total.
    Share,
    /// Bytes more than at the baseline.
    Delta,
    /// Net bytes a second.
    Rate,
    /// Live allocations.
    Calls,
    /// Bytes per live allocation.
    Average,
    /// A small picture of the last readings.
    Trend,
    /// What the line is about.
    Name,
}

/// Columns with their names in options and their heads.
const NAMES: [(Column, &str, &str); 8] = [
    (Column::Bytes, "bytes", "BYTES"),
    (Column::Share, "share", "%TOTAL"),
    (Column::Delta, "delta", "DELTA"),
    (Column::Rate, "rate", "RATE/s"),
    (Column::Calls, "calls", "CALLS"),
    (Column::Average, "avg", "AVG"),
    (Column::Trend, "trend", "TREND"),
    (Column::Name, "name", "NAME"),
];

impl Column {
    /// All of them, in order.
    pub const ALL: [Column; 8] = [
        Column::Bytes,
        Column::Share,
        Column::Delta,
        Column::Rate,
        Column::Calls,
        Column::Average,
        Column::Trend,
        Column::Name,
    ];

    /// Those that lines can be sorted by. (By share is by bytes, and a picture has no order.)
    pub const SORTED: [Column; 6] =
        [Column::Bytes, Column::Delta, Column::Rate, Column::Calls, Column::Average, Column::Name];

    /// Its name in options.
    pub fn name(self) -> &'static str {
        self.names().1
    }

    /// Its head.
    pub fn title(self) -> &'static str {
        self.names().2
    }

    fn names(self) -> &'static (Column, &'static str, &'static str) {
        NAMES.iter().find(|entry| entry.0 == self).expect("every column has a name")
    }
}

/// What lines are sorted by: the largest number first, names from A to Z; reversed the other way round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// One of [`Column::SORTED`].
    pub column: Column,
    /// Whether the order is turned round.
    pub reversed: bool,
}

impl Order {
    /// Orders two lines. Equal ones go by bytes, then by name, so that no line dances.
    pub fn compare(self, a: &Line, b: &Line) -> Ordering {
        let order = match self.column {
            Column::Delta => b.delta.cmp(&a.delta),
            Column::Rate => b.rate.cmp(&a.rate),
            Column::Calls => b.calls.cmp(&a.calls),
            Column::Average => b.average().cmp(&a.average()),
            Column::Name => a.name.cmp(&b.name),
            Column::Bytes | Column::Share | Column::Trend => b.bytes.cmp(&a.bytes),
        };
        let order = if self.reversed { order.reverse() } else { order };
        order.then_with(|| b.bytes.cmp(&a.bytes)).then_with(|| a.name.cmp(&b.name)).then_with(|| a.id.cmp(&b.id))
    }
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let turned = text.strip_prefix('-');
        // The letters are alloctop's.
        let name = match turned.unwrap_or(text) {
            "s" | "size" => "bytes",
            "c" => "calls",
            "t" | "tag" | "site" => "name",
            other => other,
        };
        let column = Column::SORTED.into_iter().find(|column| column.name() == name).ok_or_else(|| {
            let names = Column::SORTED.map(Column::name);
            format!("`{text}` is nothing to sort by; there are {}", names.join(", "))
        })?;
        Ok(Order { column, reversed: turned.is_some() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_by_name_and_by_alloctops_letters() {
        for (text, column, reversed) in [
            ("bytes", Column::Bytes, false),
            ("s", Column::Bytes, false),
            ("c", Column::Calls, false),
            ("t", Column::Name, false),
            ("-rate", Column::Rate, true),
            ("delta", Column::Delta, false),
            ("avg", Column::Average, false),
        ] {
            assert_eq!(text.parse(), Ok(Order { column, reversed }), "{text}");
        }
        for text in ["", "-", "trend", "share", "--bytes", "bytes,calls"] {
            assert!(text.parse::<Order>().unwrap_err().contains("there are bytes, delta"), "{text}");
        }
    }

    #[test]
    fn every_column_has_a_head_of_its_own() {
        for (column, entry) in Column::ALL.into_iter().zip(NAMES) {
            assert_eq!((column, column.name(), column.title()), entry);
        }
    }

    #[test]
    fn numbers_go_down_names_go_up_and_equal_lines_keep_an_order() {
        let line = |name: &str, bytes, delta| Line { bytes, delta, ..Line::new(name.into(), name.into(), 0) };
        let (a, b) = (line("a", 1, Some(5)), line("b", 2, None));
        for (text, expected) in [
            ("bytes", Ordering::Greater),
            ("-bytes", Ordering::Less),
            ("delta", Ordering::Less),
            ("rate", Ordering::Greater),
            ("name", Ordering::Less),
            ("-name", Ordering::Greater),
        ] {
            assert_eq!(text.parse::<Order>().unwrap().compare(&a, &b), expected, "{text}");
        }
        assert_eq!(Order::default().compare(&line("a", 1, None), &line("b", 1, None)), Ordering::Less);
    }
}
