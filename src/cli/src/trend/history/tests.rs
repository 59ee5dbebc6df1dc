// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::{Builder, Names, Numbers, Sample};

/// A profile at a second of a boot, with these bytes at a built-in site and at one of a module.
struct Moment(u64, &'static str, u64, Option<i64>, Option<i64>);

fn profile(moment: &Moment) -> Profile {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    for (bytes, module) in [(moment.3, None), (moment.4, Some("m"))] {
        let Some(bytes) = bytes else { continue };
        let (file, line, func, calls) = ("a.c", 1, "f", bytes / 8);
        let (accurate, clipped, merged, numbers, extra) = (true, false, 1, Numbers::NONE, Vec::new());
        let sample = Sample { file, line, func, module, bytes, calls, accurate, clipped, merged, numbers, extra };
        builder.push(&sample).unwrap();
    }
    let meta = Meta {
        uptime_ms: Some(moment.0 * 1000),
        boot_id: Some(moment.1.to_owned()),
        content_id: Some(moment.2),
        ..Meta::default()
    };
    builder.finish(meta)
}

/// The bytes of the longest tracks of the built-in site and of the module's.
fn longest(profiles: &[Profile]) -> (Vec<f64>, Vec<f64>, Tally) {
    let mut history = History::new(None);
    profiles.iter().enumerate().for_each(|(place, profile)| history.push(profile, place).unwrap());
    let tally = *history.tally();
    let (sites, tracks) = history.finish();
    let of = |module: bool| {
        let place = sites.iter().position(|site| site.module.is_some() == module);
        place.map_or_else(Vec::new, |place| tracks[place].bytes.iter().map(|point| point.1).collect())
    };
    (of(false), of(true), tally)
}

fn read(moments: &[Moment]) -> (Vec<f64>, Vec<f64>, Tally) {
    longest(&moments.iter().map(profile).collect::<Vec<_>>())
}

#[test]
fn a_reboot_cuts_every_site_and_the_longest_track_counts() {
    let (built_in, module, tally) = read(&[
        Moment(10, "a", 1, Some(8), Some(80)),
        Moment(20, "a", 1, Some(16), Some(88)),
        Moment(5, "b", 1, Some(1), Some(2)),
        Moment(6, "b", 1, Some(2), Some(3)),
        Moment(7, "b", 1, Some(3), Some(4)),
    ]);
    assert_eq!((built_in, module), (vec![1.0, 2.0, 3.0], vec![2.0, 3.0, 4.0]));
    assert_eq!((tally.taken, tally.reboots), (5, 1));
}

#[test]
fn a_reload_cuts_the_modules_sites_alone() {
    let (built_in, module, tally) = read(&[
        Moment(1, "a", 1, Some(8), Some(80)),
        Moment(2, "a", 2, Some(9), Some(8)),
        Moment(3, "a", 2, Some(7), Some(16)),
    ]);
    assert_eq!((built_in.len(), module, tally.reloads), (3, vec![8.0, 16.0], 1));
    // Another module came: what fell not goes on, and what falls without any news goes on too.
    let (_, module, tally) = read(&[
        Moment(1, "a", 1, None, Some(80)),
        Moment(2, "a", 2, None, Some(80)),
        Moment(3, "a", 2, None, Some(16)),
    ]);
    assert_eq!((module.len(), tally.reloads), (3, 0));
}

#[test]
fn a_site_that_was_gone_is_cut() {
    let (_, module, _) = read(&[
        Moment(1, "a", 1, Some(0), Some(8)),
        Moment(2, "a", 2, Some(0), None),
        Moment(3, "a", 3, Some(0), Some(9)),
        Moment(4, "a", 3, Some(0), Some(10)),
    ]);
    assert_eq!(module, [9.0, 10.0]);
}

#[test]
fn profiles_that_cannot_be_compared_are_left_out_and_counted() {
    let mut profiles: Vec<Profile> =
        (1..=6).map(|second| profile(&Moment(second, "a", 1, Some(8 * second as i64), None))).collect();
    profiles[1].meta.torn = true;
    profiles[3].meta.profiling.enabled = Some(false);
    profiles[5].meta.uptime_ms = Some(5000);
    let (built_in, _, tally) = longest(&profiles);
    assert_eq!(built_in, [8.0, 24.0], "it is cut where profiling was off");
    assert_eq!((tally.taken, tally.torn, tally.off, tally.disordered), (3, 1, 1, 1));
}

#[test]
fn time_must_come_from_somewhere() {
    let mut timeless = profile(&Moment(1, "a", 1, Some(8), None));
    timeless.meta = Meta::default();
    assert_eq!(History::new(None).push(&timeless, 0), Err(Timeless));
    let mut history = History::new(Some(60.0));
    let mut torn = timeless.clone();
    torn.meta.torn = true;
    // Time goes on where a profile is of no use, and where one is not looked at.
    for (place, profile) in [(0, &timeless), (1, &torn), (2, &timeless), (5, &timeless)] {
        history.push(profile, place).unwrap();
    }
    assert_eq!(history.finish().1[0].bytes, [(0.0, 8.0), (120.0, 8.0), (300.0, 8.0)]);
}
