// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Small pictures of numbers over time.

/// Heights of a character, lowest first.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The same for terminals without those.
const MARKS: [char; 8] = ['_', '.', ',', '-', '=', '+', '*', '#'];

/// A line of characters as high as `values` are between the least and the largest of them. Equal values are all low.
///
/// # Examples
///
/// ```
/// use alloctag::top::spark::spark;
/// assert_eq!(spark(&[0, 50, 100], true), "▁▅█");
/// assert_eq!(spark(&[7, 7], false), "__");
/// ```
pub fn spark(values: &[i64], unicode: bool) -> String {
    chart(values, 1, unicode).concat()
}

/// The same over `height` lines, the top one first. Every column has at least its lowest mark.
pub fn chart(values: &[i64], height: usize, unicode: bool) -> Vec<String> {
    let marks = if unicode { BLOCKS } else { MARKS };
    let steps = marks.len() * height;
    let (Some(&least), Some(&most)) = (values.iter().min(), values.iter().max()) else {
        return vec![String::new(); height];
    };
    let range = i128::from(most) - i128::from(least);
    // From 1 to `steps`, rounded to nearest.
    let level = |value: i64| -> usize {
        if range == 0 || steps == 0 {
            return 1;
        }
        let top = i128::try_from(steps - 1).unwrap_or(0);
        let above = i128::from(value) - i128::from(least);
        1 + usize::try_from((above * top * 2 + range) / (range * 2)).unwrap_or(0)
    };
    let levels: Vec<usize> = values.iter().map(|&value| level(value)).collect();
    let row = |from_bottom: usize| {
        let mark = |&level: &usize| match level.saturating_sub(from_bottom * marks.len()) {
            0 => ' ',
            filled => marks[filled.min(marks.len()) - 1],
        };
        levels.iter().map(mark).collect()
    };
    (0..height).rev().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_is_low_and_the_largest_is_high() {
        for (values, unicode, expected) in [
            (&[][..], true, ""),
            (&[5], true, "▁"),
            (&[0, 1, 2, 3, 4, 5, 6, 7], true, "▁▂▃▄▅▆▇█"),
            (&[0, 1, 2, 3, 4, 5, 6, 7], false, "_.,-=+*#"),
            (&[-10, 0, 10], true, "▁▅█"),
            (&[i64::MIN, 0, i64::MAX], true, "▁▅█"),
        ] {
            assert_eq!(spark(values, unicode), expected, "{values:?}");
        }
    }

    #[test]
    fn a_chart_fills_from_below() {
        assert_eq!(chart(&[0, 8, 15], 2, true), [" ▁█", "▁██"]);
        assert_eq!(chart(&[3, 3], 3, true), ["  ", "  ", "▁▁"]);
        assert_eq!(chart(&[], 2, true), ["", ""]);
        assert!(chart(&[1, 2], 0, true).is_empty());
    }
}
