// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Made recordings of which the truth is known: how many leaks are found, and how many finds are leaks.
//!
//! `cargo test -p alloctag corpus -- --nocapture` prints the table.

use super::{judge, Limits, Point, Track, Verdict};

/// SplitMix64 (Steele, Lea, Flood 2014): small, seeded, the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly from 0 to 1.
    fn even(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Normally around 0, by 1.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.even()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.even()).cos()
    }
}

/// A kind of behaviour: its name, what it is to be called, and its allocations over `n` samples.
struct Kind {
    name: &'static str,
    leaks: bool,
    accepted: &'static [Verdict],
    make: fn(usize, &mut Random) -> Vec<f64>,
}

fn times(n: usize, value: impl FnMut(f64) -> f64) -> Vec<f64> {
    (0..n).map(|at| at as f64 / n as f64).map(value).collect()
}

use Verdict::{Bounded, Leak, Noise, Sawtooth, Step};

const KINDS: &[Kind] = &[
    Kind {
        name: "leak, steady",
        leaks: true,
        accepted: &[Leak],
        make: |n, r| {
            let size = 500.0 + 5000.0 * r.even();
            times(n, |t| 1000.0 + size * t)
        },
    },
    Kind {
        name: "leak, noise of a fifth",
        leaks: true,
        accepted: &[Leak],
        make: |n, r| {
            let size = 500.0 + 5000.0 * r.even();
            times(n, |t| 9000.0 + size * t + size * 0.2 * r.normal())
        },
    },
    Kind {
        name: "leak, seldom",
        leaks: true,
        accepted: &[Leak],
        make: |n, r| {
            let mut held = 1000.0;
            times(n, |_| {
                if r.even() < 0.3 {
                    held += 100.0;
                }
                held
            })
        },
    },
    Kind {
        name: "leak, faster and faster",
        leaks: true,
        accepted: &[Leak],
        make: |n, r| {
            let size = 500.0 + 5000.0 * r.even();
            times(n, |t| 1000.0 + size * t * t)
        },
    },
    Kind {
        name: "leak, under reclaim",
        leaks: true,
        accepted: &[Leak],
        make: |n, r| {
            let (size, teeth) = (2000.0 + 2000.0 * r.even(), 6.0 + 4.0 * r.even());
            times(n, |t| 1000.0 + size * t + size * 0.3 * (t * teeth).fract())
        },
    },
    Kind {
        name: "leak, under daily load",
        leaks: true,
        accepted: &[Leak],
        make: |n, r| {
            let (size, days) = (2000.0 + 2000.0 * r.even(), 4.0 + 4.0 * r.even());
            times(n, |t| 5000.0 + size * t + size * 0.15 * (t * days * std::f64::consts::TAU).sin())
        },
    },
    Kind { name: "still", leaks: false, accepted: &[Noise], make: |n, _| vec![500.0; n] },
    Kind { name: "noise", leaks: false, accepted: &[Noise], make: |n, r| times(n, |_| 5000.0 + 300.0 * r.normal()) },
    Kind {
        name: "noise, neighbours alike",
        leaks: false,
        accepted: &[Noise, Sawtooth, Step],
        make: |n, r| {
            let mut held = 0.0;
            times(n, |_| {
                held = 0.8 * held + 200.0 * r.normal();
                5000.0 + held
            })
        },
    },
    Kind {
        name: "random walk",
        leaks: false,
        accepted: &[Noise, Sawtooth, Step, Bounded],
        make: |n, r| {
            let mut held = 20_000.0;
            times(n, |_| {
                held += 200.0 * r.normal();
                held
            })
        },
    },
    Kind {
        name: "cache that fills",
        leaks: false,
        accepted: &[Bounded],
        make: |n, r| {
            let (size, tau) = (2000.0 + 5000.0 * r.even(), 0.08 + 0.12 * r.even());
            times(n, |t| 500.0 + size * (1.0 - (-t / tau).exp()) + 0.01 * size * r.normal())
        },
    },
    Kind {
        name: "step",
        leaks: false,
        accepted: &[Step],
        make: |n, r| {
            let (size, when) = (2000.0 + 5000.0 * r.even(), 0.2 + 0.6 * r.even());
            times(n, |t| 500.0 + if t < when { 0.0 } else { size } + 0.02 * size * r.normal())
        },
    },
    Kind {
        name: "sawtooth",
        leaks: false,
        accepted: &[Sawtooth],
        make: |n, r| {
            let (size, teeth, phase) = (2000.0 + 5000.0 * r.even(), 3.0 + 2.0 * r.even(), r.even());
            times(n, |t| 500.0 + size * (t * teeth + phase).fract() + 0.01 * size * r.normal())
        },
    },
    Kind {
        name: "daily load",
        leaks: false,
        accepted: &[Sawtooth, Noise],
        make: |n, r| {
            let (size, days, phase) = (2000.0, 3.0 + 3.0 * r.even(), r.even());
            times(n, |t| 5000.0 + size * ((t * days + phase) * std::f64::consts::TAU).sin() + 0.05 * size * r.normal())
        },
    },
    Kind {
        name: "shrinking",
        leaks: false,
        accepted: &[Noise],
        make: |n, r| times(n, |t| 9000.0 - 4000.0 * t + 100.0 * r.normal()),
    },
];

/// Bytes of one object.
const OBJECT: f64 = 256.0;
/// Sites of each kind in a recording, and how many still ones: most of a kernel's sites never move.
const EACH: usize = 20;
const STILL: usize = 1000;

fn track(calls: &[f64]) -> Track {
    let points = |scale: f64| -> Vec<Point> {
        calls.iter().enumerate().map(|(at, calls)| (60.0 * at as f64, calls.round().max(0.0) * scale)).collect()
    };
    Track { bytes: points(OBJECT), calls: points(1.0) }
}

/// Found and missed leaks, false finds, and for each kind how many verdicts were accepted.
struct Score {
    found: usize,
    missed: usize,
    wrong: usize,
    right: Vec<usize>,
}

fn score(samples: usize, seed: u64) -> Score {
    let mut random = Random(seed);
    let mut truth = Vec::new();
    let mut tracks = Vec::new();
    for (index, kind) in KINDS.iter().enumerate() {
        let count = if kind.name == "still" { STILL } else { EACH };
        for _ in 0..count {
            tracks.push(track(&(kind.make)(samples, &mut random)));
            truth.push(index);
        }
    }
    let mut score = Score { found: 0, missed: 0, wrong: 0, right: vec![0; KINDS.len()] };
    for (judgement, &index) in judge(&tracks, &Limits::default()).iter().zip(&truth) {
        match (KINDS[index].leaks, judgement.verdict == Leak) {
            (true, true) => score.found += 1,
            (true, false) => score.missed += 1,
            (false, true) => score.wrong += 1,
            (false, false) => {}
        }
        score.right[index] += usize::from(KINDS[index].accepted.contains(&judgement.verdict));
    }
    score
}

#[test]
fn the_corpus_is_judged_with_precision_and_recall() {
    for (samples, recall, precision) in [(30, 0.80, 0.95), (60, 0.90, 0.95), (120, 0.90, 0.95)] {
        let (mut found, mut missed, mut wrong) = (0, 0, 0);
        let mut right = vec![0; KINDS.len()];
        for seed in 1..=5 {
            let score = score(samples, seed);
            (found, missed, wrong) = (found + score.found, missed + score.missed, wrong + score.wrong);
            right.iter_mut().zip(&score.right).for_each(|(sum, part)| *sum += part);
        }
        let (hit, sure) = (found as f64 / (found + missed) as f64, found as f64 / (found + wrong).max(1) as f64);
        println!("{samples} samples: recall {hit:.3}, precision {sure:.3}");
        for (kind, right) in KINDS.iter().zip(&right) {
            let count = 5 * if kind.name == "still" { STILL } else { EACH };
            println!("  {:28} {:5.1} %", kind.name, *right as f64 / count as f64 * 100.0);
        }
        assert!(hit >= recall, "recall {hit} of {samples} samples");
        assert!(sure >= precision, "precision {sure} of {samples} samples");
    }
}
