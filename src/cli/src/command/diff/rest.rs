// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the limits leave out.

use std::io::Write;

use super::args::DiffArgs;
use crate::error::Result;
use crate::render::style::Ink;
use crate::render::Layout;

/// Says how much that is, if it is anything.
pub(super) fn write(number: usize, args: &DiffArgs, layout: &Layout, out: &mut dyn Write) -> Result<()> {
    if number > 0 {
        let by = if args.min.is_some() { "-n and --min" } else { "-n" };
        layout.remark(Ink::Faint, &format!("not shown: {number} by {by}"), out)?;
    }
    Ok(())
}
