// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The value in the middle.

/// The median of values; zero of none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_unstable_by(f64::total_cmp);
    of_sorted(&values)
}

/// The median of values in order; zero of none.
pub(super) fn of_sorted(values: &[f64]) -> f64 {
    match values.len() {
        0 => 0.0,
        length if length % 2 == 1 => values[length / 2],
        length => (values[length / 2 - 1] + values[length / 2]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_even_and_odd_numbers() {
        assert_eq!((median([3.0, 1.0, 2.0]), median([4.0, 1.0, 2.0, 3.0]), median([])), (2.0, 2.5, 0.0));
    }
}
