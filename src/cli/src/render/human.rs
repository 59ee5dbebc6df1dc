// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Tables for people.

use std::borrow::Cow;
use std::io::{self, Write};

use super::fit::{fit, shorten, usual, wanted, Wish};
use super::style::Ink;
use super::table::{Align, Cell, Column, Table};
use super::{words, Style, Units};
use crate::printable::printable;

/// Blanks between columns.
const GAP: usize = 2;

pub(super) fn write(table: &Table<'_>, units: Units, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let texts: Vec<Vec<Cow<'_, str>>> =
        table.rows.iter().map(|row| row.iter().map(|cell| text(cell, units)).collect()).collect();
    let widths = widths(table, &texts, style);
    let mut head = Line::new(style);
    for (column, width) in shown(&table.columns, &widths) {
        head.cell(column.title, width, column.align, None);
    }
    writeln!(out, "{}", style.paint(Ink::Head, head.text))?;
    for (texts, row) in texts.iter().zip(&table.rows) {
        let mut line = Line::new(style);
        let cells = texts.iter().zip(row).zip(&table.columns).zip(&widths);
        for (((text, cell), column), width) in cells.filter_map(|(cell, width)| Some((cell, (*width)?))) {
            let ink = cell.ink();
            match column.end.filter(|_| style.width.is_some()) {
                Some(end) => line.cell(&shorten(text, width, end, style.unicode), width, column.align, ink),
                None => line.cell(text, width, column.align, ink),
            }
        }
        writeln!(out, "{}", line.text)?;
    }
    let given_up = table.columns.iter().zip(&widths).filter(|(_, width)| width.is_none());
    let titles: Vec<&str> = given_up.map(|(column, _)| column.title).collect();
    if !titles.is_empty() {
        writeln!(out, "{}", style.paint(Ink::Faint, cut(&format!("no room for {}", titles.join(" ")), style)))?;
    }
    Ok(())
}

/// The columns that are shown, with their widths.
fn shown<'a>(columns: &'a [Column], widths: &'a [Option<usize>]) -> impl Iterator<Item = (&'a Column, usize)> {
    columns.iter().zip(widths).filter_map(|(column, width)| Some((column, (*width)?)))
}

/// Widths by which all cells stand below one another; `None` for columns that there is no room for.
fn widths(table: &Table<'_>, texts: &[Vec<Cow<'_, str>>], style: Style) -> Vec<Option<usize>> {
    let mut widths: Vec<usize> = table.columns.iter().map(|column| column.title.len()).collect();
    for row in texts {
        for (width, text) in widths.iter_mut().zip(row) {
            *width = (*width).max(text.chars().count());
        }
    }
    let Some(room) = style.width else { return widths.into_iter().map(Some).collect() };
    let least = |column: &Column, most: usize| match column.end {
        Some(_) => LEAST.max(column.title.len()).min(most),
        None => most,
    };
    // What is left where all that can be spared is given up.
    let kept = table.columns.iter().zip(&widths).filter(|(column, _)| column.spare == 0);
    let taken: usize = kept.map(|(column, &most)| least(column, most) + GAP).sum();
    let left = (room + GAP).saturating_sub(taken);
    let wish = |(place, &most): (usize, &usize)| {
        let column = &table.columns[place];
        let whole = Wish::whole(most, column.spare);
        let Some(end) = column.end.filter(|_| !table.rows.is_empty()) else { return whole };
        let least = least(column, most);
        let wanted = texts.iter().map(|row| wanted(&row[place], left + least, end)).collect();
        Wish { usual: usual(wanted).clamp(least, most), least, ..whole }
    };
    let wishes: Vec<Wish> = widths.iter().enumerate().map(wish).collect();
    fit(&wishes, GAP, room)
}

/// Characters of a name that are some use: a file with its line.
const LEAST: usize = 16;

/// A line that is being made, no longer than the terminal is wide.
struct Line {
    text: String,
    style: Style,
    /// Characters in it.
    used: usize,
    /// Blanks that come before the next cell, and not at the end.
    blanks: usize,
    /// Where the next cell begins.
    next: usize,
}

impl Line {
    fn new(style: Style) -> Line {
        Line { text: String::new(), style, used: 0, blanks: 0, next: 0 }
    }

    fn cell(&mut self, text: &str, width: usize, align: Align, ink: Option<Ink>) {
        let length = text.chars().count();
        let padding = width.saturating_sub(length);
        let before = if align == Align::Right { padding } else { 0 };
        self.blanks = self.next + before - self.used;
        self.next += width.max(length) + GAP;
        if text.is_empty() {
            return;
        }
        let room = self.style.width.map_or(usize::MAX, |width| width.saturating_sub(self.used + self.blanks));
        let text: Cow<'_, str> = if length <= room { text.into() } else { shortened(text, room, self.style).into() };
        if text.is_empty() {
            return;
        }
        self.text.extend(std::iter::repeat_n(' ', self.blanks));
        self.used += self.blanks + text.chars().count();
        match ink {
            Some(ink) => self.text.push_str(&self.style.paint(ink, text).to_string()),
            None => self.text.push_str(&text),
        }
    }
}

/// What a cell says, without what a terminal would obey.
fn text<'c>(cell: &'c Cell<'_>, units: Units) -> Cow<'c, str> {
    match cell {
        Cell::Text(text) => printable(text),
        Cell::List(_) | Cell::Pairs(_) | Cell::Changes(_) => printable(&words::said(cell, units)).into_owned().into(),
        _ => words::said(cell, units),
    }
}

/// Cuts a line at the width of the terminal, if it is one.
pub fn cut(line: &str, style: Style) -> String {
    match style.width {
        Some(width) if line.chars().count() > width => shortened(line, width, style),
        _ => line.to_owned(),
    }
}

/// The beginning of a text that is longer than `room`.
fn shortened(text: &str, room: usize, style: Style) -> String {
    let (mark, room) = if style.unicode && room > 0 { ("…", room - 1) } else { ("", room) };
    text.chars().take(room).chain(mark.chars()).collect()
}
