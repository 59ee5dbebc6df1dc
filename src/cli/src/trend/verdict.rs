// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a site's history amounts to.

use std::fmt;

use super::discovery::q_values;
use super::slope::{Slope, Slopes};
use super::{kendall, longrun, shape, Point, Track};

/// What a site does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It grows, in bytes and in allocations, without an end in sight.
    Leak,
    /// It grew and has come to a bound, as caches do.
    Bounded,
    /// It went from one level to another, once.
    Step,
    /// It rises and is emptied again, as under reclaim.
    Sawtooth,
    /// It falls, and what is left after every rise does.
    Falling,
    /// Nothing that chance does not explain.
    Noise,
    /// There are too few samples to tell.
    Short,
}

impl Verdict {
    /// All, in the order in which they are shown.
    pub const ALL: [Verdict; 7] = [
        Verdict::Leak,
        Verdict::Bounded,
        Verdict::Step,
        Verdict::Sawtooth,
        Verdict::Falling,
        Verdict::Noise,
        Verdict::Short,
    ];

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Leak => "LEAK",
            Verdict::Bounded => "BOUNDED",
            Verdict::Step => "STEP",
            Verdict::Sawtooth => "SAWTOOTH",
            Verdict::Falling => "FALLING",
            Verdict::Noise => "NOISE",
            Verdict::Short => "SHORT",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What it takes to be called something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The share of false leaks among those reported that is accepted.
    pub false_discoveries: f64,
    /// Growth that matters, in bytes.
    pub growth: i64,
    /// Samples without which nothing is said.
    pub samples: usize,
}

impl Default for Limits {
    /// One false leak in twenty; a page; eight samples, from which on S is near enough to normal.
    fn default() -> Self {
        Limits { false_discoveries: 0.05, growth: 4096, samples: 8 }
    }
}

impl Limits {
    /// Whether so much growth matters.
    fn matter(&self, bytes: f64) -> bool {
        // CAST: a threshold of people's making.
        bytes >= self.growth.max(1) as f64
    }
}

/// What is known about a site.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// What it does.
    pub verdict: Verdict,
    /// Bytes a second.
    pub slope: Slope,
    /// The probability of such a trend without a cause, for this site alone: upwards, or downwards of what is falling.
    pub p: f64,
    /// The false discovery rate if this and all clearer sites are called leaks, or falling.
    pub q: f64,
    /// Bytes from the first level to the last.
    pub growth: f64,
}

/// Above this correlation of neighbours, what is left without the trend may be a random walk.
const WALKS: f64 = 0.6;

/// Level at which growth that has ended is believed. No leak is reported by it, so it need not withstand many tests.
const BELIEVED: f64 = 0.01;

/// Judges the tracks of all sites together.
pub fn judge(tracks: &[Track], limits: &Limits) -> Vec<Judgement> {
    let evidence: Vec<Evidence> = tracks.iter().map(|track| Evidence::of(track, limits)).collect();
    // A site that never changed was not asked: it would only water down the others.
    let asked: Vec<usize> = (0..tracks.len()).filter(|&place| evidence[place].asked).collect();
    let discoveries = |p: fn(&Evidence) -> f64| {
        let p_values: Vec<f64> = asked.iter().map(|&place| p(&evidence[place])).collect();
        let mut q = vec![1.0; tracks.len()];
        for (&place, value) in asked.iter().zip(q_values(&p_values)) {
            q[place] = value;
        }
        q
    };
    let (rises, falls) = (discoveries(|evidence| evidence.p), discoveries(|evidence| evidence.p_falls));
    let each = tracks.iter().zip(&evidence).zip(rises.into_iter().zip(falls));
    each.map(|((track, evidence), (q, q_falls))| evidence.judge(track, q, q_falls, asked.len(), limits)).collect()
}

/// What one track says by itself.
struct Evidence {
    /// Whether it is long enough and changes.
    asked: bool,
    slope: Slope,
    p: f64,
    /// The same downwards; 1 unless it has fallen by what matters.
    p_falls: f64,
    /// The first without regard to autocorrelation.
    naive_p: f64,
    growth: f64,
}

impl Evidence {
    fn of(track: &Track, limits: &Limits) -> Evidence {
        let points = &track.bytes;
        let (low, high) = if points.is_empty() { (0.0, 0.0) } else { shape::range(points) };
        let growth = if points.is_empty() { 0.0 } else { shape::growth(points) };
        if points.len() < limits.samples || low == high {
            return Evidence { asked: false, slope: Slope::default(), p: 1.0, p_falls: 1.0, naive_p: 1.0, growth };
        }
        let slopes = Slopes::of(points);
        let median = slopes.median();
        let inflation = kendall::inflation(points, median);
        let (score, variance) = (kendall::score(points), kendall::variance(points));
        let likeness = likeness_p_value(points, median);
        let p_falls = if limits.matter(-growth) && median < 0.0 {
            kendall::p_value(-score, variance, inflation).max(likeness_p_value(&shape::mirrored(points), -median))
        } else {
            1.0
        };
        Evidence {
            asked: true,
            slope: slopes.within(inflation),
            p: kendall::p_value(score, variance, inflation).max(likeness),
            p_falls,
            naive_p: kendall::p_value(score, variance, 1.0),
            growth,
        }
    }

    fn judge(&self, track: &Track, q: f64, q_falls: f64, asked: usize, limits: &Limits) -> Judgement {
        let verdict = self.verdict(track, q, asked, limits);
        if verdict == Verdict::Noise && self.falls(track, q_falls, limits) {
            return self.judgement(Verdict::Falling, self.p_falls, q_falls);
        }
        self.judgement(verdict, self.p, q)
    }

    fn judgement(&self, verdict: Verdict, p: f64, q: f64) -> Judgement {
        Judgement { verdict, slope: self.slope, p, q, growth: self.growth }
    }

    /// Whether it falls as surely as a leak grows. What has come to an end of it fell, too.
    fn falls(&self, track: &Track, q: f64, limits: &Limits) -> bool {
        self.slope.high < 0.0
            && q <= limits.false_discoveries
            && limits.matter(-self.growth)
            && shape::floor_rises(&shape::mirrored(&track.bytes))
    }

    fn verdict(&self, track: &Track, q: f64, asked: usize, limits: &Limits) -> Verdict {
        let points = &track.bytes;
        if points.len() < limits.samples {
            return Verdict::Short;
        }
        let matters = |bytes| limits.matter(bytes);
        let (low, high) = shape::range(points);
        if !matters(high - low) {
            return Verdict::Noise;
        }
        if shape::is_step(points) {
            return Verdict::Step;
        }
        let keeps = shape::floor_rises(points);
        if !keeps && shape::is_sawtooth(points) {
            return Verdict::Sawtooth;
        }
        if self.naive_p <= BELIEVED && matters(self.growth) && shape::is_bounded(points) {
            return Verdict::Bounded;
        }
        let objects = track.calls.len() < limits.samples || shape::growth(&track.calls) > 0.0;
        let grows = matters(self.growth) && keeps && objects && self.slope.estimate > 0.0;
        if grows && q <= limits.false_discoveries && self.slope.low > 0.0 {
            return Verdict::Leak;
        }
        if shape::is_sawtooth(points) {
            return Verdict::Sawtooth;
        }
        // Had it risen at every single sample, would that have been enough?
        if grows && best_p(points.len()) * asked as f64 > limits.false_discoveries {
            return Verdict::Short;
        }
        Verdict::Noise
    }
}

/// The probability of such a trend in values that resemble their neighbours; 0 if these do not.
///
/// A walk has no trend, and yet its values have one nearly always. Its steps have none.
fn likeness_p_value(points: &[Point], slope: f64) -> f64 {
    let values: Vec<f64> = points.iter().map(|point| point.1).collect();
    let residuals = kendall::residuals(points, slope);
    let level = if kendall::resemble(&residuals) { longrun::trend_p_value(&values) } else { 0.0 };
    // CAST: a number of samples.
    let n = values.len() as f64;
    // Estimated with the trend beside it, a correlation comes out too low by about (2 + 4 rho) / n (Kendall 1954).
    let likeness = (n * kendall::autocorrelation(&residuals, 1) + 2.0) / (n - 4.0);
    if likeness < WALKS {
        return level;
    }
    let steps: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let rises = steps.iter().filter(|&&step| step > 0.0).count();
    let falls = steps.iter().filter(|&&step| step < 0.0).count();
    if falls == 0 {
        // CAST: saturates at a probability that is 0 for all purposes.
        return 0.5_f64.powi(i32::try_from(rises).unwrap_or(i32::MAX));
    }
    level.max(longrun::mean_p_value(&steps))
}

/// The p-value of a series of that length that rises at every sample.
fn best_p(samples: usize) -> f64 {
    let points: Vec<Point> = (0..samples).map(|at| (at as f64, at as f64)).collect();
    kendall::p_value(kendall::score(&points), kendall::variance(&points), 1.0)
}
