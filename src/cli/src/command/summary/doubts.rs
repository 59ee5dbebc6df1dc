// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What in a profile should be taken with care.

use std::io::{self, Write};

use super::Page;
use crate::model::Totals;
use crate::render::units::count;

pub(super) fn write(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let units = page.layout.units;
    let rows = page.profile.rows();
    let mut inaccurate = Totals::default();
    rows.iter().filter(|row| !row.accurate).for_each(|row| inaccurate.add(row));
    let all = page.profile.totals();
    let negative = all.sites.negative + all.slab.negative + all.percpu.negative;
    let repeated = rows.iter().filter(|row| row.merged > 1);
    let (sites, repetitions) =
        repeated.fold((0usize, 0u64), |(sites, sum), row| (sites + 1, sum + u64::from(row.merged)));
    let unreadable = page.profile.unreadable();

    page.heading("Accuracy", out)?;
    let mut line = |there: bool, text: String| if there { writeln!(out, "{text}") } else { Ok(()) };
    line(
        inaccurate.sites > 0,
        format!(
            "{} with {}: accurate:no, so that only changes count",
            count(inaccurate.sites, "site"),
            units.format(inaccurate.bytes)
        ),
    )?;
    line(negative > 0, format!("{} below zero: counters were read while they changed", count(negative, "site")))?;
    line(
        sites > 0,
        format!(
            "{} of {} added up: an inline function has one for every file that uses it",
            count(repetitions, "row"),
            count(sites, "site")
        ),
    )?;
    line(page.profile.meta.torn, "modules came or went during the reading".to_owned())?;
    line(
        unreadable.count > 0,
        format!(
            "{} left out that cannot be read (first: {})",
            count(unreadable.count, "row"),
            unreadable.first.as_deref().unwrap_or_default()
        ),
    )?;
    let any = inaccurate.sites + negative + sites > 0 || page.profile.meta.torn || unreadable.count > 0;
    line(!any, "nothing is doubtful".to_owned())
}
