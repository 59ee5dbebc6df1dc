// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How long allocations took and lived, by ioctl.

use std::collections::HashMap;
use std::os::fd::AsFd;

use foldhash::fast::RandomState;
use rustix::io::Errno;

use super::abi::histogram::{Record as Histogram, AGES, CAUSES, LATENCY, LIFETIMES, SHARED};
use super::abi::{self, Answer};
use super::asking::{all, name};
use crate::model::{self, Names, Site, Timed, Timing, Timings, NONE_LEFT};

/// Attempts until no call site has come or gone between histograms and names.
const ATTEMPTS: u32 = 4;

/// All that the kernel says of times.
#[derive(Debug, Default)]
struct Told {
    histograms: Vec<Histogram>,
    /// By the id of the call site.
    names: HashMap<u64, abi::Names, RandomState>,
    fields: u64,
}

/// All times; nothing if the kernel has no such ioctl.
///
/// # Errors
///
/// What the kernel says.
pub fn read(file: impl AsFd, names: &mut Names) -> Result<Option<Timings>, Errno> {
    let file = file.as_fd();
    let mut told = Told::default();
    for _ in 0..ATTEMPTS {
        let (mut histograms, mut of_sites) = (Vec::new(), HashMap::default());
        let asked: Result<Answer, Errno> =
            all(|cursor, room: &mut [Histogram]| abi::ask(file, cursor, room), |&record| histograms.push(record));
        let before = match asked {
            // Another kernel knows no such request, or takes its number for another one's.
            Err(Errno::NOTTY | Errno::INVAL) => return Ok(None),
            answer => answer?,
        };
        let mut after = before;
        if !histograms.is_empty() {
            after = all(
                |cursor, room: &mut [abi::Names]| abi::ask(file, cursor, room),
                |&names| {
                    of_sites.insert(names.id, names);
                },
            )?;
        }
        told = Told { histograms, names: of_sites, fields: before.fields };
        if before.content_id == after.content_id {
            break;
        }
    }
    Ok(Some(timings(&told, names)))
}

/// What was told, with its names.
fn timings(told: &Told, names: &mut Names) -> Timings {
    let mut timings = Timings::default();
    for (timed, kinds) in
        [(Timed::Stalls, (1 << CAUSES.len()) - 1), (Timed::Latency, 1 << LATENCY), (Timed::Lifetimes, 1 << LIFETIMES)]
    {
        if told.fields & kinds != 0 {
            timings.begin(timed);
        }
    }
    // Those that live stand beside those that do not any more.
    let place = |record: &Histogram| (record.id, record.flags & SHARED);
    let ages: HashMap<_, _, RandomState> =
        told.histograms.iter().filter(|record| record.kind == AGES).map(|record| (place(record), record)).collect();
    let freed: Vec<_> = told.histograms.iter().filter(|record| record.kind == LIFETIMES).map(place).collect();
    for (number, record) in told.histograms.iter().enumerate() {
        // CAST: a kind that is no place is none that is known.
        let cause = CAUSES.get(record.kind as usize).copied();
        let timed = match record.kind {
            LATENCY => Timed::Latency,
            LIFETIMES => Timed::Lifetimes,
            // Of some nothing was freed yet.
            AGES if !freed.contains(&place(record)) => Timed::Lifetimes,
            _ if cause.is_some() => Timed::Stalls,
            _ => continue,
        };
        let site = match site(record, told, names) {
            Some(Ok(site)) => site,
            // It has gone with its module.
            None => continue,
            Some(Err(reason)) => {
                timings.refuse(|| format!("record {}", number + 1), reason);
                continue;
            }
        };
        let ages = if timed == Timed::Lifetimes { ages.get(&place(record)) } else { None };
        let timing = Timing {
            site,
            cause: cause.map(|cause| names.intern(cause)),
            times: if record.kind == AGES { model::Histogram::default() } else { record.times() },
            // As the text has them: their buckets alone.
            ages: ages.map(|ages| model::Histogram::of_buckets(ages.buckets).counting(ages.count)).unwrap_or_default(),
            lost: record.lost,
        };
        timings.push(timed, timing);
    }
    timings
}

/// The call site of a record; `None` if it has gone.
fn site(record: &Histogram, told: &Told, names: &mut Names) -> Option<Result<Site, &'static str>> {
    if record.flags & SHARED != 0 {
        // No call site: the text names the kernel's own line.
        let file = names.intern("mm/alloctag");
        return Some(Ok(Site { file, line: 0, func: names.intern(NONE_LEFT), module: None }));
    }
    let found = told.names.get(&record.id)?;
    let mut read = || {
        let (file, func, module) = (name(&found.file)?, name(&found.function)?, name(&found.module)?);
        if file.is_empty() || func.is_empty() {
            return Err("it has no file or no function");
        }
        Ok(Site {
            file: names.intern(file),
            line: found.line,
            func: names.intern(func),
            module: (!module.is_empty()).then(|| names.intern(module)),
        })
    };
    Some(read())
}

#[cfg(test)]
#[path = "histograms/tests.rs"]
mod tests;
