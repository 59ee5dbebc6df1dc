// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Contexts as the kernel writes them.

use std::fmt::Write;

use crate::model::{Context, Contexts};
use crate::source::escape::escape;

/// What such a text begins with.
pub const TITLE: &str = "contexts - version:";

/// What a line has.
const COLUMNS: &str = "# bytes calls tag key:value";

/// The text of contexts.
pub fn print(contexts: &Contexts) -> String {
    let mut text = format!("{TITLE} 1.0\n{COLUMNS}\n");
    for context in contexts.list() {
        // Memory takes all.
        let _ = one(context, &mut text);
    }
    text
}

fn one(context: &Context, out: &mut String) -> std::fmt::Result {
    let row = &context.row;
    let site = &row.site;
    write!(out, "{} {} {}:{}", row.bytes, row.calls.cast_unsigned(), site.file, site.line)?;
    if let Some(module) = &site.module {
        write!(out, " [{module}]")?;
    }
    write!(out, " func:{}", site.func)?;
    if !row.accurate {
        out.push_str(" accurate:no");
    }
    write!(out, " ctx:{}", context.number)?;
    for (number, value) in row.numbers.known() {
        write!(out, " {}:{value}", number.name())?;
    }
    for pair in context.keys() {
        write!(out, " {}:{}", pair.key, escape(&pair.value))?;
    }
    out.push('\n');
    context.stack.iter().try_for_each(|frame| writeln!(out, "  {frame}"))
}
