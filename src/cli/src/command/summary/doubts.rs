// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What in a profile should be taken with care.

use std::io::{self, Write};

use serde::Serialize;

use super::page::Page;
use crate::model::{Profile, Totals};
use crate::render::units::count;

/// Who says what went uncounted.
const SAID_BY: &str = "vm.mem_profiling_uncounted";

/// What makes numbers doubtful.
#[derive(Serialize)]
pub(super) struct Doubts<'p> {
    /// Sites that the kernel calls inaccurate.
    inaccurate: Totals,
    /// Sites below zero.
    negative: usize,
    /// Sites of several rows, and how many rows these are.
    repeated_sites: usize,
    repeated_rows: u64,
    /// Allocations since boot that the kernel could not count; only Alloctag's core tells.
    uncounted: Option<u64>,
    torn: bool,
    unreadable: u64,
    first_unreadable: Option<&'p str>,
}

impl<'p> Doubts<'p> {
    pub(super) fn of(profile: &'p Profile) -> Doubts<'p> {
        let rows = profile.rows();
        let mut inaccurate = Totals::default();
        rows.iter().filter(|row| !row.accurate).for_each(|row| inaccurate.add(row));
        let all = profile.totals();
        let repeated = rows.iter().filter(|row| row.merged > 1);
        let (repeated_sites, repeated_rows) =
            repeated.fold((0, 0), |(sites, sum), row| (sites + 1, sum + u64::from(row.merged)));
        Doubts {
            inaccurate,
            negative: all.sites.negative + all.slab.negative + all.percpu.negative,
            repeated_sites,
            repeated_rows,
            uncounted: profile.meta.profiling.uncounted,
            torn: profile.meta.torn,
            unreadable: profile.unreadable().count,
            first_unreadable: profile.unreadable().first.as_deref(),
        }
    }
}

pub(super) fn write(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let doubts = Doubts::of(page.profile);
    let (inaccurate, unreadable) = (&doubts.inaccurate, doubts.unreadable);
    let bytes = page.layout.units.format(inaccurate.bytes);
    page.heading("Accuracy", out)?;
    let mut any = false;
    let mut line = |there: bool, text: std::fmt::Arguments<'_>| {
        any |= there;
        if there {
            writeln!(out, "{text}")
        } else {
            Ok(())
        }
    };
    line(
        inaccurate.sites > 0,
        format_args!("{} with {bytes}: accurate:no, so that only changes count", count(inaccurate.sites, "site")),
    )?;
    line(
        doubts.negative > 0,
        format_args!("{} below zero: counters were read while they changed", count(doubts.negative, "site")),
    )?;
    line(
        doubts.repeated_sites > 0,
        format_args!(
            "{} of {} added up: an inline function has one for every file that uses it",
            count(doubts.repeated_rows, "row"),
            count(doubts.repeated_sites, "site")
        ),
    )?;
    let uncounted = doubts.uncounted.unwrap_or_default();
    line(uncounted > 0, format_args!("{} since boot uncounted: {SAID_BY}", count(uncounted, "allocation")))?;
    line(doubts.torn, format_args!("modules came or went during the reading"))?;
    line(
        unreadable > 0,
        format_args!(
            "{} left out that cannot be read (first: {})",
            count(unreadable, "row"),
            doubts.first_unreadable.unwrap_or_default()
        ),
    )?;
    if !any {
        writeln!(out, "nothing is doubtful")?;
    }
    match doubts.uncounted {
        Some(0) => writeln!(out, "no allocation since boot uncounted: {SAID_BY}"),
        _ => Ok(()),
    }
}
