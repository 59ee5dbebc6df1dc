// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A board on paper: what `--once` and `--batch` print.

use std::io::{self, Write};

use super::{Board, Column, History, Settings};
use crate::model::{Backing, Meta, Profile};
use crate::render::human::cut;
use crate::render::style::Ink;
use crate::render::units::count;
use crate::render::{Style, Units};
use crate::subsystem::Subsystems;
use crate::time::{duration, Clock};

/// What is known about the whole, for the head of a page or a screen: a line each.
///
/// The first says when, the second how much, the third what is not in it.
pub fn summary(board: &Board, history: &History, meta: &Meta, units: Units, clock: &Clock) -> Vec<String> {
    let release = meta.uname.as_ref().map(|uname| format!("  Linux {}", uname.release)).unwrap_or_default();
    let when = meta.time_ms.map(|time| clock.date(time)).unwrap_or_default();
    let sites = &board.whole.sites;
    let mut amount = format!(
        "{} in {}, {}",
        units.format(board.all.bytes),
        count(sites.sites, "site"),
        count(u64::try_from(board.all.calls).unwrap_or(0), "call")
    );
    if board.all.delta.is_some() {
        let delta = super::line::change(board.all.delta, units);
        let rate = super::line::change(board.all.rate, units);
        amount.push_str(&format!("; {delta} in {}, now {rate}/s", duration(history.age_ms())));
    }
    let mut apart: Vec<String> = Vec::new();
    if let Some(used) = meta.memory.used().and_then(|used| i64::try_from(used).ok()) {
        apart.push(format!("in use by /proc/meminfo: {}", units.format(used)));
    }
    for kind in Backing::ALL {
        let totals = board.whole.backing(kind);
        if totals.calls != 0 {
            let bytes = units.format(totals.bytes);
            apart.push(format!("pages for {}: {bytes}", kind.holds()));
        }
    }
    vec![format!("alloctag top  {when}{release}"), amount, apart.join("; ")]
}

/// What is doubtful about the reading.
pub fn doubt(history: &History, meta: &Meta) -> Option<&'static str> {
    if meta.profiling.enabled == Some(false) {
        Some("profiling is off: these numbers are old")
    } else if history.is_cut() {
        Some("modules came or went, profiling was turned on or the machine booted: no rates for this interval")
    } else {
        None
    }
}

/// Columns of a page: without readings to compare, only those that make sense for one.
fn columns(history: &History) -> &'static [Column] {
    use Column::{Average, Bytes, Calls, Delta, Name, Rate, Share};
    if history.is_young() {
        &[Bytes, Share, Calls, Average, Name]
    } else {
        &[Bytes, Share, Delta, Rate, Calls, Average, Name]
    }
}

/// The width of a column; names take what is left.
pub fn width(column: Column, units: Units) -> usize {
    // All digits of any machine's memory, with a sign.
    let size = if units == Units::Raw { 16 } else { 9 };
    match column {
        Column::Bytes | Column::Delta | Column::Rate => size,
        Column::Share => 6,
        Column::Calls => 10,
        Column::Average => size.min(12),
        Column::Trend => super::line::TREND,
        Column::Measure(_) => size.max(column.title().len()),
        Column::Name => 0,
    }
}

/// What a page is made of.
#[derive(Clone, Copy, Debug)]
pub struct Page<'p> {
    /// The lines.
    pub board: &'p Board,
    /// What was earlier.
    pub history: &'p History,
    /// The latest reading.
    pub profile: &'p Profile,
    /// What is shown.
    pub settings: &'p Settings,
    /// Whose files are whose.
    pub subsystems: &'p Subsystems,
    /// The units.
    pub units: Units,
    /// What the output can show.
    pub style: Style,
    /// By which clock moments are told.
    pub clock: &'p Clock,
}

impl Page<'_> {
    /// Prints it for people.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let (history, meta, units, style) = (self.history, &self.profile.meta, self.units, self.style);
        let about = summary(self.board, history, meta, units, self.clock);
        for line in about.iter().filter(|line| !line.is_empty()) {
            writeln!(out, "{}", cut(line, style))?;
        }
        if let Some(doubt) = doubt(history, meta) {
            writeln!(out, "{}", style.paint(Ink::Warning, cut(doubt, style)))?;
        }
        let columns = self.columns();
        let line = |cell: &dyn Fn(Column) -> String| {
            let cells = columns.iter().map(|&column| match column {
                Column::Name => cell(column),
                _ => format!("{:>width$}", cell(column), width = width(column, units)),
            });
            cut(cells.collect::<Vec<_>>().join("  ").trim_end(), style)
        };
        writeln!(out, "{}", style.paint(Ink::Head, line(&|column| column.title().to_owned())))?;
        for entry in &self.board.lines {
            writeln!(
                out,
                "{}",
                line(&|column| entry.cell(column, self.board.all.bytes, units, style.unicode, history))
            )?;
        }
        Ok(())
    }

    /// The columns: of all, only those that make sense for as many readings; what was asked for in any case.
    fn columns(&self) -> &[Column] {
        if self.settings.columns == Column::USUAL {
            columns(self.history)
        } else {
            &self.settings.columns
        }
    }
}
