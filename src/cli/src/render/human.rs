// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Tables for people.

use std::io::{self, Write};

use super::style::Ink;
use super::table::{Align, Cell, Table};
use super::{units, words, Style, Units};
use crate::printable::printable;

/// Blanks between columns.
const GAP: &str = "  ";

/// Stands where there is no value.
const NOTHING: &str = "-";

pub(super) fn write(table: &Table<'_>, units: Units, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let texts: Vec<Vec<String>> =
        table.rows.iter().map(|row| row.iter().map(|cell| text(cell, units)).collect()).collect();
    let mut widths: Vec<usize> = table.columns.iter().map(|column| column.title.len()).collect();
    for row in &texts {
        for (width, text) in widths.iter_mut().zip(row) {
            *width = (*width).max(text.chars().count());
        }
    }
    let line = |cells: &mut dyn Iterator<Item = &str>| -> String {
        let mut line = String::new();
        for (index, cell) in cells.enumerate() {
            if index > 0 {
                line.push_str(GAP);
            }
            let padding = " ".repeat(widths[index] - cell.chars().count());
            match table.columns[index].align {
                Align::Left => line.extend([cell, &padding]),
                Align::Right => line.extend([&padding, cell]),
            }
        }
        cut(line.trim_end(), style)
    };
    let head = line(&mut table.columns.iter().map(|column| column.title));
    writeln!(out, "{}", style.paint(Ink::Head, head))?;
    for row in &texts {
        writeln!(out, "{}", line(&mut row.iter().map(String::as_str)))?;
    }
    Ok(())
}

/// What a cell says to people.
fn text(cell: &Cell<'_>, units: Units) -> String {
    match cell {
        Cell::Empty => NOTHING.to_owned(),
        Cell::Bytes(bytes) => units.format(*bytes),
        Cell::Count(count) => count.to_string(),
        Cell::Real(number) => format!("{number:.0e}"),
        Cell::Percent(percent) => units::percent(*percent),
        Cell::Flag(flag) => words::yes_or_no(*flag).to_owned(),
        Cell::Text(text) => printable(text).into_owned(),
        Cell::Pairs(pairs) => printable(&words::pairs(pairs)).into_owned(),
    }
}

/// Cuts a line at the width of the terminal, if it is one.
pub fn cut(line: &str, style: Style) -> String {
    let Some(width) = style.width.filter(|&width| line.chars().count() > width) else { return line.to_owned() };
    let (mark, room) = if style.unicode { ("…", width.saturating_sub(1)) } else { ("", width) };
    line.chars().take(room).chain(mark.chars()).collect()
}
