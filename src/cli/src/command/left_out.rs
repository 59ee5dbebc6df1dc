// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is not shown.

use std::io::{self, Write};

use crate::render::style::Ink;
use crate::render::Layout;

/// What options leave entries out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// `-n`.
    pub(super) limit: Option<usize>,
    /// `--min`.
    pub(super) min: Option<i64>,
}

/// Says how many are left out for what they are, and how many by the limits, if any are.
///
/// # Errors
///
/// Those of `out`.
pub(super) fn write(
    (number, what): (usize, &str),
    cut: usize,
    limits: Limits,
    layout: &Layout,
    out: &mut dyn Write,
) -> io::Result<()> {
    let by = match (limits.limit, limits.min) {
        (_, None) => "-n",
        (None, _) => "--min",
        _ => "-n and --min",
    };
    let parts = [(number, format!("{number} {what}")), (cut, format!("{cut} by {by}"))];
    let parts: Vec<String> = parts.into_iter().filter(|(number, _)| *number > 0).map(|(_, part)| part).collect();
    if !parts.is_empty() {
        layout.remark(Ink::Faint, &format!("not shown: {}", parts.join(", ")), out)?;
    }
    Ok(())
}
