// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! OpenMetrics 1.0, which Prometheus scrapes; node_exporter's textfile collector reads it as well.
//!
//! A label set that comes twice makes Prometheus throw the whole scrape away, so that sums are made by label set, after
//! everything that could make two sets equal. A series costs its reader memory for as long as it is kept, so that their
//! number is bounded: the largest stay apart, the others become one, and the sum stays true.

use std::collections::HashMap;
use std::io::{self, Write};

use crate::model::{Backing, Profile};
use crate::subsystem::Subsystems;
use crate::view::{Entry, Group, Selection, View};

/// The value of the labels of what is not shown for itself.
pub const OTHER: &str = "(other)";

/// The module of built-in code.
pub const BUILT_IN: &str = "(built-in)";

/// The media type.
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Labels of a series, in the order of [`names`].
type Labels = Vec<String>;

/// Writes `profile` through `view`, whose limit bounds the series of each metric.
///
/// # Errors
///
/// Those of `out`.
pub fn write(profile: &Profile, view: &View, subsystems: &Subsystems, out: &mut dyn Write) -> io::Result<()> {
    // All entries, to be cut here, after duplicates have come together.
    let selection = View { limit: None, ..view.clone() }.apply(profile, subsystems);
    let series = series(&selection, view, subsystems);
    let names = names(view.group);

    family(out, "kernel_alloc_bytes", Some("bytes"), "Memory in use, by the code that allocated it.")?;
    for (labels, (bytes, _)) in &series {
        sample(out, "kernel_alloc_bytes", names, labels, *bytes)?;
    }
    family(out, "kernel_alloc_calls", None, "Live allocations, by the code that made them.")?;
    for (labels, (_, calls)) in &series {
        sample(out, "kernel_alloc_calls", names, labels, *calls)?;
    }
    family(out, "kernel_alloc_backing_bytes", Some("bytes"), "Pages that hold what other series count already.")?;
    for (kind, of) in [(Backing::Slab, "slab"), (Backing::Percpu, "percpu")] {
        let labels = [of.to_owned()];
        sample(out, "kernel_alloc_backing_bytes", &["of"], &labels, selection.whole.backing(kind).bytes)?;
    }
    health(profile, out)?;
    writeln!(out, "# EOF")
}

/// What says whether the rest can be trusted.
fn health(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let inaccurate = profile.rows().iter().filter(|row| !row.accurate).count();
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let uncounted = profile.meta.profiling.uncounted.map(|number| i64::try_from(number).unwrap_or(i64::MAX));
    let unreadable = i64::try_from(profile.unreadable().count).unwrap_or(i64::MAX);
    for (name, help, value) in [
        ("kernel_alloc_sites", "Call sites that the kernel lists.", Some(count(profile.rows().len()))),
        (
            "kernel_alloc_inaccurate_sites",
            "Call sites whose values the kernel calls inaccurate.",
            Some(count(inaccurate)),
        ),
        ("kernel_alloc_unreadable_rows", "Rows that could not be read.", Some(unreadable)),
        ("kernel_alloc_torn", "1 if modules came or went while this was read.", Some(profile.meta.torn.into())),
        ("kernel_alloc_enabled", "1 if the kernel is counting.", profile.meta.profiling.enabled.map(i64::from)),
        ("kernel_alloc_uncounted", "Allocations since boot that the kernel could not count.", uncounted),
    ] {
        if let Some(value) = value {
            family(out, name, None, help)?;
            sample(out, name, &[], &[], value)?;
        }
    }
    Ok(())
}

/// The labels by which entries of `group` are told apart.
fn names(group: Group) -> &'static [&'static str] {
    match group {
        Group::Site => &["module", "subsystem", "file", "line", "func"],
        Group::Func => &["module", "subsystem", "file", "func"],
        Group::File => &["file"],
        Group::Dir(_) => &["dir"],
        Group::Module => &["module"],
        Group::Subsystem => &["subsystem"],
    }
}

fn labels(entry: &Entry<'_>, group: Group, subsystems: &Subsystems) -> Labels {
    let site = &entry.row.site;
    let value = |name: &&str| match *name {
        // An empty label is no label: nobody could pick built-in code by it, and its series could hide among others.
        "module" => site.module.as_deref().unwrap_or(BUILT_IN).to_owned(),
        "subsystem" => subsystems.of(site).to_owned(),
        "file" => site.path().to_owned(),
        "line" => site.line.to_string(),
        "func" => site.func.to_string(),
        _ => entry.label.to_owned(),
    };
    names(group).iter().map(value).collect()
}

/// Bytes and calls by label set: the largest, and the rest in one.
fn series(selection: &Selection<'_>, view: &View, subsystems: &Subsystems) -> Vec<(Labels, (i64, i64))> {
    let mut sums: HashMap<Labels, (i64, i64)> = HashMap::new();
    for entry in &selection.entries {
        let sum = sums.entry(labels(entry, view.group, subsystems)).or_default();
        sum.0 += entry.totals.bytes;
        sum.1 += entry.totals.calls;
    }
    let mut series: Vec<_> = sums.into_iter().collect();
    series.sort_by(|(a, (a_bytes, _)), (b, (b_bytes, _))| b_bytes.cmp(a_bytes).then_with(|| a.cmp(b)));
    let limit = view.limit.unwrap_or(usize::MAX);
    if series.len() > limit {
        // One of the places is that of the rest.
        let rest = series.split_off(limit.saturating_sub(1));
        let sum = rest.iter().fold((0, 0), |sum, (_, value)| (sum.0 + value.0, sum.1 + value.1));
        series.push((vec![OTHER.to_owned(); names(view.group).len()], sum));
    }
    series
}

fn family(out: &mut dyn Write, name: &str, unit: Option<&str>, help: &str) -> io::Result<()> {
    writeln!(out, "# TYPE {name} gauge")?;
    if let Some(unit) = unit {
        writeln!(out, "# UNIT {name} {unit}")?;
    }
    writeln!(out, "# HELP {name} {help}")
}

fn sample(out: &mut dyn Write, name: &str, labels: &[&str], values: &[String], number: i64) -> io::Result<()> {
    let pairs = labels.iter().zip(values).filter(|(_, value)| !value.is_empty());
    let pairs: Vec<_> = pairs.map(|(label, value)| format!("{label}=\"{}\"", escape(value))).collect();
    if pairs.is_empty() {
        return writeln!(out, "{name} {number}");
    }
    writeln!(out, "{name}{{{}}} {number}", pairs.join(","))
}

/// A label's value with what the format has for itself escaped.
fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
#[path = "openmetrics/tests.rs"]
mod tests;
