// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Made recordings of which the truth is known: how many leaks are found, and how many finds are leaks.
//!
//! `cargo test -p alloctag corpus -- --nocapture` prints the tables.

mod random;
mod tuning;

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
const TUNING: std::ops::Range<u64> = 1..6;

fn track(calls: &[f64]) -> Track {
    let points = |scale: f64| -> Vec<Point> {
        calls.iter().enumerate().map(|(at, calls)| (60.0 * at as f64, calls.round().max(0.0) * scale)).collect()
    };
    Track { bytes: points(OBJECT), calls: points(1.0) }
}

/// Found and missed leaks, false finds, and for each kind how many verdicts were accepted, of how many.
#[derive(Default)]
struct Score {
    found: usize,
    missed: usize,
    wrong: usize,
    kinds: Vec<(&'static str, usize, usize)>,
}

impl Score {
    /// Judges a recording for each seed, with sites of all kinds and still ones.
    fn of(kinds: &[Kind], samples: usize, seeds: std::ops::Range<u64>) -> Score {
        let names = kinds.iter().map(|kind| (kind.name, 0, 0));
        let mut score = Score { kinds: names.collect(), ..Score::default() };
        for seed in seeds {
            let mut random = Random(seed);
            let mut tracks = vec![track(&vec![500.0; samples]); STILL];
            for kind in kinds {
                tracks.extend((0..EACH).map(|_| track(&(kind.make)(samples, &mut random))));
            }
            let judgements = judge(&tracks, &Limits::default());
            let (still, moving) = judgements.split_at(STILL);
            assert!(still.iter().all(|judgement| judgement.verdict == Verdict::Noise));
            for (index, (kind, judgements)) in kinds.iter().zip(moving.chunks(EACH)).enumerate() {
                let leaks = judgements.iter().filter(|judgement| judgement.verdict == Verdict::Leak).count();
                if kind.leaks {
                    (score.found, score.missed) = (score.found + leaks, score.missed + EACH - leaks);
                } else {
                    score.wrong += leaks;
                }
                let right = judgements.iter().filter(|judgement| kind.accepted.contains(&judgement.verdict)).count();
                let (_, sum, of) = &mut score.kinds[index];
                (*sum, *of) = (*sum + right, *of + EACH);
            }
        }
        score
    }

    /// The share of the leaks that are found.
    fn recall(&self) -> f64 {
        self.found as f64 / (self.found + self.missed) as f64
    }

    /// The share of the finds that are leaks.
    fn precision(&self) -> f64 {
        self.found as f64 / (self.found + self.wrong).max(1) as f64
    }

    fn print(&self, what: &str, samples: usize) {
        println!("{what}, {samples} samples: recall {:.3}, precision {:.3}", self.recall(), self.precision());
        for &(name, right, of) in &self.kinds {
            println!("  {name:28} {:5.1} %", right as f64 / of as f64 * 100.0);
        }
    }
}

#[test]
fn what_the_limits_were_set_by_is_judged_with_precision_and_recall() {
    for samples in [30, 60, 120] {
        let score = Score::of(tuning::KINDS, samples, TUNING);
        score.print("tuning", samples);
        assert!(score.recall() >= 0.95 && score.precision() >= 0.95);
    }
}
