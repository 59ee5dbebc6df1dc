// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Behaviours that the limits of the verdicts were set by.

use super::{times, Kind};
use crate::trend::Verdict::{Bounded, Falling, Leak, Noise, Sawtooth, Step};

/// All of them.
pub(super) const KINDS: &[Kind] = &[
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
            times(n, |t| 500.0 + size * (t * teeth + phase).fract() + 0.05 * size * r.normal())
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
        accepted: &[Falling],
        make: |n, r| times(n, |t| 9000.0 - 4000.0 * t + 100.0 * r.normal()),
    },
];
