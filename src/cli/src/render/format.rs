// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The formats that tables are written in.

use std::io::{self, Write};

use super::{delimited, human, json, Style, Table, Units};

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
#[path = "format/tests.rs"]
mod tests;
