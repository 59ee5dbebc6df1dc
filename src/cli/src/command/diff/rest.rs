// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is not shown.

use std::io::Write;

use super::args::DiffArgs;
use crate::error::Result;
use crate::render::style::Ink;
use crate::render::Layout;

/// Says how much has not changed, and how much the limits leave out, if they do.
pub(super) fn write(unchanged: usize, cut: usize, args: &DiffArgs, layout: &Layout, out: &mut dyn Write) -> Result<()> {
    let by = if args.min.is_some() { "-n and --min" } else { "-n" };
    let unchanged = (unchanged > 0).then(|| format!("{unchanged} that have not changed"));
    let cut = (cut > 0).then(|| format!("{cut} by {by}"));
    let parts: Vec<String> = unchanged.into_iter().chain(cut).collect();
    if !parts.is_empty() {
        layout.remark(Ink::Faint, &format!("not shown: {}", parts.join(", ")), out)?;
    }
    Ok(())
}
