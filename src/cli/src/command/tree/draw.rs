// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A tree for people.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::model::{Amount, Measure};
use crate::printable::printable;
use crate::render::fit::{fit, shorten, usual, wanted, End, Wish};
use crate::render::human::cut;
use crate::render::style::Ink;
use crate::render::units::percent;
use crate::render::{Style, Units};
use crate::view::tree::{Kind, Node};

/// Characters of a full bar.
const BAR: usize = 20;

/// A column: its head, its width, and how early a narrow terminal does without it. The name is what a tree is about.
type Column = (&'static str, usize, u8);

/// The columns that every tree has.
const COLUMNS: [Column; 3] = [("BYTES", 8, 0), ("%TOTAL", 6, 1), ("CALLS", 9, 2)];

/// The picture behind all numbers.
const PICTURE: Column = ("", BAR, 4);

/// What is shown that only some kernels count.
pub(in crate::command) struct Measures<'m> {
    pub(in crate::command) list: &'m [Measure],
    /// For how long they have counted, in milliseconds, if that is known.
    pub(in crate::command) time_ms: Option<u64>,
    /// The head over how many things are in a node.
    pub(in crate::command) things: &'static str,
}

impl Measures<'_> {
    /// How many things there are.
    fn things(&self) -> Column {
        (self.things, self.things.len().max(6), 3)
    }

    /// Who asks for a column gets it.
    fn columns(&self) -> impl Iterator<Item = Column> + '_ {
        self.list.iter().map(|measure| (measure.title(), measure.title().len().max(8), 0))
    }

    fn cells<'m>(&'m self, node: &'m Node, units: Units) -> impl Iterator<Item = String> + 'm {
        self.list.iter().map(move |&measure| match node.measure(measure, self.time_ms) {
            None => "-".to_owned(),
            Some(Amount::Bytes(bytes)) => units.format(bytes),
            Some(Amount::Times(times)) => times.to_string(),
            Some(Amount::Time(ns)) => units.time(ns),
            Some(Amount::Percent(hundredths)) => percent(hundredths),
        })
    }
}

/// Blanks between columns.
const GAP: usize = 2;

/// Characters of a name that are some use.
const LEAST: usize = 16;

/// A line of the tree: a node, how deep it is, and what it is called there.
type Line<'n> = (&'n Node, usize, Cow<'n, str>);

/// Writes the tree.
pub(in crate::command) fn draw(
    root: &Node,
    measures: &Measures<'_>,
    units: Units,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let columns: Vec<Column> =
        COLUMNS.into_iter().chain([measures.things()]).chain(measures.columns()).chain([PICTURE]).collect();
    let mut lines = Vec::new();
    collect(root, 0, &mut lines);
    let cells = |node: &Node| cells(node, root.bytes, measures, units, style);
    // Raw sizes of large machines are wider than usual ones.
    let bytes = |(node, ..): &Line<'_>| units.format(node.bytes).len();
    let bytes = lines.iter().map(bytes).chain([COLUMNS[0].1]).max().unwrap_or(0);
    let room = style.width.unwrap_or(usize::MAX);
    let left = room.saturating_sub(bytes + GAP);
    let names = |of: &dyn Fn(&str, usize) -> usize| -> Vec<usize> {
        lines.iter().map(|(_, depth, name)| depth * INDENT + of(name, left.saturating_sub(depth * INDENT))).collect()
    };
    let most = names(&|name, _| name.chars().count()).into_iter().max().unwrap_or(0);
    let usual = usual(names(&|name, left| wanted(name, left, End::Front)));
    let mut wishes: Vec<Wish> = columns.iter().map(|&(_, width, spare)| Wish::whole(width, spare)).collect();
    wishes[0] = Wish::whole(bytes, 0);
    wishes.push(Wish { most, usual, least: LEAST.min(most), spare: 0 });
    let widths = fit(&wishes, GAP, room);

    let line = |cells: Vec<String>, name: String| {
        let shown = cells.iter().zip(&widths).filter_map(|(cell, width)| Some(format!("{cell:>0$}", (*width)?)));
        let gap = " ".repeat(GAP);
        cut(&shown.chain([name]).collect::<Vec<_>>().join(&gap), style)
    };
    let head = columns.iter().map(|&(title, width, _)| format!("{title:>width$}")).collect();
    writeln!(out, "{}", style.paint(Ink::Head, line(head, "NAME".to_owned())))?;
    for (node, depth, name) in lines {
        let indent = depth * INDENT;
        let room = widths.last().copied().flatten().unwrap_or(0).saturating_sub(indent).max(LEAST);
        let name = format!("{:indent$}{}", "", shorten(&name, room, End::Front, style.unicode));
        let text = line(cells(node), name);
        match node.kind {
            Kind::Other => writeln!(out, "{}", style.paint(Ink::Faint, text))?,
            _ => writeln!(out, "{text}")?,
        }
    }
    let given_up = columns.iter().zip(&widths).filter(|((title, ..), width)| width.is_none() && !title.is_empty());
    let titles: Vec<&str> = given_up.map(|((title, ..), _)| *title).collect();
    if !titles.is_empty() {
        writeln!(out, "{}", style.paint(Ink::Faint, cut(&format!("no room for {}", titles.join(" ")), style)))?;
    }
    Ok(())
}

/// Blanks that a node stands behind the one above it.
const INDENT: usize = 2;

fn collect<'n>(node: &'n Node, depth: usize, lines: &mut Vec<Line<'n>>) {
    let doubt = if node.accurate || node.kind != Kind::Site { "" } else { " accurate:no" };
    let name = printable(&node.name);
    let name = if doubt.is_empty() { name } else { (name.into_owned() + doubt).into() };
    lines.push((node, depth, name));
    node.children.iter().for_each(|child| collect(child, depth + 1, lines));
}

/// What stands in front of a name.
fn cells(node: &Node, total: i64, measures: &Measures<'_>, units: Units, style: Style) -> Vec<String> {
    // CAST: only a picture of the share.
    let share = if total > 0 { node.bytes.max(0) as f64 / total as f64 } else { 0.0 };
    let own =
        [units.format(node.bytes), format!("{:.1}%", share * 100.0), node.calls.to_string(), node.sites.to_string()];
    own.into_iter().chain(measures.cells(node, units)).chain([bar(share, style.unicode)]).collect()
}

/// A bar as long as the share; with eighths of a character where those can be shown.
fn bar(share: f64, unicode: bool) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    // CAST: between 0 and 160.
    let eighths = (share.clamp(0.0, 1.0) * (BAR * 8) as f64).round() as usize;
    let mut bar = if unicode {
        format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
    } else {
        "#".repeat((eighths + 4) / 8)
    };
    bar.extend(std::iter::repeat_n(' ', BAR - bar.chars().count()));
    bar
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn bars_are_as_long_as_the_share() {
        for (share, ascii, unicode) in [
            (0.0, "", ""),
            (0.5, "##########", "██████████"),
            (1.0, "####################", "████████████████████"),
            (0.03, "#", "▋"),
            (7.0, "####################", "████████████████████"),
        ] {
            assert_eq!((bar(share, false).trim_end(), bar(share, true).trim_end()), (ascii, unicode), "{share}");
            assert_eq!(bar(share, true).chars().count(), 20);
        }
    }
}
