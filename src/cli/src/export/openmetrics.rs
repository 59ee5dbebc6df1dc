// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! OpenMetrics 1.0, which Prometheus scrapes; node_exporter's textfile collector reads it as well.
//!
//! A label set that comes twice makes Prometheus throw the whole scrape away, so that sums are made by label set, after
//! everything that could make two sets equal. A series costs its reader memory for as long as it is kept, so that their
//! number is bounded: the largest stay apart, the others become one, and the sum stays true.

mod labels;
mod line;
mod times;

use std::collections::HashMap;
use std::io::{self, Write};

use crate::model::{About, Backing, Numbers, Profile, Unit, TABLE};
use crate::subsystem::Subsystems;
use crate::view::{Selection, View};
use labels::{labels, names, Labels};
use line::{family, sample, seconds, COUNTER, GAUGE};

pub use labels::BUILT_IN;

/// The value of the labels of what is not shown for itself.
pub const OTHER: &str = "(other)";

/// The media type.
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What a series is of.
#[derive(Clone, Debug, Default)]
struct Sum {
    bytes: i64,
    calls: i64,
    /// `None` before anything is added.
    numbers: Option<Numbers>,
}

impl Sum {
    fn add(&mut self, bytes: i64, calls: i64, numbers: &Numbers) {
        self.bytes += bytes;
        self.calls += calls;
        match &mut self.numbers {
            Some(sum) => sum.add(numbers),
            none => *none = Some(numbers.clone()),
        }
    }
}

/// Writes `profile` through `view`, whose limit bounds the series of each metric. With `histograms`, how long allocations took and
/// lived as well.
///
/// # Errors
///
/// Those of `out`.
pub fn write(
    profile: &Profile,
    view: &View,
    histograms: bool,
    subsystems: &Subsystems,
    out: &mut dyn Write,
) -> io::Result<()> {
    // All entries, to be cut here, after duplicates have come together. What holds nothing may have been counted.
    let mut selection = View { limit: None, zeros: true, ..view.clone() }.apply(profile, subsystems);
    selection.entries.retain(|entry| !entry.is_empty() || entry.totals.numbers.known().any(|(_, value)| value != 0));
    let series = series(&selection, view, subsystems);
    let names = names(view.group);

    family(out, "kernel_alloc_bytes", GAUGE, Some("bytes"), "Memory in use, by the code that allocated it.")?;
    for (labels, sum) in &series {
        sample(out, "kernel_alloc_bytes", names, labels, sum.bytes)?;
    }
    family(out, "kernel_alloc_calls", GAUGE, None, "Live allocations, by the code that made them.")?;
    for (labels, sum) in &series {
        sample(out, "kernel_alloc_calls", names, labels, sum.calls)?;
    }
    for about in TABLE.iter().filter(|about| profile.counts(about.number)) {
        counted(out, about, names, &series)?;
    }
    family(
        out,
        "kernel_alloc_backing_bytes",
        GAUGE,
        Some("bytes"),
        "Pages that hold what other series count already.",
    )?;
    for (kind, of) in [(Backing::Slab, "slab"), (Backing::Percpu, "percpu")] {
        let labels = [of.to_owned()];
        sample(out, "kernel_alloc_backing_bytes", &["of"], &labels, selection.whole.backing(kind).bytes)?;
    }
    if histograms {
        times::write(profile, view, subsystems, out)?;
    }
    health(profile, out)?;
    writeln!(out, "# EOF")
}

/// The metric of a number that only some kernels count.
fn counted(out: &mut dyn Write, about: &About, names: &[&str], series: &[(Labels, Sum)]) -> io::Result<()> {
    let (suffix, unit) = match about.unit {
        Unit::Bytes => ("_bytes", Some("bytes")),
        Unit::Times => ("", None),
        Unit::Nanoseconds => ("_seconds", Some("seconds")),
    };
    let name = format!("kernel_alloc_{}{suffix}", about.metric);
    let (kind, total) = if about.grows() { (COUNTER, "_total") } else { (GAUGE, "") };
    family(out, &name, kind, unit, about.meaning)?;
    // What is left over is not always of the same series: it would fall when one moves out of it, as no counter does.
    let apart = |labels: &Labels| !about.grows() || labels.iter().any(|label| label != OTHER);
    for (labels, sum) in series.iter().filter(|(labels, _)| apart(labels)) {
        if let Some(value) = sum.numbers.as_ref().and_then(|numbers| numbers.get(about.number)) {
            let name = format!("{name}{total}");
            match about.unit {
                Unit::Nanoseconds => sample(out, &name, names, labels, seconds(value))?,
                _ => sample(out, &name, names, labels, value)?,
            }
        }
    }
    Ok(())
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
            family(out, name, GAUGE, None, help)?;
            sample(out, name, &[], &[], value)?;
        }
    }
    Ok(())
}

/// Sums by label set: the largest, and the rest in one.
fn series(selection: &Selection<'_>, view: &View, subsystems: &Subsystems) -> Vec<(Labels, Sum)> {
    let mut sums: HashMap<Labels, Sum> = HashMap::new();
    for entry in &selection.entries {
        let sum = sums.entry(labels(&entry.row.site, entry.label, view.group, subsystems)).or_default();
        sum.add(entry.totals.bytes, entry.totals.calls, &entry.totals.numbers);
    }
    let mut series: Vec<_> = sums.into_iter().collect();
    series.sort_by(|(a, a_sum), (b, b_sum)| b_sum.bytes.cmp(&a_sum.bytes).then_with(|| a.cmp(b)));
    let limit = view.limit.unwrap_or(usize::MAX);
    if series.len() > limit {
        // One of the places is that of the rest.
        let rest = series.split_off(limit.saturating_sub(1));
        let mut sum = Sum::default();
        for (_, one) in &rest {
            sum.add(one.bytes, one.calls, one.numbers.as_ref().unwrap_or(&Numbers::NONE));
        }
        series.push((vec![OTHER.to_owned(); names(view.group).len()], sum));
    }
    series
}

#[cfg(test)]
#[path = "openmetrics/tests.rs"]
mod tests;
