// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;

/// The histogram of these times.
fn of(times: &[u64]) -> Histogram {
    let mut buckets = [0; BUCKETS];
    times.iter().for_each(|&ns| buckets[bucket(ns)] += 1);
    let sum = times.iter().sum();
    let (min, max) = (times.iter().min().copied().unwrap_or(0), times.iter().max().copied().unwrap_or(0));
    Histogram::new(u64::try_from(times.len()).unwrap(), sum, min, max, buckets)
}

#[test]
fn a_time_is_between_the_ends_of_its_bucket() {
    for ns in [0, 1, 2, 3, 1023, 1024, (1 << 39) - 1, 1 << 39, u64::MAX] {
        let place = bucket(ns);
        assert!(ns >= least(place) && (ns <= most(place) || place == BUCKETS - 1), "{ns}");
    }
    for place in 1..BUCKETS {
        assert_eq!(most(place - 1) + 1, least(place), "{place}");
    }
}

#[test]
fn histograms_add_up_to_that_of_all_times() {
    let (a, b): (&[u64], &[u64]) = (&[5, 900, 900, 70_000], &[1, 1 << 45, 3]);
    let mut sum = of(a);
    sum.add(&of(b));
    assert_eq!(sum, of(&[a, b].concat()));
    let mut none = Histogram::default();
    none.add(&of(a));
    none.add(&Histogram::default());
    assert_eq!(none, of(a));
}

#[test]
fn quantiles_are_within_the_bucket_and_between_the_shortest_and_the_longest() {
    let hundred: Vec<u64> = (1..=100).map(|ns| ns * 1000).collect();
    for (times, percent, expected) in [
        (&[][..], 50, None),
        (&[7], 50, Some(7)),
        (&[7, 7, 7], 99, Some(7)),
        (&[0, 0], 50, Some(0)),
        // 50,000 and 99,000 if every time were known.
        (&hundred, 50, Some(50_144)),
        (&hundred, 99, Some(98_522)),
        (&hundred, 100, Some(99_507)),
        (&hundred, 0, Some(1011)),
        // The last bucket ends where the longest does.
        (&[1 << 39, 1 << 50], 99, Some((1 << 39) + ((1 << 50) - (1 << 39)) * 3 / 4)),
    ] {
        assert_eq!(of(times).quantile(percent), expected, "{percent} of {times:?}");
    }
}

#[test]
fn what_a_kernel_says_in_between_is_no_trouble() {
    // The shortest of a first stall is noted, and its longest not yet.
    let mut buckets = [0; BUCKETS];
    buckets[3] = 1;
    let early = Histogram::new(1, 900, 900, 0, buckets);
    assert_eq!((early.max_ns(), early.quantile(50)), (Some(900), Some(900)));
    // Of a full bucket.
    let full = Histogram::new(u64::MAX, u64::MAX, 1, 1 << 20, [u64::MAX; BUCKETS]);
    let mut sum = full;
    sum.add(&full);
    assert_eq!((sum.count(), sum.ns()), (u64::MAX, u64::MAX));
    assert!(sum.quantile(99).is_some_and(|ns| ns <= 1 << 20));
    // Nor of the last one, which is as wide as can be.
    buckets = [0; BUCKETS];
    buckets[BUCKETS - 1] = u64::MAX;
    let widest = Histogram::new(u64::MAX, u64::MAX, 0, u64::MAX, buckets);
    assert_eq!(widest.quantile(100), Some(u64::MAX));
    assert_eq!(widest.quantile(50), Some((1 << 39) + (u64::MAX - (1 << 39)) / 2));
}

#[test]
fn buckets_alone_end_where_they_end() {
    let mut buckets = [0; BUCKETS];
    (buckets[4], buckets[6]) = (3, 1);
    let histogram = Histogram::of_buckets(buckets);
    assert_eq!((histogram.count(), histogram.min_ns(), histogram.max_ns()), (4, Some(16), Some(127)));
    assert_eq!(histogram.to_string(), "4:3,6:1");
    assert_eq!(Histogram::default().to_string(), "-");
    assert!(Histogram::of_buckets([0; BUCKETS]).is_empty());
}
