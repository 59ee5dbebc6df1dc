// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The totals, and how they go together with `/proc/meminfo`.

use std::io::{self, Write};

use super::page::Page;
use crate::model::{Backing, Number};
use crate::render::units::{count, percent};

pub(super) fn write(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let units = page.layout.units;
    let whole = page.profile.totals();
    let holding =
        page.profile.rows().iter().filter(|row| row.backing().is_none() && (row.bytes != 0 || row.calls != 0)).count();
    page.heading("Memory", out)?;
    let mut line = |bytes: i64, text: String| writeln!(out, "{:>8}  {text}", units.format(bytes));
    let sites = &whole.sites;
    line(
        sites.bytes,
        format!("charged to call sites: {} allocations, at {holding} of {}", sites.calls, count(sites.sites, "site")),
    )?;
    if let Some(slack) = sites.numbers.get(Number::Slack) {
        line(slack, format!("of it slack, which nobody asked for{}", share(slack, sites.bytes)))?;
    }
    for kind in Backing::ALL {
        if whole.backing(kind).calls != 0 {
            line(whole.backing(kind).bytes, backing(page, kind))?;
        }
    }
    let Some(used) = page.profile.meta.memory.used().and_then(|used| i64::try_from(used).ok()) else { return Ok(()) };
    line(used, "in use by /proc/meminfo (MemTotal - MemFree)".to_owned())?;
    line(
        used - sites.bytes,
        format!(
            "in use but not charged{}: free slots of slabs, early boot, allocators without tags",
            share(used - sites.bytes, used)
        ),
    )
}

/// What to say of one kind of backing store, with what meminfo says of the same pages.
fn backing(page: &Page<'_>, kind: Backing) -> String {
    let field = match kind {
        Backing::Slab => "Slab",
        Backing::Percpu => "Percpu",
    };
    let meminfo = page.profile.meta.memory.get(field).and_then(|bytes| i64::try_from(bytes).ok());
    let meminfo = meminfo
        .map_or_else(String::new, |bytes| format!("; {field} in /proc/meminfo: {}", page.layout.units.format(bytes)));
    format!("pages for {}, charged above already and not in the total{meminfo}", kind.holds())
}

fn share(part: i64, whole: i64) -> String {
    if whole <= 0 {
        return String::new();
    }
    // CAST: a percentage has fewer digits than an f64.
    format!(" ({})", percent(part as f64 / whole as f64 * 100.0))
}
