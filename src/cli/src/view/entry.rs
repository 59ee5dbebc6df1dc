// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! One line of a list: a call site, or a group of them.

use crate::model::{average, Amount, Measure, Measured, Number, Row, Totals};

/// A group of rows, added up.
#[derive(Clone, Debug)]
pub struct Entry<'p> {
    /// What the group is called: the first part of its key.
    pub label: &'p str,
    /// Its first row, for the fields in which all of them agree.
    pub row: &'p Row,
    /// The sums.
    pub totals: Totals,
    /// How many rows of the source went into it.
    pub rows: i64,
    /// How many of its sites only back others.
    pub backing: usize,
    pub(super) is_dir: bool,
}

impl<'p> Entry<'p> {
    pub(super) fn new(label: &'p str, row: &'p Row, is_dir: bool) -> Entry<'p> {
        let mut entry = Entry { label, row, totals: Totals::default(), rows: 0, backing: 0, is_dir };
        entry.add(row);
        entry
    }

    pub(super) fn add(&mut self, row: &Row) {
        self.totals.add(row);
        self.rows += i64::from(row.merged);
        self.backing += usize::from(row.backing().is_some());
    }

    /// Bytes per live allocation; `None` without any.
    pub fn average(&self) -> Option<i64> {
        average(self.totals.bytes, self.totals.calls)
    }

    /// What only kernels tell that count more, for so many milliseconds, where that is known.
    pub fn measure(&self, measure: Measure, time_ms: Option<u64>) -> Option<Amount> {
        measure.of(&Measured { bytes: self.totals.bytes, numbers: &self.totals.numbers, time_ms })
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.totals.bytes == 0 && self.totals.calls == 0
    }

    /// Whether it has of `number` what is not 0: it did something, even if it holds nothing now.
    pub(super) fn has(&self, number: Number) -> bool {
        self.totals.numbers.get(number).is_some_and(|value| value != 0)
    }

    pub(super) fn dir(&self) -> &'p str {
        if self.is_dir {
            self.label
        } else {
            self.row.site.dir()
        }
    }

    /// What people should know about it, in the kernel's form of words.
    pub(super) fn remarks(&self) -> String {
        let mut remarks = Vec::new();
        if self.totals.inaccurate > 0 {
            remarks.push("accurate:no".to_owned());
        }
        if self.totals.sites == 1 {
            if self.rows > 1 {
                remarks.push(format!("rows:{}", self.rows));
            }
            if self.row.clipped {
                remarks.push("clipped".to_owned());
            }
            remarks.extend(self.row.extra.iter().map(ToString::to_string));
        }
        match self.backing {
            0 => {}
            all if all == self.totals.sites => remarks.push("backing".to_owned()),
            some => remarks.push(format!("backing:{some}")),
        }
        remarks.join(" ")
    }
}
