// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Made recordings of which the truth is known: how many leaks are found, and how many finds are leaks.
//!
//! `cargo test -p alloctag corpus -- --nocapture` prints the tables.

mod random;
mod tuning;
mod unseen;

use std::ops::Range;

use super::{judge, Limits, Point, Track, Verdict};
use random::Random;

/// A kind of behaviour.
struct Kind {
    name: &'static str,
    leaks: bool,
    /// What it may be called.
    accepted: &'static [Verdict],
    /// Its allocations at so many times.
    make: fn(usize, &mut Random) -> Vec<f64>,
}

/// Values at times from 0 to 1.
fn times(n: usize, value: impl FnMut(f64) -> f64) -> Vec<f64> {
    (0..n).map(|at| at as f64 / n as f64).map(value).collect()
}

/// Bytes of one object.
const OBJECT: f64 = 256.0;

/// Sites of each kind in a recording, and how many still ones: most of a kernel's sites never move.
const EACH: usize = 40;
const STILL: usize = 1000;

/// Seeds of the recordings that the limits were set by.
const TUNING: Range<u64> = 1..6;

/// Seeds that were first used when the limits stood.
const HELD_OUT: Range<u64> = 1001..1006;

/// What falls where `track` grows, from where the largest of them begins.
fn falling(track: &Track) -> Track {
    let down = |points: &[Point]| {
        let most = points.iter().map(|point| point.1).fold(0.0, f64::max);
        points.iter().map(|&(time, value)| (time, most - value)).collect()
    };
    Track { bytes: down(&track.bytes), calls: down(&track.calls) }
}

fn track(calls: &[f64]) -> Track {
    let points = |scale: f64| -> Vec<Point> {
        calls.iter().enumerate().map(|(at, calls)| (60.0 * at as f64, calls.round().max(0.0) * scale)).collect()
    };
    Track { bytes: points(OBJECT), calls: points(1.0) }
}

/// How often each kind was given each verdict.
struct Score<'k> {
    kinds: Vec<(&'k Kind, [usize; Verdict::ALL.len()])>,
}

impl<'k> Score<'k> {
    /// Judges a recording for each seed, with sites of all kinds and still ones.
    fn of(kinds: &'k [Kind], samples: usize, seeds: Range<u64>) -> Score<'k> {
        let mut score = Score { kinds: kinds.iter().map(|kind| (kind, Default::default())).collect() };
        for seed in seeds {
            let mut random = Random(seed);
            let mut tracks = vec![track(&vec![500.0; samples]); STILL];
            for kind in kinds {
                tracks.extend((0..EACH).map(|_| track(&(kind.make)(samples, &mut random))));
            }
            let judgements = judge(&tracks, &Limits::default());
            let (still, moving) = judgements.split_at(STILL);
            assert!(still.iter().all(|judgement| judgement.verdict == Verdict::Noise));
            for ((_, counts), judgements) in score.kinds.iter_mut().zip(moving.chunks(EACH)) {
                for judgement in judgements {
                    counts[judgement.verdict as usize] += 1;
                }
            }
        }
        score
    }

    /// How many sites of kinds that leak, or of those that do not, are called leaks, and of how many.
    fn called_leaks(&self, leaks: bool) -> (usize, usize) {
        let kinds = self.kinds.iter().filter(|(kind, _)| kind.leaks == leaks);
        kinds.fold((0, 0), |(called, of), (_, counts)| (called + counts[0], of + counts.iter().sum::<usize>()))
    }

    /// The share of the leaks that are found.
    fn recall(&self) -> f64 {
        let (found, of) = self.called_leaks(true);
        found as f64 / of as f64
    }

    /// The share of the finds that are leaks.
    fn precision(&self) -> f64 {
        let (found, wrong) = (self.called_leaks(true).0, self.called_leaks(false).0);
        found as f64 / (found + wrong) as f64
    }

    fn print(&self, what: &str, samples: usize) {
        println!("{what}, {samples} samples: recall {:.3}, precision {:.3}", self.recall(), self.precision());
        for (kind, counts) in &self.kinds {
            let of = counts.iter().sum::<usize>() as f64;
            let verdicts = Verdict::ALL.iter().zip(counts).filter(|(_, &count)| count > 0);
            let shares = verdicts.map(|(verdict, &count)| {
                let accepted = if kind.accepted.contains(verdict) { "" } else { "?" };
                format!("{accepted}{verdict} {:.1}", count as f64 / of * 100.0)
            });
            println!("  {:28} {}", kind.name, shares.collect::<Vec<_>>().join(", "));
        }
    }
}

/// Judges and prints; `least` is for each number of samples the least recall and precision.
#[track_caller]
fn check(what: &str, kinds: &[Kind], seeds: &Range<u64>, least: [(usize, f64, f64); 3]) {
    for (samples, recall, precision) in least {
        let score = Score::of(kinds, samples, seeds.clone());
        score.print(what, samples);
        assert!(score.recall() >= recall && score.precision() >= precision, "{what}, {samples} samples");
    }
}

#[test]
fn what_the_limits_were_set_by() {
    check("tuning", tuning::KINDS, &TUNING, [(30, 0.95, 0.95), (60, 0.95, 0.95), (120, 0.95, 0.95)]);
}

#[test]
fn the_same_behaviours_in_recordings_held_out() {
    check("held out", tuning::KINDS, &HELD_OUT, [(30, 0.95, 0.95), (60, 0.95, 0.95), (120, 0.95, 0.95)]);
}

/// The share of the sites of some kinds that are called falling when they are upside down.
fn called_falling(kinds: &[&Kind], samples: usize) -> f64 {
    let (mut random, mut tracks) = (Random(HELD_OUT.start), vec![track(&vec![500.0; samples]); STILL]);
    for kind in kinds {
        tracks.extend((0..EACH).map(|_| falling(&track(&(kind.make)(samples, &mut random)))));
    }
    let judgements = judge(&tracks, &Limits::default());
    let called = judgements[STILL..].iter().filter(|judgement| judgement.verdict == Verdict::Falling).count();
    called as f64 / (kinds.len() * EACH) as f64
}

#[test]
fn what_would_be_a_leak_upside_down_is_falling_and_noise_is_not() {
    let leaks: Vec<&Kind> = tuning::KINDS.iter().filter(|kind| kind.leaks).collect();
    let noise: Vec<&Kind> = tuning::KINDS.iter().filter(|kind| kind.accepted.contains(&Verdict::Noise)).collect();
    for samples in [30, 60, 120] {
        let (found, wrong) = (called_falling(&leaks, samples), called_falling(&noise, samples));
        println!("upside down, {samples} samples: {found:.3} of leaks, {wrong:.3} of noise");
        assert!(found >= 0.95 && wrong <= 0.05, "{samples} samples: {found} of leaks, {wrong} of noise");
    }
}

/// At 30 samples a leak that begins late, slows down or comes in bursts does not stand out enough from chance: the bound
/// there is what was measured, not what one would wish.
#[test]
fn behaviours_never_seen_before() {
    check("unseen", unseen::KINDS, &HELD_OUT, [(30, 0.70, 0.95), (60, 0.95, 0.95), (120, 0.95, 0.95)]);
}
