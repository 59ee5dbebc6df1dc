// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Times the kernel's interfaces: the figures that the choice between text and ioctls rests on.

use std::fs::File;
use std::io::Read;
use std::time::Instant;

use super::Context;
use crate::error::{describe, Error, Outcome, Result};
use crate::model::{Builder, Meta, Names, Profile};
use crate::render::{json, Cell, Column, Layout, Table};
use crate::source::filter::Filter;
use crate::source::kernel::State;
use crate::source::live::TEXT_ROOM;
use crate::source::{ioctl, records, text};

/// Repetitions, of which the quickest counts: the others were disturbed.
const ROUNDS: usize = 7;

pub(super) fn run(state: &State, context: &mut Context<'_>) -> Result<Outcome> {
    if let Some(obstacle) = state.obstacle() {
        return Err(Error::Failed(obstacle));
    }
    let path = state.procfs.join("allocinfo");
    let failed = |problem: String| Error::failed(path.display(), problem);
    let open = || File::open(&path).map_err(|error| failed(describe(&error)));

    let read = || {
        let mut bytes = Vec::with_capacity(TEXT_ROOM);
        open()?.read_to_end(&mut bytes).map_err(|error| failed(describe(&error)))?;
        Ok(bytes)
    };
    let read_only = quickest(read)?;
    let parsed = quickest(|| {
        let bytes = read()?;
        let mut names = Names::new();
        let mut builder = Builder::new(&mut names);
        text::parse(&bytes, &mut builder).map_err(|error| failed(error.to_string()))?;
        Ok(builder.finish(Meta::default()))
    })?;
    let rows = parsed.1.rows().len();
    let mut lines = vec![
        line("text, read only", Cell::Empty, read_only.0),
        line("text, read and parsed", Cell::size(rows), parsed.0),
    ];
    let mut there = true;
    let numbers = quickest(|| {
        let mut names = Names::new();
        let mut builder = Builder::new(&mut names);
        there = records::read(open()?, &mut builder).map_err(|error| failed(describe(&error.into())))?;
        Ok(builder.finish(Meta::default()))
    })?;
    if there {
        lines.push(line("ioctl, all numbers of many", Cell::size(numbers.1.rows().len()), numbers.0));
    }
    if ioctl::content_id(&open()?).is_ok() {
        for (what, filter) in filters(&parsed.1) {
            let (micros, profile) = quickest(|| {
                let mut names = Names::new();
                let mut builder = Builder::new(&mut names);
                ioctl::read(open()?, &filter, &mut builder).map_err(|error| failed(describe(&error.into())))?;
                Ok(builder.finish(Meta::default()))
            })?;
            lines.push(line(what, Cell::size(profile.rows().len()), micros));
        }
    }
    let table = Table {
        columns: vec![
            Column::left("what", "INTERFACE"),
            Column::right("rows", "ROWS"),
            Column::right("micros", "MICROSECONDS"),
        ],
        rows: lines,
    };
    table.write(&Layout { style: context.style, ..Layout::default() }, &json::Head::new(), context.out)?;
    Ok(Outcome::Done)
}

fn line(what: &'static str, rows: Cell<'static>, micros: i64) -> Vec<Cell<'static>> {
    vec![Cell::from(what), rows, Cell::Count(micros)]
}

/// A filter, if there is something to filter, and none.
fn filters(profile: &Profile) -> Vec<(&'static str, Filter)> {
    let largest = profile.rows().iter().max_by_key(|row| row.bytes);
    let func = largest.map(|row| Filter { func: Some(row.site.func.to_string()), ..Filter::default() });
    func.map(|filter| ("ioctl, one function", filter))
        .into_iter()
        .chain([("ioctl, everything", Filter::default())])
        .collect()
}

/// The shortest time of some rounds, in microseconds, and the last result.
fn quickest<T>(mut work: impl FnMut() -> Result<T>) -> Result<(i64, T)> {
    let mut best = i64::MAX;
    let mut result = None;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let value = work()?;
        best = best.min(i64::try_from(start.elapsed().as_micros()).unwrap_or(i64::MAX));
        result = Some(value);
    }
    Ok((best, result.expect("there is at least one round")))
}
