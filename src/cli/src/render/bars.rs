// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Histograms as bars, a line for each bucket.

use super::Units;
use crate::model::histogram::least;
use crate::model::Histogram;

/// Characters of the longest bar, where there is room for it.
const LONGEST: usize = 40;

/// A bar of `part` where `most` is `width` characters long; with eighths of a character where those can be shown. What is there at
/// all can be seen.
pub fn bar(part: u64, most: u64, width: usize, unicode: bool) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let steps = if unicode { width * 8 } else { width };
    let full = u128::try_from(steps).unwrap_or(0) * u128::from(part.min(most));
    let rounded = (full * 2 + u128::from(most)).checked_div(u128::from(most) * 2).unwrap_or(0);
    let filled = usize::try_from(rounded).unwrap_or(0).max(usize::from(part > 0)).min(steps);
    if unicode {
        format!("{}{}", "█".repeat(filled / 8), EIGHTHS[filled % 8])
    } else {
        "#".repeat(filled)
    }
}

/// The buckets from the first to the last that has something, one below the other, each with where it begins: `indent` is in front
/// of every line. Nothing of an empty histogram.
pub fn bars(histogram: &Histogram, units: Units, indent: &str, width: Option<usize>, unicode: bool) -> Vec<String> {
    let buckets = histogram.buckets();
    let there = |&count: &u64| count > 0;
    let (Some(first), Some(last)) = (buckets.iter().position(there), buckets.iter().rposition(there)) else {
        return Vec::new();
    };
    let shown = first..=last;
    let begins = |bucket| units.time(i64::try_from(least(bucket)).unwrap_or(i64::MAX));
    let names: Vec<String> = shown.clone().map(begins).collect();
    let counts: Vec<String> = shown.clone().map(|bucket| buckets[bucket].to_string()).collect();
    let widest = |texts: &[String]| texts.iter().map(String::len).max().unwrap_or(0);
    let (name, count) = (widest(&names), widest(&counts));
    let taken = indent.len() + name + count + 4;
    let room = width.map_or(LONGEST, |width| width.saturating_sub(taken).min(LONGEST));
    let most = buckets.iter().copied().max().unwrap_or(0);
    let lines = shown.zip(names.iter().zip(&counts)).map(|(bucket, (begins, number))| {
        let bar = bar(buckets[bucket], most, room, unicode);
        format!("{indent}{begins:>name$}  {number:>count$}  {bar}").trim_end().to_owned()
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::BUCKETS;

    #[test]
    fn what_is_there_at_all_can_be_seen() {
        for (part, most, ascii, unicode) in [
            (0, 10, "", ""),
            (0, 0, "", ""),
            (5, 10, "####", "████"),
            (10, 10, "########", "████████"),
            (1, 1_000_000, "#", "▏"),
            (1, 3, "###", "██▋"),
            (u64::MAX, u64::MAX, "########", "████████"),
            (7, 3, "########", "████████"),
        ] {
            assert_eq!(
                (bar(part, most, 8, false).as_str(), bar(part, most, 8, true).as_str()),
                (ascii, unicode),
                "{part}"
            );
        }
        assert_eq!(bar(1, 1, 0, true), "");
    }

    #[test]
    fn buckets_stand_below_one_another_and_within_the_width() {
        let mut buckets = [0; BUCKETS];
        (buckets[10], buckets[11], buckets[13]) = (3, 8, 100);
        let histogram = Histogram::of_buckets(buckets);
        let lines = bars(&histogram, Units::Iec, "  ", Some(26), false);
        assert_eq!(lines, ["  1.02us    3  #", "  2.05us    8  #", "  4.10us    0", "  8.19us  100  ###########"],);
        assert!(lines.iter().all(|line| line.len() <= 26));
        assert!(bars(&Histogram::default(), Units::Iec, "", None, true).is_empty());
    }
}
