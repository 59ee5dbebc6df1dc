// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What growth looks like: a step, teeth, a curve that flattens.

use super::median::median;
use super::slope::Slope;
use super::{kendall, Point};

/// Share of the variance that one jump must explain. A straight line reaches 3/4; a jump of six standard deviations of
/// the noise around it, 9/10.
const STEP_EXPLAINS: f64 = 0.9;

/// Samples that must be on either side of a jump, to be called a level.
const LEVEL: usize = 3;

/// Share of the jump by which a level may drift.
const LEVEL_DRIFT: f64 = 0.2;

/// Share of the range by which values must turn for a tooth.
const TOOTH: f64 = 0.4;

/// Samples that a tooth must have at least: fewer cannot be told from noise.
const TOOTH_SAMPLES: usize = 5;

/// Share of the variance that straight lines from turn to turn must explain. Where the turns are is not known exactly, and a
/// fall at the wrong sample explains little.
const TEETH_EXPLAIN: f64 = 0.75;

/// Correlation of neighbours without which there are no teeth but noise.
const TEETH_LIKENESS: f64 = 0.1;

/// One in so many values may lie below what counts as the floor: the very least would be noise's.
const FLOOR: usize = 5;

/// Growth over the last third, as a share of the average, under which a curve has flattened. Growth towards a bound by
/// `1 - exp(-t / tau)` is there after three tau; growth by the square root of time never is.
const FLAT: f64 = 0.25;

/// Whether the values are two levels with one jump between them.
pub fn is_step(points: &[Point]) -> bool {
    let values = values(points);
    let splits = LEVEL..=values.len().saturating_sub(LEVEL);
    let left = splits.map(|at| (squares(&values[..at]) + squares(&values[at..]), at));
    let Some((rest, at)) = left.min_by(|a, b| a.0.total_cmp(&b.0)) else { return false };
    if rest > (1.0 - STEP_EXPLAINS) * squares(&values) {
        return false;
    }
    let (before, after) = points.split_at(at);
    let level = |side: &[Point]| median(side.iter().map(|point| point.1));
    let jump = (level(after) - level(before)).abs();
    [before, after].iter().all(|side| (Slope::of(side).estimate * span(side)).abs() < LEVEL_DRIFT * jump)
}

fn values(points: &[Point]) -> Vec<f64> {
    points.iter().map(|point| point.1).collect()
}

/// The sum of squares around the mean.
fn squares(values: &[f64]) -> f64 {
    // CAST: a number of samples.
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

/// Whether the values rise and fall at least twice, and do little else.
pub fn is_sawtooth(points: &[Point]) -> bool {
    let (low, high) = range(points);
    if low >= high {
        return false;
    }
    let turns = turns(points, TOOTH * (high - low));
    let falls = turns.windows(2).filter(|pair| points[pair[1]].1 < points[pair[0]].1).count();
    falls >= 2
        && points.len() / falls >= TOOTH_SAMPLES
        && kendall::autocorrelation(&values(points), 1) > TEETH_LIKENESS
        && explained(points, &turns) >= TEETH_EXPLAIN
}

/// The share of the variance that is explained by straight lines between the turns.
fn explained(points: &[Point], turns: &[usize]) -> f64 {
    let mut left = 0.0;
    for pair in turns.windows(2) {
        let ((from, low), (to, high)) = (points[pair[0]], points[pair[1]]);
        left += points[pair[0]..pair[1]]
            .iter()
            .map(|&(time, value)| value - low - (high - low) * (time - from) / (to - from))
            .map(|residual| residual * residual)
            .sum::<f64>();
    }
    1.0 - left / squares(&values(points))
}

/// The places at which the curve turns by `threshold` or more, with both ends.
fn turns(points: &[Point], threshold: f64) -> Vec<usize> {
    let mut turns = vec![0];
    let mut rising = None;
    let (mut low, mut high) = (0, 0);
    for (place, &(_, value)) in points.iter().enumerate() {
        if value < points[low].1 {
            low = place;
        }
        if value > points[high].1 {
            high = place;
        }
        if rising != Some(false) && points[high].1 - value >= threshold {
            turns.push(high);
            (rising, low) = (Some(false), place);
        } else if rising != Some(true) && value - points[low].1 >= threshold {
            turns.push(low);
            (rising, high) = (Some(true), place);
        }
    }
    turns.push(if rising == Some(false) { low } else { high });
    turns.push(points.len() - 1);
    turns.dedup();
    turns
}

/// Whether growth has come to an end within the values.
pub fn is_bounded(points: &[Point]) -> bool {
    let third = (points.len() / 3).max(LEVEL + 1).min(points.len());
    let late = Slope::of(&points[points.len() - third..]);
    let rate = growth(points) / span(points);
    rate > 0.0 && late.estimate < FLAT * rate && late.high < 2.0 * FLAT * rate
}

/// Whether the low values of each third rise: what comes back after every fall is not lost, what stays is.
///
/// They must do so by a third of the whole growth; those of a line do by two.
pub fn floor_rises(points: &[Point]) -> bool {
    let third = points.len() / 3;
    let floor = |part: &[Point]| {
        let mut values = values(part);
        values.sort_unstable_by(f64::total_cmp);
        values[values.len() / FLOOR]
    };
    let (first, rest) = points.split_at(third);
    let (second, last) = rest.split_at(third);
    let (a, b, c) = (floor(first), floor(second), floor(last));
    a <= b && b < c && c - a >= growth(points) / 3.0
}

/// The same upside down: what falls there rises here.
pub fn mirrored(points: &[Point]) -> Vec<Point> {
    points.iter().map(|&(time, value)| (time, -value)).collect()
}

/// From the level at the beginning to the level at the end: medians over a tenth of the samples, three at least.
pub fn growth(points: &[Point]) -> f64 {
    let edge = (points.len() / 10).max(LEVEL).min(points.len());
    let level = |part: &[Point]| median(part.iter().map(|point| point.1));
    level(&points[points.len() - edge..]) - level(&points[..edge])
}

/// Seconds from the first to the last.
pub fn span(points: &[Point]) -> f64 {
    points.last().map_or(0.0, |last| last.0 - points[0].0)
}

/// The least and the largest value.
pub fn range(points: &[Point]) -> (f64, f64) {
    points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| (low.min(point.1), high.max(point.1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(count: u32, value: impl Fn(f64) -> f64) -> Vec<Point> {
        (0..count).map(f64::from).map(|time| (time, value(time))).collect()
    }

    /// Step, teeth, bounded, rising floor.
    fn shapes(points: &[Point]) -> (bool, bool, bool, bool) {
        (is_step(points), is_sawtooth(points), is_bounded(points), floor_rises(points))
    }

    #[test]
    fn each_curve_has_its_shape_and_no_other() {
        let line = points(60, |t| 5.0 * t);
        let root = points(60, |t| 100.0 * t.sqrt());
        let step = points(60, |t| if t < 31.0 { 10.0 } else { 90.0 });
        let teeth = points(72, |t| t % 12.0);
        let bound = points(60, |t| 100.0 * (1.0 - (-t / 12.0).exp()));
        let rising_teeth = points(60, |t| t % 12.0 + t);
        assert_eq!(shapes(&line), (false, false, false, true));
        assert_eq!(shapes(&root), (false, false, false, true));
        assert!(is_step(&step) && !is_sawtooth(&step));
        assert_eq!(shapes(&teeth), (false, true, false, false));
        assert!(is_bounded(&bound) && !is_step(&bound) && !is_sawtooth(&bound));
        assert!(floor_rises(&rising_teeth));
    }

    #[test]
    fn short_and_flat_curves_have_no_shape() {
        for count in 1..6 {
            assert!(!is_step(&points(count, |t| t)));
            assert!(!is_sawtooth(&points(count, |_| 1.0)));
        }
        assert!(!is_sawtooth(&points(40, |_| 7.0)) && !floor_rises(&points(40, |_| 7.0)));
    }

    #[test]
    fn growth_is_between_levels_not_between_single_samples() {
        let spiked = points(60, |t| if t == 0.0 || t == 59.0 { 1000.0 } else { t });
        assert!((growth(&spiked) - 54.0).abs() < 2.0, "{}", growth(&spiked));
    }
}
