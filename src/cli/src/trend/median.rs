// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The value in the middle.

/// The median of values; zero of none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    select(&mut values)
}

/// The same; the smaller half of `values` is then in front of the larger.
pub(super) fn select(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let length = values.len();
    let (smaller, &mut middle, _) = values.select_nth_unstable_by(length / 2, f64::total_cmp);
    match smaller.iter().copied().max_by(f64::total_cmp) {
        Some(below) if length.is_multiple_of(2) => (below + middle) / 2.0,
        _ => middle,
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
