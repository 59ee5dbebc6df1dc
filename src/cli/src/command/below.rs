// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A table whose rows have their stacks below them.

use std::io::{self, Write};

use crate::model::Frame;
use crate::printable::printable;
use crate::render::human::cut;
use crate::render::json::Head;
use crate::render::{Layout, Table};

/// What stands in front of a function.
const INDENT: &str = "    ";

/// Writes `table` for people, with a stack below each row.
///
/// # Errors
///
/// Those of `out`.
pub(super) fn write<'s>(
    table: &Table<'_>,
    stacks: impl Iterator<Item = &'s [Frame]>,
    layout: &Layout,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut text = Vec::new();
    table.write(layout, &Head::new(), &mut text)?;
    let text = String::from_utf8_lossy(&text);
    // A head, a line for each row, and perhaps what there was no room for.
    let mut stacks = std::iter::once([].as_slice()).chain(stacks);
    for line in text.lines() {
        writeln!(out, "{line}")?;
        for frame in stacks.next().into_iter().flatten() {
            writeln!(out, "{}", cut(&format!("{INDENT}{}", printable(frame.as_str())), layout.style))?;
        }
    }
    Ok(())
}
