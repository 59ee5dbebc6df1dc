// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What must hold for any text of times, and of any times.

use alloctag::model::histogram::{bucket, least};
use alloctag::model::{Histogram, Names, Quantity, Timings, BUCKETS};
use alloctag::query::OfTiming;
use alloctag::source::timings as source;
use alloctag::subsystem::Subsystems;
use alloctag::time::span;

/// The texts of stalls, latency and lifetimes, or a condition on what they say.
pub fn times(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = OfTiming::parse(&text, &Subsystems::built_in());
    if let Some(ns) = span::nanoseconds(&text) {
        assert!(span::nanoseconds(&span::short(ns)).is_none_or(|again| again.abs_diff(ns) <= ns.unsigned_abs() / 100));
    }
    let Some(timings) = parse(bytes) else { return };
    let lines = bytes.split(|&byte| byte == b'\n').count();
    let list = || timings.known().flat_map(|(_, list)| list);
    assert!(list().count() + usize::try_from(timings.unreadable().count).unwrap() <= lines);
    let subsystems = Subsystems::built_in();
    let condition = OfTiming::parse("p99>=0 or not count=0", &subsystems).unwrap();
    for timing in list() {
        let texts = timing.cause.iter().chain([&timing.site.file, &timing.site.func]);
        assert!(texts.into_iter().all(|text| !text.contains(char::is_control)));
        let told = Quantity::all().filter_map(|quantity| quantity.of(timing)).count();
        assert!(told >= 3, "counts are always there");
        condition.matches(timing, &subsystems);
        quantiles(&timing.times);
        quantiles(&timing.ages);
    }
    // Printed as the kernel prints it and read again, it is the same.
    let again = parse(source::print(&timings).as_bytes()).expect("what we print we can read");
    assert!(again.known().eq(timings.known()));
}

fn parse(bytes: &[u8]) -> Option<Timings> {
    source::parse(bytes, &mut Names::new()).ok()
}

/// They rise, between the shortest and the longest.
fn quantiles(histogram: &Histogram) {
    let (min, max) = (histogram.min_ns().unwrap_or(0), histogram.max_ns().unwrap_or(u64::MAX));
    let found: Vec<u64> = (0..=100).filter_map(|percent| histogram.quantile(percent)).collect();
    assert!(found.is_sorted() && found.iter().all(|ns| (min..=max).contains(ns)), "{histogram:?}");
}

/// Histograms of all these times and of two parts of them.
#[allow(dead_code)]
pub fn merged(times: &[u64], part: usize) {
    let (a, b) = times.split_at(part.min(times.len()));
    let (mut sum, all) = (of(a), of(times));
    sum.add(&of(b));
    assert_eq!(sum, all);
    let mut turned = of(b);
    turned.add(&of(a));
    assert_eq!(turned, all);
    // What is found is in the bucket of what would be if every time were known: less than twice it, and more than half.
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    for percent in [1, 50, 90, 99, 100u8] {
        let Some(found) = all.quantile(percent) else { continue };
        let place = (sorted.len() * usize::from(percent)).div_ceil(100).max(1);
        assert_eq!(bucket(found), bucket(sorted[place - 1]), "{percent} of {sorted:?}: {found}");
    }
    quantiles(&all);
}

/// The histogram of these times.
fn of(times: &[u64]) -> Histogram {
    let mut buckets = [0; BUCKETS];
    for &ns in times {
        assert!(ns >= least(bucket(ns)));
        buckets[bucket(ns)] += 1;
    }
    let sum = times.iter().fold(0, |sum: u64, ns| sum.saturating_add(*ns));
    let (min, max) = (times.iter().min().copied().unwrap_or(0), times.iter().max().copied().unwrap_or(0));
    Histogram::new(u64::try_from(times.len()).unwrap(), sum, min, max, buckets)
}
