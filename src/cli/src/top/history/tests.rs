// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::{Builder, Meta, Names, Number, Sample as Given};

/// A reading at that time of sites named by line, with bytes.
pub(in crate::top) fn reading(time_ms: u64, content_id: u64, sites: &[(u32, i64)]) -> Profile {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    for &(line, bytes) in sites {
        let (accurate, clipped, merged, numbers, extra) = (true, false, 1, Numbers::NONE, Vec::new());
        let (file, func, module, calls) = ("mm/a.c", "f", None, 1);
        let given = Given { file, line, func, module, bytes, calls, accurate, clipped, merged, numbers, extra };
        builder.push(&given).unwrap();
    }
    builder.finish(Meta { uptime_ms: Some(time_ms), content_id: Some(content_id), ..Meta::default() })
}

#[test]
fn one_reading_has_no_changes() {
    let mut history = History::default();
    assert_eq!((history.delta(&[0]), history.rate(&[0]), history.series(&[0], 9)), (None, None, vec![]));
    history.record(reading(1000, 1, &[(1, 100)]));
    assert_eq!((history.delta(&[0]), history.rate(&[0]), history.series(&[0], 9)), (None, None, vec![100]));
    assert!(history.is_young() && !history.is_cut());
}

#[test]
fn deltas_count_from_the_baseline_and_rates_from_the_reading_before() {
    let mut history = History::default();
    history.record(reading(1000, 1, &[(1, 100), (2, 10)]));
    history.record(reading(3000, 1, &[(2, 10), (1, 300)]));
    assert_eq!((history.delta(&[0]), history.rate(&[0])), (Some(200), Some(100)));
    assert_eq!((history.delta(&[0, 1]), history.age_ms()), (Some(200), 2000));
    history.mark();
    history.record(reading(3500, 1, &[(1, 250), (2, 10)]));
    assert_eq!((history.delta(&[0]), history.rate(&[0]), history.age_ms()), (Some(-50), Some(-100), 500));
    history.unmark();
    assert_eq!((history.delta(&[0]), history.age_ms()), (Some(150), 2500));
    assert_eq!(history.series(&[0, 1], 2), [310, 260]);
    assert_eq!((history.span_ms(2), history.span_ms(99)), (500, 2500));
}

#[test]
fn sites_that_come_and_go_held_nothing_before_and_hold_nothing_after() {
    let mut history = History::default();
    history.record(reading(0, 1, &[(1, 100)]));
    let sample = history.record(reading(1000, 1, &[(2, 7)]));
    let rows: Vec<_> = sample.rows().map(|(row, track, present)| (row.site.line, row.bytes, track, present)).collect();
    assert_eq!(rows, [(2, 7, 1, true), (1, 0, 0, false)]);
    assert_eq!((history.delta(&[0]), history.delta(&[1])), (Some(-100), Some(7)));
    let sample = history.record(reading(2000, 1, &[(1, 50)]));
    assert_eq!(sample.gone.len(), 1);
    assert_eq!((history.delta(&[0]), history.rate(&[0])), (Some(-50), Some(50)));
}

#[test]
fn no_rate_is_drawn_across_a_cut() {
    let mut history = History::default();
    history.record(reading(0, 1, &[(1, 100)]));
    history.record(reading(1000, 2, &[(1, 900)]));
    assert!(history.is_cut());
    assert_eq!((history.rate(&[0]), history.delta(&[0])), (None, Some(800)));
    history.record(reading(2000, 2, &[(1, 901)]));
    assert_eq!(history.rate(&[0]), Some(1));
    let mut stopped = reading(3000, 2, &[(1, 901)]);
    stopped.meta.profiling.enabled = Some(false);
    history.record(stopped);
    assert_eq!(history.rate(&[0]), None);
    history.record(reading(3000, 2, &[(1, 901)]));
    assert_eq!(history.rate(&[0]), None, "no time has passed");
}

#[test]
fn the_baseline_may_be_later_than_the_only_reading() {
    let mut history = History::default();
    history.record(reading(0, 1, &[(1, 100)]));
    history.record(reading(1000, 1, &[(1, 900)]));
    history.mark();
    // Back to the first, in a recording.
    history.rewind(2);
    history.record(reading(0, 1, &[(1, 100)]));
    assert_eq!((history.delta(&[0]), history.rate(&[0])), (Some(-800), None));
    history.unmark();
    assert_eq!(history.delta(&[0]), None);
}

#[test]
fn only_so_many_readings_are_kept() {
    let mut history = History::default();
    for time in 0..300 {
        history.record(reading(time, 1, &[(1, i64::try_from(time).unwrap())]));
    }
    let series = history.series(&[0], 1000);
    assert_eq!((series.len(), series.first(), series.last()), (KEPT, Some(&60), Some(&299)));
    assert_eq!(history.delta(&[0]), Some(299), "the baseline outlives them");
}

/// A reading at that time of sites named by line, of which the kernel counts so many allocations.
fn counted(time_ms: u64, content_id: u64, sites: &[(u32, i64)]) -> Profile {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    for &(line, allocs) in sites {
        let numbers = Numbers::NONE.with(Number::Allocs, allocs).with(Number::Slack, 8);
        let (file, func, module, bytes, calls) = ("mm/a.c", "f", None, 64, 1);
        let (accurate, clipped, merged, extra) = (true, false, 1, Vec::new());
        let given = Given { file, line, func, module, bytes, calls, accurate, clipped, merged, numbers, extra };
        builder.push(&given).unwrap();
    }
    builder.finish(Meta { uptime_ms: Some(time_ms), content_id: Some(content_id), ..Meta::default() })
}

#[test]
fn the_kernels_counts_give_a_pace_between_two_readings() {
    let mut history = History::default();
    let pace = |history: &History, tracks: &[usize]| history.pace(tracks).get(Number::Allocs);
    history.record(counted(1000, 1, &[(1, 100), (2, 7)]));
    assert_eq!(pace(&history, &[0]), None, "there is nothing to compare with");
    history.record(counted(3000, 1, &[(1, 300), (2, 8)]));
    assert_eq!((pace(&history, &[0]), pace(&history, &[0, 1])), (Some(100), Some(100)));
    // A site that has gone and one that has come say nothing, and no list of sites that has changed does.
    history.record(counted(4000, 1, &[(1, 310), (3, 9)]));
    assert_eq!((pace(&history, &[0, 1]), pace(&history, &[2])), (Some(10), None));
    history.record(counted(5000, 2, &[(1, 320), (3, 10)]));
    assert_eq!(pace(&history, &[0]), None);
    history.record(counted(6000, 2, &[(1, 340), (3, 3)]));
    assert_eq!((pace(&history, &[0]), pace(&history, &[2])), (Some(20), Some(3)), "what is less has begun anew");
    history.rewind(1);
    assert_eq!(pace(&history, &[0]), None);
    history.record(reading(7000, 2, &[(1, 5)]));
    assert_eq!(pace(&history, &[0]), None, "another kernel counts nothing");
}
