// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Behaviours that no limit was set by. To keep it so, do not change a limit to please them.

use std::f64::consts::TAU;

use super::{times, Kind};
use crate::trend::Verdict::{Bounded, Leak, Noise, Sawtooth, Step};

/// All of them.
pub(super) const KINDS: &[Kind] = &[
    Kind {
        name: "leak, in bursts",
        leaks: true,
        accepted: &[Leak],
        make: |n, r| {
            let mut held = 1000.0;
            times(n, |_| {
                if r.even() < 0.25 {
                    held += 20.0 + 200.0 * r.even();
                }
                held
            })
        },
    },
    Kind {
        name: "leak, that begins late",
        leaks: true,
        accepted: &[Leak],
        make: |n, r| {
            let (size, from) = (3000.0 + 3000.0 * r.even(), 0.2 + 0.3 * r.even());
            times(n, |t| 2000.0 + size * (t - from).max(0.0) + 0.02 * size * r.normal())
        },
    },
    Kind {
        name: "leak, by the root of time",
        leaks: true,
        accepted: &[Leak],
        make: |n, r| {
            let size = 2000.0 + 4000.0 * r.even();
            times(n, |t| 1000.0 + size * t.sqrt() + 0.02 * size * r.normal())
        },
    },
    Kind {
        name: "leak, idle at times",
        leaks: true,
        accepted: &[Leak],
        make: |n, r| {
            let (size, days, phase) = (1000.0 + 4000.0 * r.even(), 4.0 + 4.0 * r.even(), r.even());
            let mut held = 1000.0;
            times(n, |t| {
                if (t * days + phase).fract() < 0.6 {
                    held += size / n as f64;
                }
                held
            })
        },
    },
    Kind {
        name: "leak, spikes on it",
        leaks: true,
        accepted: &[Leak],
        make: |n, r| {
            let size = 1000.0 + 4000.0 * r.even();
            times(n, |t| 1000.0 + size * t + if r.even() < 0.08 { 3.0 * size * r.even() } else { 0.0 })
        },
    },
    Kind {
        name: "leak, beneath a busy queue",
        leaks: true,
        accepted: &[Leak],
        make: |n, r| {
            let (size, mut queue) = (3000.0 + 3000.0 * r.even(), 0.0);
            times(n, |t| {
                queue = (0.6 * queue + 0.08 * size * r.normal()).abs();
                1000.0 + size * t + queue
            })
        },
    },
    Kind {
        name: "leak, under load on and off",
        leaks: true,
        accepted: &[Leak],
        make: |n, r| {
            let (size, days, phase) = (3000.0 + 2000.0 * r.even(), 4.0 + 4.0 * r.even(), r.even());
            times(n, |t| 1000.0 + size * t + if (t * days + phase).fract() < 0.4 { 0.2 * size } else { 0.0 })
        },
    },
    Kind {
        name: "cache that fills and is full",
        leaks: false,
        accepted: &[Bounded, Step],
        make: |n, r| {
            let (size, until) = (2000.0 + 5000.0 * r.even(), 0.2 + 0.35 * r.even());
            times(n, |t| 500.0 + size * (t / until).min(1.0) + 0.01 * size * r.normal())
        },
    },
    Kind {
        name: "two steps",
        leaks: false,
        accepted: &[Step, Bounded, Noise],
        make: |n, r| {
            let (size, a, b) = (2000.0 + 3000.0 * r.even(), 0.15 + 0.2 * r.even(), 0.5 + 0.3 * r.even());
            times(n, |t| 500.0 + size * (f64::from(t > a) + f64::from(t > b)) + 0.02 * size * r.normal())
        },
    },
    Kind {
        name: "pulse",
        leaks: false,
        accepted: &[Noise, Step, Sawtooth],
        make: |n, r| {
            let (size, from) = (3000.0, 0.2 + 0.3 * r.even());
            times(n, |t| 500.0 + if t > from && t < from + 0.3 { size } else { 0.0 } + 0.02 * size * r.normal())
        },
    },
    Kind {
        name: "spikes",
        leaks: false,
        accepted: &[Noise, Sawtooth],
        make: |n, r| times(n, |_| 2000.0 + 30.0 * r.normal() + if r.even() < 0.06 { 5000.0 * r.even() } else { 0.0 }),
    },
    Kind {
        name: "two levels, to and fro",
        leaks: false,
        accepted: &[Noise, Step, Sawtooth],
        make: |n, r| {
            let mut high = false;
            times(n, |_| {
                high ^= r.even() < 0.15;
                1000.0 + 2000.0 * f64::from(high) + 30.0 * r.normal()
            })
        },
    },
    Kind {
        name: "days and weeks",
        leaks: false,
        accepted: &[Noise, Sawtooth],
        make: |n, r| {
            let (weeks, phase) = (1.5 + 1.5 * r.even(), r.even());
            times(n, |t| {
                let (day, week) = ((t * weeks * 7.0 + phase) * TAU, (t * weeks + phase) * TAU);
                5000.0 + 800.0 * day.sin() + 800.0 * week.sin() + 60.0 * r.normal()
            })
        },
    },
    Kind {
        name: "load that grows noisier",
        leaks: false,
        accepted: &[Noise, Sawtooth],
        make: |n, r| times(n, |t| 6000.0 + (200.0 + 1500.0 * t) * r.normal()),
    },
    Kind {
        name: "teeth of any length",
        leaks: false,
        accepted: &[Sawtooth, Noise],
        make: |n, r| {
            let mut held = 0.0;
            times(n, |_| {
                held += 300.0 * r.even();
                if held > 1500.0 && r.even() < 0.4 {
                    held = 0.0;
                }
                1000.0 + held
            })
        },
    },
    Kind {
        name: "queue",
        leaks: false,
        accepted: &[Noise, Sawtooth, Step, Bounded],
        make: |n, r| {
            let mut held: f64 = 500.0 * r.even();
            times(n, |_| {
                held = (held + 150.0 * r.normal() - 20.0).max(0.0);
                held
            })
        },
    },
    Kind {
        name: "neighbours nearly the same",
        leaks: false,
        accepted: &[Noise, Sawtooth, Step, Bounded],
        make: |n, r| {
            let mut held = 600.0 * r.normal();
            times(n, |_| {
                held = 0.95 * held + 200.0 * r.normal();
                8000.0 + held
            })
        },
    },
];
