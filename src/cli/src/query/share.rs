// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The right-hand sides of comparisons with hundredths, which are seldom whole.

use std::ops::{Bound, RangeBounds};

use super::test::{number, range};
use super::Op;

/// A test of a number of hundredths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    range: (Bound<f64>, Bound<f64>),
    /// Whether what is tested is cut to whole ones: `=16` means what begins with 16.
    cut: bool,
}

impl Share {
    /// The test, and whether it is to fail, that `op value` asks for. `value` may be a range, `10-90`, for `=` and `!=`.
    ///
    /// # Errors
    ///
    /// If `value` is no number or range, or `op` is not for numbers.
    pub fn new(op: Op, value: &str) -> Result<(Share, bool), String> {
        let range = match op {
            Op::Equal | Op::NotEqual => {
                let (least, most) = range(value, hundredths)?;
                (Bound::Included(least), Bound::Included(most))
            }
            Op::AtLeast => (Bound::Included(hundredths(value)?), Bound::Unbounded),
            Op::AtMost => (Bound::Unbounded, Bound::Included(hundredths(value)?)),
            Op::Above => (Bound::Excluded(hundredths(value)?), Bound::Unbounded),
            Op::Below => (Bound::Unbounded, Bound::Excluded(hundredths(value)?)),
            Op::Match | Op::NoMatch => return Err("numbers are compared with =, !=, <, <=, > or >=".into()),
        };
        let cut = matches!(op, Op::Equal | Op::NotEqual) && !value.contains('.');
        Ok((Share { range, cut }, op == Op::NotEqual))
    }

    /// Whether facts of that name are hundredths.
    pub(super) fn is_of(field: &str) -> bool {
        matches!(field, "percent" | "waste" | "waste%")
    }

    /// Whether `value` passes.
    pub fn passes(&self, value: f64) -> bool {
        self.range.contains(&if self.cut { value.trunc() } else { value })
    }
}

/// A number of hundredths: one with decimals, or whatever else is a number.
fn hundredths(text: &str) -> Result<f64, String> {
    let is_decimal = |c: char| c.is_ascii_digit() || c == '.';
    let decimal = text.strip_prefix('-').unwrap_or(text);
    match text.parse() {
        Ok(value) if decimal.contains('.') && decimal.chars().all(is_decimal) => Ok(value),
        // CAST: beyond 2^53 hundredths the last bits are lost, which nobody compares with.
        _ => number(text).map(|number| number as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hundredths_are_compared_as_they_are_and_equal_whole_ones() {
        for (op, value, inside, outside) in [
            (Op::Above, "0", vec![0.9, 0.001], vec![0.0, -0.9]),
            (Op::AtLeast, "1", vec![1.0], vec![0.99]),
            (Op::Below, "0", vec![-0.5], vec![0.0, 0.5]),
            (Op::AtMost, "16", vec![16.0, 15.9], vec![16.1]),
            (Op::Above, "0.5", vec![0.51], vec![0.5]),
            (Op::Below, "-0.5", vec![-0.6], vec![-0.5]),
            (Op::Equal, "16", vec![16.0, 16.7], vec![15.9, 17.0]),
            (Op::Equal, "-50", vec![-50.0, -50.9], vec![-49.9, -51.0]),
            (Op::Equal, "16.5", vec![16.5], vec![16.0, 16.7]),
            (Op::Equal, "10-90", vec![10.0, 90.9], vec![9.9, 91.0]),
            (Op::NotEqual, "0", vec![1.0, -1.0], vec![0.9, -0.9]),
            (Op::Above, "1k", vec![1024.5], vec![1024.0]),
        ] {
            let (test, inverted) = Share::new(op, value).unwrap();
            assert!(inside.iter().all(|&number| test.passes(number) != inverted), "{op:?} {value}");
            assert!(outside.iter().all(|&number| test.passes(number) == inverted), "{op:?} {value}");
        }
        for (op, value) in [
            (Op::Above, "x"),
            (Op::Above, "inf"),
            (Op::Above, "1e3"),
            (Op::Above, "1.2.3"),
            (Op::Above, "."),
            (Op::Equal, "9-1"),
            (Op::Match, "1"),
        ] {
            assert!(Share::new(op, value).is_err(), "{op:?} {value}");
        }
    }
}
