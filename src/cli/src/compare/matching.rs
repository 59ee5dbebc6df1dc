// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Which call site of one kernel is which of another.
//!
//! Lines move from release to release. What is left over after each step goes to the next:
//!
//! 1. the same file, line, function and module;
//! 2. the same file, function and module: the first call of the function is the first, the second the second. Sites that
//!    step 1 has matched stay where they are, and only what lies between the same two of them can be the same;
//! 3. the same function and module in another file, if there is but one on either side: the code was moved.

use std::collections::HashMap;
use std::hash::Hash;

use crate::model::Row;

/// How sure a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Nothing differs.
    Exact,
    /// The line has moved; the function has as many calls as before.
    High,
    /// The line has moved; the function has more or fewer calls than before, so the wrong two may have been matched.
    Fair,
    /// The function is in another file; it may be another one of the same name.
    Low,
}

impl Confidence {
    /// All, from the surest on.
    pub const ALL: [Confidence; 4] = [Confidence::Exact, Confidence::High, Confidence::Fair, Confidence::Low];

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Confidence::Exact => "exact",
            Confidence::High => "high",
            Confidence::Fair => "fair",
            Confidence::Low => "low",
        }
    }
}

/// Two rows, by their places in the two lists, that are the same site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matched {
    /// The place in the earlier list.
    pub before: usize,
    /// The place in the later list.
    pub after: usize,
    /// How sure that is.
    pub confidence: Confidence,
}

/// Matches the rows of two profiles. No row is in two pairs.
pub fn pairs(before: &[&Row], after: &[&Row]) -> Vec<Matched> {
    let mut pairs = exact(before, after);
    in_place(before, after, &mut pairs);
    moved(before, after, &mut pairs);
    pairs
}

fn exact(before: &[&Row], after: &[&Row]) -> Vec<Matched> {
    fn key(row: &Row) -> (&str, u32, &str, Option<&str>) {
        (row.site.path(), row.site.line, row.site.func.as_str(), row.site.module.as_deref())
    }
    let mut places: HashMap<_, usize> = before.iter().enumerate().map(|(place, &row)| (key(row), place)).collect();
    let found = after.iter().enumerate().filter_map(|(after, &row)| {
        let before = places.remove(&key(row))?;
        Some(Matched { before, after, confidence: Confidence::Exact })
    });
    found.collect()
}

/// Matches by file, function, module and order.
fn in_place(before: &[&Row], after: &[&Row], pairs: &mut Vec<Matched>) {
    fn key(row: &Row) -> (&str, &str, Option<&str>) {
        (row.site.path(), row.site.func.as_str(), row.site.module.as_deref())
    }
    // For each function the exact matches: fixed points, between which the order tells.
    let mut fixed: HashMap<_, Vec<(u32, u32)>> = HashMap::new();
    for pair in pairs.iter() {
        let lines = (before[pair.before].site.line, after[pair.after].site.line);
        fixed.entry(key(before[pair.before])).or_default().push(lines);
    }
    fixed.values_mut().for_each(|lines| lines.sort_unstable());
    let stretch = |row: &Row, side: fn(&(u32, u32)) -> u32| {
        fixed.get(&key(row)).map_or(0, |lines| lines.partition_point(|pair| side(pair) < row.site.line))
    };
    let (left, right) = left_over(before, after, pairs);
    let old = grouped(before, &left, |row| (key(row), stretch(row, |pair| pair.0)));
    let new = grouped(after, &right, |row| (key(row), stretch(row, |pair| pair.1)));
    for (key, mut old) in old {
        let Some(mut new) = new.get(&key).cloned() else { continue };
        old.sort_by_key(|&place| before[place].site.line);
        new.sort_by_key(|&place| after[place].site.line);
        let confidence = if old.len() == new.len() { Confidence::High } else { Confidence::Fair };
        pairs.extend(old.into_iter().zip(new).map(|(before, after)| Matched { before, after, confidence }));
    }
}

/// Matches by function and module where that is unambiguous.
fn moved(before: &[&Row], after: &[&Row], pairs: &mut Vec<Matched>) {
    fn key(row: &Row) -> (&str, Option<&str>) {
        (row.site.func.as_str(), row.site.module.as_deref())
    }
    let (left, right) = left_over(before, after, pairs);
    let new = grouped(after, &right, key);
    for (key, old) in grouped(before, &left, key) {
        let (&[old], Some(&[new])) = (old.as_slice(), new.get(&key).map(Vec::as_slice)) else { continue };
        // In one file the order has spoken already.
        if before[old].site.path() != after[new].site.path() {
            pairs.push(Matched { before: old, after: new, confidence: Confidence::Low });
        }
    }
}

/// The places of both lists that are in no pair yet.
fn left_over(before: &[&Row], after: &[&Row], pairs: &[Matched]) -> (Vec<usize>, Vec<usize>) {
    let (mut old, mut new) = (vec![true; before.len()], vec![true; after.len()]);
    for pair in pairs {
        (old[pair.before], new[pair.after]) = (false, false);
    }
    let places = |left: Vec<bool>| left.iter().enumerate().filter(|(_, left)| **left).map(|(place, _)| place).collect();
    (places(old), places(new))
}

fn grouped<'r, K: Eq + Hash>(rows: &[&'r Row], places: &[usize], key: impl Fn(&'r Row) -> K) -> HashMap<K, Vec<usize>> {
    let mut groups: HashMap<K, Vec<usize>> = HashMap::new();
    for &place in places {
        groups.entry(key(rows[place])).or_default().push(place);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Site;

    /// Rows from `FILE:LINE:FUNC[:MODULE]`.
    fn rows(text: &str) -> Vec<Row> {
        let row = |word: &str| {
            let parts: Vec<&str> = word.split(':').collect();
            let line = parts[1].parse().unwrap();
            let module = parts.get(3).map(|&module| module.into());
            let site = Site { file: parts[0].into(), line, func: parts[2].into(), module };
            Row { bytes: 1, calls: 1, ..Row::empty(site) }
        };
        text.split_ascii_whitespace().map(row).collect()
    }

    fn refs(rows: &[Row]) -> Vec<&Row> {
        rows.iter().collect()
    }

    /// The pairs as `BEFORE>AFTER CONFIDENCE`, by places.
    fn matched(before: &str, after: &str) -> String {
        let (before, after) = (rows(before), rows(after));
        let mut pairs = pairs(&refs(&before), &refs(&after));
        pairs.sort_by_key(|pair| (pair.before, pair.after));
        let texts = pairs.iter().map(|pair| format!("{}>{} {}", pair.before, pair.after, pair.confidence.name()));
        texts.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn sites_are_found_again_by_ever_weaker_keys() {
        for (before, after, expected) in [
            ("a.c:1:f", "a.c:1:f", "0>0 exact"),
            ("./a.h:1:f", "a.h:1:f", "0>0 exact"),
            ("a.c:1:f", "a.c:9:f", "0>0 high"),
            // By order, not by nearness.
            ("a.c:10:f a.c:20:f", "a.c:19:f a.c:29:f", "0>0 high, 1>1 high"),
            ("a.c:20:f a.c:10:f", "a.c:29:f a.c:19:f", "0>0 high, 1>1 high"),
            ("a.c:10:f a.c:20:f", "a.c:15:f", "0>0 fair"),
            // What is exact divides the function.
            ("a.c:10:f a.c:20:f", "a.c:20:f a.c:30:f", "1>0 exact"),
            ("a.c:10:f a.c:20:f a.c:30:f", "a.c:12:f a.c:20:f a.c:34:f", "0>0 high, 1>1 exact, 2>2 high"),
            ("a.c:1:f", "b.c:7:f", "0>0 low"),
            ("a.c:1:f", "b.c:7:f c.c:7:f", ""),
            ("a.c:1:f b.c:1:f", "c.c:7:f", ""),
            ("a.c:1:f:m", "a.c:1:f", ""),
            ("a.c:1:f:m", "a.c:2:f:m", "0>0 high"),
            ("a.c:1:f", "a.c:1:g", ""),
            ("", "a.c:1:g", ""),
        ] {
            assert_eq!(matched(before, after), expected, "{before} | {after}");
        }
    }

    #[test]
    fn no_row_is_matched_twice() {
        let before = rows("a.c:1:f a.c:2:f a.c:3:f b.c:1:g c.c:1:g d.c:4:h");
        let after = rows("a.c:2:f a.c:3:f a.c:9:f a.c:11:f e.c:1:g d.c:5:h d.c:6:h");
        let pairs = pairs(&refs(&before), &refs(&after));
        for side in [|pair: &Matched| pair.before, |pair: &Matched| pair.after] {
            let mut places: Vec<usize> = pairs.iter().map(side).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), pairs.len());
        }
    }
}
