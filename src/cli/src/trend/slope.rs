// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Theil-Sen: the median slope of all pairs of points. A quarter of the points may be nonsense and it hardly moves.

use super::median::of_sorted;
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

/// The slopes of all pairs of points, in order.
pub struct Slopes {
    sorted: Vec<f64>,
    /// The variance of Kendall's S over the same points.
    variance: f64,
}

impl Slopes {
    /// Those of points at increasing times.
    pub fn of(points: &[Point]) -> Slopes {
        let mut sorted = Vec::with_capacity(points.len() * points.len().saturating_sub(1) / 2);
        for (index, &(t, x)) in points.iter().enumerate() {
            sorted.extend(points[index + 1..].iter().map(|&(u, y)| (y - x) / (u - t)));
        }
        sorted.sort_unstable_by(f64::total_cmp);
        Slopes { sorted, variance: kendall::variance(points) }
    }

    /// Their median; zero of none.
    pub fn median(&self) -> f64 {
        of_sorted(&self.sorted)
    }

    /// The median with its bounds. `inflation` is by how much autocorrelation makes the variance larger: see
    /// [`kendall::inflation`].
    pub fn within(&self, inflation: f64) -> Slope {
        let slopes = &self.sorted;
        if slopes.is_empty() {
            return Slope::default();
        }
        // Sen (1968): Kendall's S, were it known, would lie within this of zero; so many pairs are out of order.
        let spread = Z_95 * (self.variance * inflation).sqrt();
        // CAST: counts of pairs, and places among them.
        let pairs = slopes.len() as f64;
        let at = |place: f64| slopes[(place.max(0.0) as usize).min(slopes.len() - 1)];
        Slope {
            estimate: self.median(),
            low: at(((pairs - spread) / 2.0).floor() - 1.0),
            high: at(((pairs + spread) / 2.0).ceil()),
        }
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
}
