// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Mann-Kendall: is there a trend at all? Counts the pairs of points that rise against those that fall.

use super::median::median;
use super::Point;

/// The quantile of the normal distribution that leaves 5 % above it.
const Z_95_ONE_SIDED: f64 = 1.644_853_626_951_473;

/// S: how many more pairs of points rise than fall.
pub fn score(points: &[Point]) -> i64 {
    let mut score = 0;
    for (index, &(_, x)) in points.iter().enumerate() {
        for &(_, y) in &points[index + 1..] {
            score += i64::from(y > x) - i64::from(y < x);
        }
    }
    score
}

/// The variance of S if there were no trend, with equal values taken into account.
pub fn variance(points: &[Point]) -> f64 {
    let mut values: Vec<f64> = points.iter().map(|point| point.1).collect();
    values.sort_unstable_by(f64::total_cmp);
    // CAST: numbers of samples.
    let term = |n: usize| (n as f64) * (n as f64 - 1.0) * (2.0 * n as f64 + 5.0);
    let ties: f64 = values.chunk_by(|a, b| a == b).map(|tie| term(tie.len())).sum();
    (term(values.len()) - ties) / 18.0
}

/// The probability that S is this large or larger without any upward trend. `inflation` multiplies the variance.
pub fn p_value(score: i64, variance: f64, inflation: f64) -> f64 {
    if variance <= 0.0 {
        return 1.0;
    }
    // S takes every other integer: half of the gap is the continuity correction.
    // CAST: numbers of pairs.
    let corrected = (score - score.signum()) as f64;
    upper_tail(corrected / (variance * inflation).sqrt())
}

/// The probability that a standard normal variable is above `z`.
pub fn upper_tail(z: f64) -> f64 {
    libm::erfc(z / std::f64::consts::SQRT_2) / 2.0
}

/// By what autocorrelation multiplies the variance of S, after Hamed and Rao (1998); at least 1.
///
/// Neighbouring samples of memory in use resemble each other. n of them say as much as n divided by this would if
/// they did not. The trend itself, `slope` per second, is taken out first, or it would be held against itself.
pub fn inflation(points: &[Point], slope: f64) -> f64 {
    let residuals = residuals(points, slope);
    let ranks = ranks(&residuals);
    // CAST: numbers of samples.
    let n = ranks.len() as f64;
    let significant = 1.96 / n.sqrt();
    let mut sum = 0.0;
    // Correlations over more than half of the series rest on too few pairs to be estimated.
    for lag in 1..=ranks.len() / 2 {
        let correlation = autocorrelation(&ranks, lag);
        if correlation.abs() > significant {
            let k = lag as f64;
            sum += (n - k) * (n - k - 1.0) * (n - k - 2.0) * correlation;
        }
    }
    (1.0 + 2.0 / (n * (n - 1.0) * (n - 2.0)) * sum).max(1.0)
}

/// What is left of the values without the trend.
pub fn residuals(points: &[Point], slope: f64) -> Vec<f64> {
    let values: Vec<f64> = points.iter().map(|&(time, value)| value - slope * (time - points[0].0)).collect();
    let middle = median(values.iter().copied());
    // Rounding makes no residual of a line.
    let scale = points.iter().map(|point| point.1.abs()).fold(1.0, f64::max);
    values.iter().map(|value| value - middle).map(|r| if r.abs() < scale * 1e-9 { 0.0 } else { r }).collect()
}

/// The correlation of values with those `lag` places on; 0 if all are equal.
pub fn autocorrelation(values: &[f64], lag: usize) -> f64 {
    // CAST: numbers of samples.
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let total: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    if total == 0.0 {
        return 0.0;
    }
    let common: f64 = values.iter().zip(&values[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum();
    common / total
}

/// Whether neighbouring values resemble each other, and not by a chance of one in twenty.
pub fn resemble(values: &[f64]) -> bool {
    // CAST: a number of samples.
    autocorrelation(values, 1) > Z_95_ONE_SIDED / (values.len() as f64).sqrt()
}

/// The ranks of values from 1; equal values share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for tie in order.chunk_by(|&a, &b| values[a] == values[b]) {
        // CAST: numbers of samples.
        let rank = below as f64 + (tie.len() as f64 + 1.0) / 2.0;
        tie.iter().for_each(|&place| ranks[place] = rank);
        below += tie.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[f64]) -> Vec<Point> {
        values.iter().enumerate().map(|(time, &value)| (time as f64, value)).collect()
    }

    #[test]
    fn score_and_variance_are_those_of_the_textbook() {
        // n (n - 1) (2n + 5) / 18, less 2 * 1 * 9 / 18 for a pair of equals and 3 * 2 * 11 / 18 for three.
        for (values, s, var) in [
            (&[1.0, 2.0, 3.0, 4.0, 5.0][..], 10, 300.0 / 18.0),
            (&[5.0, 4.0, 3.0, 2.0, 1.0], -10, 300.0 / 18.0),
            (&[1.0, 1.0, 2.0, 3.0, 4.0], 9, 282.0 / 18.0),
            (&[1.0, 1.0, 1.0, 3.0, 4.0], 7, 234.0 / 18.0),
            (&[7.0, 7.0, 7.0, 7.0, 7.0], 0, 0.0),
        ] {
            let points = points(values);
            assert_eq!(score(&points), s, "{values:?}");
            assert!((variance(&points) - var).abs() < 1e-9, "{values:?}");
        }
    }

    #[test]
    fn p_values_are_those_of_the_normal_distribution() {
        for (z, p) in [(0.0, 0.5), (1.644_853_626_951, 0.05), (-1.644_853_626_951, 0.95), (6.0, 9.865_876e-10)] {
            assert!((upper_tail(z) - p).abs() < p * 1e-6, "{z}");
        }
        // Ten rising values: S = 45, variance 125, z = 44 / 11.18.
        assert!((p_value(45, 125.0, 1.0) - 4.151535e-05).abs() < 1e-9);
        assert!(p_value(45, 125.0, 4.0) > 0.02);
        assert_eq!(p_value(0, 0.0, 1.0), 1.0);
    }

    #[test]
    fn likeness_of_neighbours_inflates_the_variance_and_a_line_does_not() {
        let line: Vec<f64> = (0..40).map(|i| 0.1 * f64::from(i)).collect();
        assert_eq!(inflation(&points(&line), 0.1), 1.0);
        let waves: Vec<f64> = (0..40).map(|i| (f64::from(i) / 6.0).sin()).collect();
        assert!(inflation(&points(&waves), 0.0) > 2.0);
    }

    #[test]
    fn equal_values_share_a_rank() {
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 9.0]), [2.5, 1.0, 2.5, 4.0]);
    }
}
