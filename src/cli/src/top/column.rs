// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The columns.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_head_of_its_own() {
        for (column, entry) in Column::ALL.into_iter().zip(NAMES) {
            assert_eq!((column, column.name(), column.title()), entry);
        }
    }
}
