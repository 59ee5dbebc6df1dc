// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A table whose rows have lines below them: their stacks, or their histograms.

use std::io::{self, Write};

use crate::model::Frame;
use crate::printable::printable;
use crate::render::human::cut;
use crate::render::json::Head;
use crate::render::{Layout, Table};

/// What stands in front of a line.
pub(super) const INDENT: &str = "    ";

/// Writes `table` for people, with some lines below each row.
///
/// # Errors
///
/// Those of `out`.
pub(super) fn write(
    table: &Table<'_>,
    below: impl Iterator<Item = Vec<String>>,
    layout: &Layout,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut text = Vec::new();
    table.write(layout, &Head::new(), &mut text)?;
    let text = String::from_utf8_lossy(&text);
    // A head, a line for each row, and perhaps what there was no room for.
    let mut below = std::iter::once(Vec::new()).chain(below);
    for line in text.lines() {
        writeln!(out, "{line}")?;
        for line in below.next().into_iter().flatten() {
            writeln!(out, "{}", cut(&line, layout.style))?;
        }
    }
    Ok(())
}

/// The lines of a stack.
pub(super) fn stack(frames: &[Frame]) -> Vec<String> {
    frames.iter().map(|frame| format!("{INDENT}{}", printable(frame.as_str()))).collect()
}
