// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! GitHub's Markdown, for comments on pull requests and summaries of jobs.

use std::io::{self, Write};

use super::table::{Align, Cell, Table};
use super::{words, Units};
use crate::printable::printable;

pub(super) fn write(table: &Table<'_>, units: Units, out: &mut dyn Write) -> io::Result<()> {
    let row = |cells: &mut dyn Iterator<Item = String>| format!("| {} |", cells.collect::<Vec<_>>().join(" | "));
    writeln!(out, "{}", row(&mut table.columns.iter().map(|column| escape(column.title))))?;
    let side = |align| if align == Align::Right { "---:" } else { "---" };
    writeln!(out, "{}", row(&mut table.columns.iter().map(|column| side(column.align).to_owned())))?;
    for cells in &table.rows {
        writeln!(out, "{}", row(&mut cells.iter().map(|cell| text(cell, units))))?;
    }
    Ok(())
}

fn text(cell: &Cell<'_>, units: Units) -> String {
    let said = words::said(cell, units);
    match cell {
        Cell::Word(..) => format!("**{}**", escape(&said)),
        Cell::Text(_) | Cell::Pairs(_) | Cell::Changes(_) => code(&said),
        _ => said.into_owned(),
    }
}

/// A name as code, in which nothing has a meaning but what ends it, and what ends the cell.
fn code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("`{}`", printable(text).replace('`', "'").replace('|', "\\|"))
}

/// A text in which no character has a meaning.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in printable(text).chars() {
        if "\\`*_{}[]<>#|~@".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::style::Ink;
    use crate::render::Column;

    #[test]
    fn no_name_means_anything_but_itself() {
        let table = Table {
            columns: vec![Column::right("share", "%TOTAL"), Column::left("kind", "KIND"), Column::left("site", "SITE")],
            rows: vec![
                vec![Cell::Percent(12.34), Cell::Word(Ink::Growth, "grown"), Cell::from("a_b.c:1 func:<A|B>::`f`")],
                vec![Cell::Empty, Cell::from("x"), Cell::from("")],
            ],
        };
        let mut out = Vec::new();
        write(&table, Units::Iec, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "| %TOTAL | KIND | SITE |\n\
             | ---: | --- | --- |\n\
             | 12.3% | **grown** | `a_b.c:1 func:<A\\|B>::'f'` |\n\
             | - | `x` |  |\n"
        );
        assert_eq!(escape("<b>_x_ @you [a](b) 1|2"), "\\<b\\>\\_x\\_ \\@you \\[a\\](b) 1\\|2");
    }
}
