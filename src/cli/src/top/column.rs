// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The columns.

use crate::model::Measure;

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
    /// What only some kernels count; of what only grows, by how much in a second.
    Measure(Measure),
    /// What the line is about.
    Name,
}

/// Columns of all kernels with their names in options and their heads.
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
    /// Those of all kernels, in order.
    pub const USUAL: [Column; 8] = [
        Column::Bytes,
        Column::Share,
        Column::Delta,
        Column::Rate,
        Column::Calls,
        Column::Average,
        Column::Trend,
        Column::Name,
    ];

    /// All of them, in order. (The rate of allocations is that of their column.)
    pub fn all() -> impl Iterator<Item = Column> {
        let measures = Measure::all().filter(|measure| *measure != Measure::Rate).map(Column::Measure);
        let (last, first) = Column::USUAL.split_last().expect("there are some");
        first.iter().copied().chain(measures).chain([*last])
    }

    /// Those that lines can be sorted by. (By share is by bytes, and a picture has no order.)
    pub fn sorted() -> impl Iterator<Item = Column> {
        Column::all().filter(|column| !matches!(column, Column::Share | Column::Trend))
    }

    /// Its name in options.
    pub fn name(self) -> &'static str {
        self.names().0
    }

    /// Its head.
    pub fn title(self) -> &'static str {
        self.names().1
    }

    /// Those that a list names, in their usual order; the name is always one of them.
    ///
    /// # Errors
    ///
    /// If there is no such column.
    pub fn list(text: &str) -> Result<Vec<Column>, String> {
        let named = text.split(',').map(|name| Column::named(name.trim())).collect::<Result<Vec<Column>, String>>()?;
        Ok(Column::all().filter(|column| *column == Column::Name || named.contains(column)).collect())
    }

    fn named(name: &str) -> Result<Column, String> {
        // Some have more names than one.
        let wanted = Measure::named(name).map(Measure::name).unwrap_or(name);
        Column::all().find(|column| column.name() == wanted).ok_or_else(|| {
            let names: Vec<_> = Column::all().map(Column::name).collect();
            format!("there is no column `{name}`; there are {}", names.join(", "))
        })
    }

    fn names(self) -> (&'static str, &'static str) {
        if let Column::Measure(measure) = self {
            return (measure.name(), measure.pace().unwrap_or(measure.title()));
        }
        let found = NAMES.iter().find(|entry| entry.0 == self).expect("every column has a name");
        (found.1, found.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_listed_by_name_in_any_order() {
        assert_eq!(Column::list("rate, bytes"), Ok(vec![Column::Bytes, Column::Rate, Column::Name]));
        assert_eq!(
            Column::list("allocs,waste%").map(|columns| columns.into_iter().map(Column::title).collect()),
            Ok(vec!["ALLOCS/s", "WASTE%", "NAME"])
        );
        assert!(Column::list("bytes,colour").unwrap_err().starts_with("there is no column `colour`; there are bytes,"));
    }

    #[test]
    fn every_column_has_a_head_of_its_own() {
        for (column, entry) in Column::USUAL.into_iter().zip(NAMES) {
            assert_eq!((column, column.name(), column.title()), entry);
        }
        let titles: Vec<_> = Column::all().map(Column::title).collect();
        assert!(titles.iter().enumerate().all(|(place, title)| !titles[..place].contains(title)), "{titles:?}");
    }
}
