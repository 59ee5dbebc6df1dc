// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How sure a mean is of values that resemble their neighbours.
//!
//! Their long-run variance is that of their slowest swings: of the projections on the first few cosines (the equally
//! weighted cosine estimator of Lazarus, Lewis, Stock and Watson 2018). Mean over error then has Student's distribution with
//! as many degrees of freedom as there are cosines. A load that returns more often than these swing is not counted
//! against the mean, which it does not move; a walk is.

use std::f64::consts::PI;

/// The probability that the mean of values is this far above zero if it is zero in truth.
pub fn mean_p_value(values: &[f64]) -> f64 {
    // CAST: numbers of samples.
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    p_value(mean, values.iter().map(|value| value - mean), n)
}

/// The probability that points on a line rise this steeply if they do not in truth: by least squares, `residuals` being what
/// the line leaves. They must be equally far apart.
pub fn trend_p_value(values: &[f64]) -> f64 {
    // CAST: numbers of samples.
    let n = values.len() as f64;
    let middle = (n - 1.0) / 2.0;
    let mean = values.iter().sum::<f64>() / n;
    let at = |place: usize| place as f64 - middle;
    let spread = (n * n - 1.0) / 12.0;
    let slope = values.iter().enumerate().map(|(place, value)| at(place) * value).sum::<f64>() / (n * spread);
    let scores = values.iter().enumerate().map(|(place, value)| at(place) * (value - mean - slope * at(place)));
    p_value(slope * spread, scores, n)
}

/// The probability of `mean`, of `n` values whose deviations from it are these.
fn p_value(mean: f64, deviations: impl Iterator<Item = f64>, n: f64) -> f64 {
    let cosines = cosines(n);
    let mut sums = vec![0.0; cosines];
    for (place, deviation) in deviations.enumerate() {
        for (index, sum) in sums.iter_mut().enumerate() {
            // CAST: numbers of samples.
            *sum += deviation * (PI * (index + 1) as f64 * (place as f64 + 0.5) / n).cos();
        }
    }
    let variance = sums.iter().map(|sum| sum * sum * 2.0 / n).sum::<f64>() / cosines as f64;
    if variance <= 0.0 {
        return if mean > 0.0 { 0.0 } else { 1.0 };
    }
    student_upper_tail(mean / (variance / n).sqrt(), cosines)
}

/// The most cosines taken. The sixth swings three times, so a load that returns more often is told from a walk.
const MOST_COSINES: usize = 6;

/// How many cosines are taken of `n` values: 0.4 n^(2/3), as its authors advise, as an even number.
fn cosines(n: f64) -> usize {
    // CAST: a small positive number.
    (2 * (0.2 * libm::cbrt(n * n)).round() as usize).clamp(2, MOST_COSINES)
}

/// The probability that a variable of Student's distribution is above `t`. `freedom` must be even, for which there is a
/// closed form (Abramowitz and Stegun 26.7.4).
fn student_upper_tail(t: f64, freedom: usize) -> f64 {
    // CAST: a small number.
    let squared = 1.0 / (1.0 + t * t / freedom as f64);
    let (mut term, mut sum) = (1.0, 1.0);
    for k in (2..freedom).step_by(2) {
        term *= squared * (k - 1) as f64 / k as f64;
        sum += term;
    }
    let sine = t / (t * t + freedom as f64).sqrt();
    ((1.0 - sine * sum) / 2.0).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_distribution_is_that_of_the_tables() {
        for (t, freedom, p) in [
            (4.302_652_73, 2, 0.025),
            (2.776_445_1, 4, 0.025),
            (2.446_911_85, 6, 0.025),
            (3.707_428_02, 6, 0.005),
            (-2.446_911_85, 6, 0.975),
            (0.0, 4, 0.5),
        ] {
            assert!((student_upper_tail(t, freedom) - p).abs() < 1e-8, "{t} {freedom}");
        }
        assert!(student_upper_tail(1e12, 6) < 1e-12);
    }

    #[test]
    fn few_cosines_are_taken_of_few_values() {
        assert_eq!([8.0, 30.0, 60.0, 480.0].map(cosines), [2, 4, 6, 6]);
    }

    #[test]
    fn a_load_that_returns_is_not_held_against_a_trend() {
        let wave = |cycles: f64| move |at: u32| (f64::from(at) / 60.0 * cycles * 2.0 * PI).sin();
        let with_trend = |cycles| (0..60).map(|at| f64::from(at) / 20.0 + wave(cycles)(at)).collect::<Vec<_>>();
        assert!(trend_p_value(&with_trend(5.0)) < 1e-3, "{}", trend_p_value(&with_trend(5.0)));
        assert!(trend_p_value(&with_trend(1.0)) > 0.05, "{}", trend_p_value(&with_trend(1.0)));
        let without: Vec<f64> = (0..60).map(wave(5.0)).collect();
        assert!(trend_p_value(&without) > 0.05, "{}", trend_p_value(&without));
    }

    #[test]
    fn means_of_what_has_no_doubt_are_sure() {
        assert_eq!([mean_p_value(&[2.0; 20]), mean_p_value(&[-2.0; 20]), mean_p_value(&[0.0; 20])], [0.0, 1.0, 1.0]);
        assert!(mean_p_value(&[1.0, -1.0].repeat(10)) > 0.4);
    }
}
