// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What grew since an earlier profile.

use std::io::{self, Write};

use super::page::Page;
use crate::compare::{changes, Change};
use crate::model::Profile;
use crate::render::json::Head;
use crate::render::{Cell, Column, Table};

/// What grew, with backing store left out.
pub(super) struct Growth<'p> {
    /// Whether counts began anew in between.
    pub(super) other_boot: bool,
    /// Bytes by which all sites together grew.
    pub(super) bytes: i64,
    /// The changes that added bytes, the largest first.
    grown: Vec<Change<'p>>,
}

impl<'p> Growth<'p> {
    pub(super) fn between(before: &'p Profile, now: &'p Profile) -> Growth<'p> {
        let boots = (&before.meta.boot_id, &now.meta.boot_id);
        let mut changes = changes(before, now, false);
        changes.retain(|change| change.row().backing().is_none());
        let bytes = changes.iter().map(Change::delta).sum();
        changes.retain(|change| change.delta() > 0);
        changes.sort_by_key(|change| std::cmp::Reverse((change.delta(), change.delta_calls())));
        Growth { other_boot: matches!(boots, (Some(a), Some(b)) if a != b), bytes, grown: changes }
    }

    /// The first `limit` of what grew.
    pub(super) fn table(&self, limit: usize) -> Table<'p> {
        let cells = |change: &Change<'p>| {
            let row = change.row();
            let site = Cell::Text(row.site.to_string().into());
            vec![Cell::Bytes(change.delta()), Cell::Count(change.delta_calls()), Cell::Bytes(row.bytes), site]
        };
        let columns = vec![
            Column::right("bytes", "GREW BY"),
            Column::right("calls", "CALLS"),
            Column::right("now", "BYTES"),
            Column::left("site", "SITE"),
        ];
        Table { columns, rows: self.grown.iter().take(limit).map(cells).collect() }
    }
}

pub(super) fn write(page: &Page<'_>, before: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let growth = Growth::between(before, page.profile);
    let remark = if growth.other_boot { " (another boot: counts began anew)" } else { "" };
    let bytes = page.layout.units.format(growth.bytes);
    page.heading(format_args!("Growth since {}: {bytes}{remark}", before.meta.origin), out)?;
    if growth.grown.is_empty() {
        return writeln!(out, "nothing grew");
    }
    growth.table(page.limit).write(&page.layout, &Head::new(), out)
}
