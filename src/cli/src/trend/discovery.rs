// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Many tests at once.

/// The Benjamini-Hochberg q-values of some p-values: the least false discovery rate at which each would be reported.
///
/// Of the discoveries with q ≤ 0.05, no more than one in twenty is expected to be false, however many tests there were.
pub fn q_values(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[b].total_cmp(&p_values[a]));
    let mut q_values = vec![1.0; p_values.len()];
    let mut least = 1.0_f64;
    for (index, &place) in order.iter().enumerate() {
        let rank = p_values.len() - index;
        // CAST: numbers of call sites fit.
        least = least.min(p_values[place] * p_values.len() as f64 / rank as f64);
        q_values[place] = least;
    }
    q_values
}

#[cfg(test)]
mod tests {
    use super::q_values;

    #[test]
    fn q_values_are_those_of_r() {
        // p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.9), "BH")
        let expected = [0.025, 0.05, 0.05, 0.025, 0.9];
        for (found, expected) in q_values(&[0.01, 0.04, 0.03, 0.005, 0.9]).iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert!(q_values(&[]).is_empty());
        assert_eq!(q_values(&[0.3]), [0.3]);
    }
}
