// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! One line of a profile.

use std::fmt;

use serde::Serialize;

use super::{Backing, Name, Numbers, Site};

/// What a kernel added behind a row and this tool has no field for: `key:value`, or a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// What stands before the colon, or the word.
    pub key: Name,
    /// What stands behind it; empty for a word.
    pub value: Name,
}

impl fmt::Display for Pair {
    /// As the kernel printed it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)?;
        if self.value.is_empty() {
            return Ok(());
        }
        write!(f, ":{}", self.value)
    }
}

/// What one call site holds.
///
/// # Invariants
///
/// The magnitudes of the `bytes` of all rows of a profile add up to less than
/// [`MAGNITUDE_LIMIT`](super::MAGNITUDE_LIMIT), and so do those of `calls`: no sum or difference of rows overflows. Nor do those of
/// the `numbers`, which stop there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Where.
    pub site: Site,
    /// Live bytes. The kernel adds up per-CPU counters without stopping them, so a small negative value is legal.
    pub bytes: i64,
    /// Live allocations. May be negative for the same reason, although the kernel prints it unsigned.
    pub calls: i64,
    /// `false` if the kernel says that only changes of the counters can be trusted, not their values.
    pub accurate: bool,
    /// Whether the ioctl may have cut off the beginning of a name, keeping its last 63 bytes.
    pub clipped: bool,
    /// How many rows of the source had this site: static inline functions of headers repeat theirs in every file.
    pub merged: u32,
    /// What the kernel counts besides.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// What else the kernel said, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<Pair>,
}

impl Row {
    /// The row of a site that holds nothing.
    pub fn empty(site: Site) -> Self {
        Row {
            site,
            bytes: 0,
            calls: 0,
            accurate: true,
            clipped: false,
            merged: 1,
            numbers: Numbers::NONE,
            extra: Vec::new(),
        }
    }

    /// Bytes per live allocation, rounded to nearest; `None` without any.
    pub fn average(&self) -> Option<i64> {
        average(self.bytes, self.calls)
    }

    /// What this row's memory is the backing store of; `None` for an ordinary row.
    pub fn backing(&self) -> Option<Backing> {
        Backing::of(&self.site)
    }

    /// The value that the kernel gave for `key`, if any.
    pub fn extra(&self, key: &str) -> Option<&str> {
        self.extra.iter().find(|pair| pair.key == key).map(|pair| pair.value.as_str())
    }
}

/// `bytes` per call, rounded to nearest; `None` if there is no live call to divide by.
pub fn average(bytes: i64, calls: i64) -> Option<i64> {
    if calls <= 0 {
        return None;
    }
    let half = if bytes < 0 { -(calls / 2) } else { calls / 2 };
    Some(bytes.saturating_add(half) / calls)
}

#[cfg(test)]
mod tests {
    use super::average;

    #[test]
    fn an_average_rounds_to_nearest_and_needs_a_call() {
        for (bytes, calls, expected) in [
            (0, 0, None),
            (4096, 0, None),
            (4096, -1, None),
            (0, 3, Some(0)),
            (10, 4, Some(3)),
            (9, 4, Some(2)),
            (-10, 4, Some(-3)),
            (-9, 4, Some(-2)),
            (i64::MAX, 1, Some(i64::MAX)),
        ] {
            assert_eq!(average(bytes, calls), expected, "{bytes} / {calls}");
        }
    }
}
