// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How long allocations took and lived, as OpenMetrics' histograms: in seconds, in the kernel's own buckets.
//!
//! All have all buckets, those with nothing in them too: series that come and go make what a reader works out from them wrong. What
//! is beyond the limit is left out, as it is of counters: it is not always of the same call sites.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use super::labels::{labels, names, Labels};
use super::line::{escape, family, seconds, HISTOGRAM};
use crate::model::histogram::least;
use crate::model::{Histogram, Profile, Row, Site, Timed, Timing, BUCKETS};
use crate::subsystem::Subsystems;
use crate::view::View;

/// What there is of each kind: its name, and what it is.
fn about(timed: Timed) -> (&'static str, &'static str) {
    match timed {
        Timed::Stalls => (
            "kernel_alloc_stall_duration_seconds",
            "How long allocations had to wait, by the code that asked for them and by what they waited for.",
        ),
        Timed::Latency => (
            "kernel_alloc_latency_seconds",
            "How long allocations of chosen code took, by the code that asked for them.",
        ),
        Timed::Lifetimes => (
            "kernel_alloc_lifetime_seconds",
            "How long what chosen code allocated lived, by the code that allocated it.",
        ),
    }
}

/// Writes the families of all that is known.
pub(super) fn write(profile: &Profile, view: &View, subsystems: &Subsystems, out: &mut dyn Write) -> io::Result<()> {
    let holds = |row: &&Row| view.condition.as_ref().is_none_or(|condition| condition.matches(row, subsystems));
    let chosen: Option<HashSet<&Site>> =
        view.condition.as_ref().map(|_| profile.rows().iter().filter(holds).map(|row| &row.site).collect());
    let is_chosen = |timing: &&Timing| chosen.as_ref().is_none_or(|chosen| chosen.contains(&timing.site));
    for (timed, list) in profile.timings.known() {
        let (name, help) = about(timed);
        let mut labelled = names(view.group).to_vec();
        labelled.extend((timed == Timed::Stalls).then_some("cause"));
        family(out, name, HISTOGRAM, Some("seconds"), help)?;
        for (labels, histogram) in series(list.iter().filter(is_chosen), view, subsystems) {
            one(out, name, &labelled, &labels, &histogram)?;
        }
    }
    Ok(())
}

/// The sums by label set: those of the longest.
fn series<'t>(
    list: impl Iterator<Item = &'t Timing>,
    view: &View,
    subsystems: &Subsystems,
) -> Vec<(Labels, Histogram)> {
    let mut sums: HashMap<Labels, Histogram> = HashMap::new();
    for timing in list {
        let row = Row::empty(timing.site.clone());
        let label = view.group.key(&row, subsystems).0;
        let mut labels = labels(&timing.site, label, view.group, subsystems);
        labels.extend(timing.cause.as_deref().map(str::to_owned));
        sums.entry(labels).or_default().add(&timing.times);
    }
    let mut series: Vec<_> = sums.into_iter().filter(|(_, histogram)| histogram.count() > 0).collect();
    series.sort_by(|(a, a_sum), (b, b_sum)| b_sum.ns().cmp(&a_sum.ns()).then_with(|| a.cmp(b)));
    series.truncate(view.limit.unwrap_or(usize::MAX));
    series
}

fn one(out: &mut dyn Write, name: &str, labelled: &[&str], values: &[String], histogram: &Histogram) -> io::Result<()> {
    let pairs = labelled.iter().zip(values).filter(|(_, value)| !value.is_empty());
    let pairs: Vec<_> = pairs.map(|(label, value)| format!("{label}=\"{}\"", escape(value))).collect();
    let labels = pairs.join(",");
    let comma = if labels.is_empty() { "" } else { "," };
    let mut sum = 0u64;
    for (bucket, count) in histogram.buckets().iter().enumerate().take(BUCKETS - 1) {
        sum = sum.saturating_add(*count);
        // What took exactly as long as the next bucket begins is in that one: nanoseconds that nobody misses.
        let end = seconds(i64::try_from(least(bucket + 1)).unwrap_or(i64::MAX));
        writeln!(out, "{name}_bucket{{{labels}{comma}le=\"{end}\"}} {sum}")?;
    }
    // Where a bucket was full, or the kernel counted meanwhile, the count may be another one.
    let all = histogram.buckets()[BUCKETS - 1].saturating_add(sum).max(histogram.count());
    writeln!(out, "{name}_bucket{{{labels}{comma}le=\"+Inf\"}} {all}")?;
    let braces = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
    writeln!(out, "{name}_count{braces} {all}")?;
    writeln!(out, "{name}_sum{braces} {}", seconds(i64::try_from(histogram.ns()).unwrap_or(i64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Meta, Names};
    use crate::query::Where;
    use crate::source::timings::parse;
    use crate::view::Group;

    const TIMES: [&str; 2] =
        [include_str!("../../../tests/data/stalls-1.0.txt"), include_str!("../../../tests/data/lifetimes-1.0.txt")];

    fn metrics(view: &View) -> String {
        let timings = parse(TIMES.concat().as_bytes(), &mut Names::new()).unwrap();
        let mut out = Vec::new();
        write(&Profile::of_timings(timings, Meta::default()), view, &Subsystems::built_in(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn buckets_are_cumulative_and_end_at_powers_of_two() {
        let out = metrics(&View { group: Group::Module, ..View::default() });
        let name = "kernel_alloc_stall_duration_seconds";
        let labels = "module=\"ext4\",cause=\"slab\"";
        for line in [
            format!("# TYPE {name} histogram"),
            format!("# UNIT {name} seconds"),
            format!("{name}_bucket{{{labels},le=\"0.000001024\"}} 0"),
            format!("{name}_bucket{{{labels},le=\"0.000002048\"}} 3"),
            format!("{name}_bucket{{{labels},le=\"0.000004096\"}} 11"),
            format!("{name}_bucket{{{labels},le=\"0.000032768\"}} 12"),
            format!("{name}_bucket{{{labels},le=\"549.755813888\"}} 12"),
            format!("{name}_bucket{{{labels},le=\"+Inf\"}} 12"),
            format!("{name}_count{{{labels}}} 12"),
            format!("{name}_sum{{{labels}}} 0.000048211"),
            // What is longer than all bounds.
            "kernel_alloc_lifetime_seconds_bucket{module=\"(built-in)\",le=\"549.755813888\"} 6".to_owned(),
            "kernel_alloc_lifetime_seconds_bucket{module=\"(built-in)\",le=\"+Inf\"} 12".to_owned(),
        ] {
            assert!(out.lines().any(|found| found == line), "{line}: {out}");
        }
        assert_eq!(out.lines().filter(|line| line.contains(labels)).count(), 42);
        assert!(!out.contains("leaky"), "nothing of it was freed");
        assert!(!out.contains("latency"), "it is not known");
    }

    #[test]
    fn the_longest_stay_and_conditions_choose_call_sites() {
        let out = metrics(&View { group: Group::Module, limit: Some(1), ..View::default() });
        assert_eq!(out.lines().filter(|line| line.contains("duration_seconds_count")).count(), 1);
        assert!(out.contains("cause=\"reclaim\"") && !out.contains("(other)"), "{out}");
        let condition = Where::parse("module=ext4", &Subsystems::built_in()).ok();
        let out = metrics(&View { condition, ..View::default() });
        assert!(!out.contains("_count"), "there are no rows that fulfil it: {out}");
    }
}
