// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The order that lines can have.

use std::cmp::Ordering;
use std::str::FromStr;

use super::{Column, Line};
use crate::model::Amount;

/// What lines are sorted by: the largest number first, names from A to Z; reversed the other way round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// One of [`Column::sorted`].
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
            Column::Measure(measure) => {
                let real = |line: &Line| line.measure(measure).map_or(f64::NEG_INFINITY, Amount::real);
                real(b).total_cmp(&real(a))
            }
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
        let column = Column::sorted().find(|column| column.name() == name).ok_or_else(|| {
            let names: Vec<_> = Column::sorted().map(Column::name).collect();
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
