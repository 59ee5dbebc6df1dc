// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What grew since an earlier profile.

use std::collections::HashMap;
use std::io::{self, Write};

use super::Page;
use crate::model::{Profile, Row};
use crate::render::json::Head;
use crate::render::{Align, Cell, Column, Table};

pub(super) fn write(page: &Page<'_>, before: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let now = page.profile;
    let boots = (&before.meta.boot_id, &now.meta.boot_id);
    let other_boot = matches!(boots, (Some(a), Some(b)) if a != b);
    let mut changes = changes(before, now);
    let sum: i64 = changes.iter().map(|change| change.bytes).sum();
    let remark = if other_boot { " (another boot: counts began anew)" } else { "" };
    let units = page.layout.units;
    page.heading(format_args!("Growth since {}: {}{remark}", before.meta.origin, units.format(sum)), out)?;

    changes.sort_by_key(|change| std::cmp::Reverse((change.bytes, change.calls)));
    let grown = changes.iter().take_while(|change| change.bytes > 0).take(page.limit);
    let rows: Vec<_> = grown.map(Change::cells).collect();
    if rows.is_empty() {
        return writeln!(out, "nothing grew");
    }
    let column = |name, title, align| Column { name, title, align };
    let columns = vec![
        column("bytes", "GREW BY", Align::Right),
        column("calls", "CALLS", Align::Right),
        column("now", "BYTES", Align::Right),
        column("site", "SITE", Align::Left),
    ];
    Table { columns, rows }.write(&page.layout, &Head::new(), out)
}

struct Change<'p> {
    row: &'p Row,
    bytes: i64,
    calls: i64,
}

impl<'p> Change<'p> {
    fn cells(&self) -> Vec<Cell<'p>> {
        let site = Cell::Text(self.row.site.to_string().into());
        vec![Cell::Bytes(self.bytes), Cell::Count(self.calls), Cell::Bytes(self.row.bytes), site]
    }
}

/// The differences at every site that both profiles or the later one alone have. Backing store is left out.
fn changes<'p>(before: &Profile, now: &'p Profile) -> Vec<Change<'p>> {
    let earlier: HashMap<_, _> = before.rows().iter().map(|row| (&row.site, (row.bytes, row.calls))).collect();
    let rows = now.rows().iter().filter(|row| row.backing().is_none());
    rows.map(|row| {
        let (bytes, calls) = earlier.get(&row.site).copied().unwrap_or_default();
        Change { row, bytes: row.bytes - bytes, calls: row.calls - calls }
    })
    .collect()
}
