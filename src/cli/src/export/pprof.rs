// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The gzipped `profile.proto` of pprof, Pyroscope and Parca.
//!
//! A call site is a location with its function, file and line, in a mapping that is the kernel or a module. Of contexts the
//! functions that called stand behind it; where the kernel's first function is another than the call site's, that was inlined
//! into it. What it belongs to besides (subsystem, directory, module, task, cgroup) are labels of its sample:
//! `pprof -tagroot=subsystem` makes frames of them, `-tagfocus` picks by them.

mod builder;
mod field;

use std::io::{self, Write};

use crate::model::{Context, Frame, Meta, Number, Row, EVERY};
use crate::subsystem::Subsystems;
use builder::{Builder, Line};

/// What a value of a sample is.
struct Kind {
    name: &'static str,
    unit: &'static str,
    /// Of a row; `None` if its kernel does not count it.
    of: fn(&Row) -> Option<i64>,
}

/// The values, by the names that Go's heap profiles use and in the order that these have.
const KINDS: [Kind; 4] = [
    Kind { name: "alloc_objects", unit: "count", of: |row| row.numbers.get(Number::Allocs) },
    Kind { name: "alloc_space", unit: "bytes", of: |row| row.numbers.get(Number::Allocated) },
    Kind { name: "inuse_objects", unit: "count", of: |row| Some(row.calls) },
    Kind { name: "inuse_space", unit: "bytes", of: |row| Some(row.bytes) },
];

/// Writes the rows that hold something, or did.
///
/// # Errors
///
/// Those of `out`.
pub fn write<'p>(
    rows: impl IntoIterator<Item = &'p Row>,
    meta: &Meta,
    subsystems: &Subsystems,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rows: Vec<&Row> = rows.into_iter().collect();
    let kinds = counted(&rows);
    // Every byte is counted.
    let mut profile = Builder::new(kinds.iter().map(|kind| (kind.name, kind.unit)), 1, meta);
    for row in rows {
        let Some(values) = values(row, &kinds) else { continue };
        let location = profile.location(row.site.module.as_deref(), &[line(row)]);
        profile.sample(&[location], &values, labels(row, subsystems));
    }
    profile.write(meta, out)
}

/// Writes the contexts that hold something, or did. Where all that are estimates have one period, `period` is that.
///
/// # Errors
///
/// Those of `out`.
pub fn write_contexts<'p>(
    contexts: impl IntoIterator<Item = &'p Context>,
    period: Option<i64>,
    meta: &Meta,
    subsystems: &Subsystems,
    out: &mut dyn Write,
) -> io::Result<()> {
    let contexts: Vec<&Context> = contexts.into_iter().collect();
    let kinds = counted(&contexts.iter().map(|context| &context.row).collect::<Vec<_>>());
    let mut profile = Builder::new(kinds.iter().map(|kind| (kind.name, kind.unit)), period.unwrap_or(1), meta);
    for context in contexts {
        let Some(values) = values(&context.row, &kinds) else { continue };
        let locations = locations(context, &mut profile);
        let keys = context.keys().iter().map(|pair| (pair.key.as_str(), pair.value.as_str()));
        // What holds for all is the profile's.
        let keys = keys.filter(|(key, value)| !value.is_empty() && (*key != EVERY || period.is_none()));
        profile.sample(&locations, &values, labels(&context.row, subsystems).chain(keys));
    }
    profile.write(meta, out)
}

/// What is known of at least one of them.
fn counted(rows: &[&Row]) -> Vec<&'static Kind> {
    KINDS.iter().filter(|kind| rows.iter().any(|row| (kind.of)(row).is_some())).collect()
}

/// The values of a sample; `None` if it has none.
fn values(row: &Row, kinds: &[&Kind]) -> Option<Vec<i64>> {
    let values: Vec<i64> = kinds.iter().map(|kind| (kind.of)(row).unwrap_or(0)).collect();
    values.iter().any(|&value| value != 0).then_some(values)
}

fn line(row: &Row) -> Line<'_> {
    Line { function: &row.site.func, file: row.site.path(), line: row.site.line }
}

/// What a call site belongs to.
fn labels<'p>(row: &'p Row, subsystems: &'p Subsystems) -> impl Iterator<Item = (&'p str, &'p str)> {
    let labels = [
        ("subsystem", Some(subsystems.of(&row.site))),
        ("dir", Some(row.site.dir())),
        ("module", row.site.module.as_deref()),
        ("accurate", if row.accurate { None } else { Some("no") }),
    ];
    labels.into_iter().filter_map(|(key, value)| Some((key, value?)))
}

/// A function of a stack, of which no line is known.
fn frame(frame: &Frame) -> Line<'_> {
    Line { function: frame.function(), file: "", line: 0 }
}

/// The call site, and who called it.
fn locations(context: &Context, profile: &mut Builder) -> Vec<u64> {
    let row = &context.row;
    let module = row.site.module.as_deref();
    let Some((first, callers)) = context.stack.split_first() else {
        let caller = context.key("caller").map(|name| Frame::new(name.into()));
        let mut locations = vec![profile.location(module, &[line(row)])];
        locations.extend(caller.map(|caller| profile.location(caller.module(), &[frame(&caller)])));
        return locations;
    };
    let own = if first.is_of(&row.site.func) {
        profile.location(module, &[line(row)])
    } else {
        profile.location(first.module(), &[line(row), frame(first)])
    };
    let callers = callers.iter().map(|caller| profile.location(caller.module(), &[frame(caller)]));
    std::iter::once(own).chain(callers.collect::<Vec<_>>()).collect()
}
