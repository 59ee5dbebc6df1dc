// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The formats that tables are written in.

use std::io::{self, Write};

use super::style::Ink;
use super::{delimited, human, json, markdown, Style, Table, Units};

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
    /// GitHub's Markdown: a table with units.
    Markdown,
}

impl Format {
    /// Whether people read it: sizes have units, names are in one, and remarks stand below.
    pub fn is_for_people(self) -> bool {
        matches!(self, Format::Table | Format::Markdown)
    }
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

impl Layout {
    /// Writes a line about a table, below it, if people read it.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn remark(&self, ink: Ink, text: &str, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            Format::Table => writeln!(out, "{}", self.style.paint(ink, text)),
            // A paragraph: a line right behind a table would be part of it.
            Format::Markdown => writeln!(out, "\n{}", markdown::escape(text)),
            _ => Ok(()),
        }
    }
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
            Format::Markdown => markdown::write(self, layout.units, out),
        }
    }
}

#[cfg(test)]
#[path = "format/tests.rs"]
mod tests;
