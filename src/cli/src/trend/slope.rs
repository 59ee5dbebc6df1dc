// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Theil-Sen: the median slope of all pairs of points. A quarter of the points may be nonsense and it hardly moves.

use super::median::select;
use super::{kendall, Point};

/// The quantile of the normal distribution that leaves 2.5 % on either side.
const Z_95: f64 = 1.959_963_984_540_054;

/// A slope, per second, with the bounds between which it lies with a confidence of 95 %.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slope {
    /// The estimate.
    pub estimate: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// The slopes of all pairs of points.
pub struct Slopes {
    /// Those before `middle` are no larger, those behind it no smaller: to put all in order would take most of a judgement's time.
    slopes: Vec<f64>,
    middle: usize,
    median: f64,
    /// The variance of Kendall's S over the same points.
    variance: f64,
}

impl Slopes {
    /// Those of points at increasing times.
    pub fn of(points: &[Point]) -> Slopes {
        let mut slopes = Vec::with_capacity(points.len() * points.len().saturating_sub(1) / 2);
        for (index, &(t, x)) in points.iter().enumerate() {
            slopes.extend(points[index + 1..].iter().map(|&(u, y)| (y - x) / (u - t)));
        }
        let middle = slopes.len() / 2;
        let median = select(&mut slopes);
        Slopes { slopes, middle, median, variance: kendall::variance(points) }
    }

    /// Their median; zero of none.
    pub fn median(&self) -> f64 {
        self.median
    }

    /// The median with its bounds. `inflation` is by how much autocorrelation makes the variance larger: see
    /// [`kendall::inflation`].
    pub fn within(mut self, inflation: f64) -> Slope {
        if self.slopes.is_empty() {
            return Slope::default();
        }
        // Sen (1968): Kendall's S, were it known, would lie within this of zero; so many pairs are out of order.
        let spread = Z_95 * (self.variance * inflation).sqrt();
        // CAST: counts of pairs, and places among them.
        let pairs = self.slopes.len() as f64;
        let mut at = |place: f64| self.at((place.max(0.0) as usize).min(self.slopes.len() - 1));
        let (low, high) = (at(((pairs - spread) / 2.0).floor() - 1.0), at(((pairs + spread) / 2.0).ceil()));
        Slope { estimate: self.median, low, high }
    }

    /// The slope that would be at `place` if they were in order.
    fn at(&mut self, place: usize) -> f64 {
        let (left, right) = self.slopes.split_at_mut(self.middle);
        let (side, place) = if place < left.len() { (left, place) } else { (right, place - self.middle) };
        *side.select_nth_unstable_by(place, f64::total_cmp).1
    }
}

impl Slope {
    /// The slope of points at increasing times whose neighbours do not resemble each other.
    pub fn of(points: &[Point]) -> Slope {
        Slopes::of(points).within(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[f64]) -> Vec<Point> {
        values.iter().enumerate().map(|(time, &value)| (time as f64, value)).collect()
    }

    #[test]
    fn a_line_has_its_slope_and_no_doubt() {
        let slope = Slopes::of(&points(&[1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0])).within(1.0);
        assert_eq!(slope, Slope { estimate: 2.0, low: 2.0, high: 2.0 });
        assert_eq!(Slopes::of(&points(&[5.0])).within(1.0), Slope::default());
    }

    #[test]
    fn outliers_do_not_move_it_and_noise_and_autocorrelation_widen_the_bounds() {
        let slope =
            Slopes::of(&points(&[0.0, 1.0, 2.0, 900.0, 4.0, 5.0, -900.0, 7.0, 8.0, 9.0, 10.0, 11.0])).within(1.0);
        assert!((slope.estimate - 1.0).abs() < 0.01, "{slope:?}");
        let shaken = Slopes::of(&points(&[0.0, 3.0, 1.0, 5.0, 2.0, 6.0, 9.0, 5.0, 10.0, 7.0, 12.0, 9.0])).within(1.0);
        assert!(shaken.low < shaken.estimate && shaken.estimate < shaken.high, "{shaken:?}");
        let doubted = Slopes::of(&points(&[0.0, 3.0, 1.0, 5.0, 2.0, 6.0, 9.0, 5.0, 10.0, 7.0, 12.0, 9.0])).within(4.0);
        assert!(doubted.low < shaken.low && doubted.high > shaken.high, "{doubted:?}");
    }

    #[test]
    fn bounds_are_those_that_putting_all_slopes_in_order_would_find() {
        let mut seed = 7u32;
        for count in 2..60 {
            let mut next = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                f64::from(seed >> 28)
            };
            let values: Vec<f64> = (0..count).map(|_| next()).collect();
            let points = points(&values);
            let mut sorted: Vec<f64> = Vec::new();
            for (index, from) in points.iter().enumerate() {
                sorted.extend(points[index + 1..].iter().map(|to| (to.1 - from.1) / (to.0 - from.0)));
            }
            sorted.sort_unstable_by(f64::total_cmp);
            for (place, &slope) in sorted.iter().enumerate() {
                assert_eq!(Slopes::of(&points).at(place), slope, "{count} {place}");
            }
            let (low, high) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
            assert_eq!(Slopes::of(&points).median(), (low + high) / 2.0, "{count}");
        }
    }
}
