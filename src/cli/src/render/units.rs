// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Sizes and times, with and without units.

use crate::time::span;

/// How sizes in bytes are written for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Units {
    /// Powers of 1024, as `free -h` writes them: `1.5Mi`.
    #[default]
    Iec,
    /// Powers of 1000: `1.6M`.
    Si,
    /// All digits.
    Raw,
}

/// Prefixes from 1,000 or 1,024 upwards; six reach past 2^63.
const PREFIXES: [&str; 6] = ["K", "M", "G", "T", "P", "E"];

impl Units {
    /// Writes nanoseconds: by three digits and the unit that fits, or by all digits.
    ///
    /// # Examples
    ///
    /// ```
    /// use alloctag::render::Units;
    /// assert_eq!(Units::Iec.time(48_211), "48.2us");
    /// assert_eq!(Units::Raw.time(48_211), "48211");
    /// ```
    pub fn time(self, ns: i64) -> String {
        match self {
            Units::Raw => ns.to_string(),
            _ => span::short(ns),
        }
    }

    /// Writes a size, rounded to a tenth of its unit.
    ///
    /// # Examples
    ///
    /// ```
    /// use alloctag::render::Units;
    /// assert_eq!(Units::Iec.format(1536), "1.5Ki");
    /// assert_eq!(Units::Si.format(1536), "1.5K");
    /// assert_eq!(Units::Raw.format(1536), "1536");
    /// ```
    pub fn format(self, bytes: i64) -> String {
        let (base, suffix) = match self {
            Units::Iec => (1024u64, "i"),
            Units::Si => (1000, ""),
            Units::Raw => return bytes.to_string(),
        };
        let sign = if bytes < 0 { "-" } else { "" };
        let magnitude = bytes.unsigned_abs();
        if magnitude < base {
            return format!("{sign}{magnitude}");
        }
        let mut unit = 1u128;
        for prefix in PREFIXES {
            unit *= u128::from(base);
            let tenths = (u128::from(magnitude) * 20 + unit) / (unit * 2);
            // 1023.96 becomes 1024.0, which is written as one of the next unit.
            if tenths < u128::from(base) * 10 {
                return format!("{sign}{}.{}{prefix}{suffix}", tenths / 10, tenths % 10);
            }
        }
        unreachable!("2^64 bytes are 16 Ei")
    }
}

/// A number of things: `1 row`, `5 rows`.
pub fn count(number: impl TryInto<u64>, thing: &str) -> String {
    match number.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {thing}"),
        number => format!("{number} {thing}s"),
    }
}

/// Hundredths, rounded to a tenth: `33.3%`. What rounds to nothing has no sign.
pub fn percent(hundredths: f64) -> String {
    // Adding zero makes -0 of the rounding 0.
    format!("{:.1}%", (hundredths * 10.0).round() / 10.0 + 0.0)
}

/// Reads a number with an optional sign, fraction and unit: `4096`, `64k`, `1.5M`, `2GB`, `-1MiB`.
///
/// As with `dd`, a bare letter and `Ki`, `KiB` count by 1024, `KB` by 1000. `None` if it is no number or too large.
///
/// # Examples
///
/// ```
/// use alloctag::render::units::parse;
/// assert_eq!(parse("1.5M"), Some(1_572_864));
/// assert_eq!(parse("2kB"), Some(2_000));
/// assert_eq!(parse("many"), None);
/// ```
pub fn parse(text: &str) -> Option<i64> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let digits_end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (digits, unit) = text.split_at(digits_end);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() || (digits.contains('.') && (fraction.is_empty() || unit.is_empty())) {
        return None;
    }
    let scale = scale(unit)?;
    let whole: i128 = whole.parse().ok()?;
    // Nine digits tell the bytes of a gigabyte apart; no more are accepted, so that nothing is dropped in silence.
    let denominator = 10i128.checked_pow(u32::try_from(fraction.len()).ok().filter(|&digits| digits <= 9)?)?;
    let part: i128 = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
    let magnitude = whole.checked_mul(scale)?.checked_add(part * scale / denominator)?;
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}

fn scale(unit: &str) -> Option<i128> {
    let mut letters = unit.chars();
    let Some(first) = letters.next() else { return Some(1) };
    let power = match first.to_ascii_uppercase() {
        'B' => return letters.as_str().is_empty().then_some(1),
        'K' => 1,
        'M' => 2,
        'G' => 3,
        'T' => 4,
        'P' => 5,
        'E' => 6,
        _ => return None,
    };
    let base: i128 = match letters.as_str() {
        "" | "i" | "iB" => 1024,
        "B" => 1000,
        _ => return None,
    };
    Some(base.pow(power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_to_nearest_and_never_show_1024_of_a_unit() {
        for (bytes, iec, si) in [
            (0, "0", "0"),
            (999, "999", "999"),
            (1000, "1000", "1.0K"),
            (1023, "1023", "1.0K"),
            (1024, "1.0Ki", "1.0K"),
            (-1536, "-1.5Ki", "-1.5K"),
            (127_664_128, "121.8Mi", "127.7M"),
            (1_048_524, "1023.9Ki", "1.0M"),
            (1_048_525, "1.0Mi", "1.0M"),
            (999_949, "976.5Ki", "999.9K"),
            (999_950, "976.5Ki", "1.0M"),
            (i64::MAX, "8.0Ei", "9.2E"),
            (i64::MIN, "-8.0Ei", "-9.2E"),
        ] {
            assert_eq!((Units::Iec.format(bytes).as_str(), Units::Si.format(bytes).as_str()), (iec, si), "{bytes}");
            assert_eq!(Units::Raw.format(bytes), bytes.to_string());
        }
    }

    #[test]
    fn shares_that_round_to_nothing_have_no_sign() {
        for (hundredths, expected) in
            [(0.0, "0.0%"), (-0.04, "0.0%"), (-0.06, "-0.1%"), (33.36, "33.4%"), (1e3, "1000.0%")]
        {
            assert_eq!(percent(hundredths), expected);
        }
    }

    #[test]
    fn numbers_are_read_with_their_units() {
        for (text, expected) in [
            ("0", Some(0)),
            ("4096", Some(4096)),
            ("4096B", Some(4096)),
            ("64k", Some(65_536)),
            ("64K", Some(65_536)),
            ("1Mi", Some(1 << 20)),
            ("1MiB", Some(1 << 20)),
            ("1MB", Some(1_000_000)),
            ("1.5M", Some(3 << 19)),
            ("-1G", Some(-(1 << 30))),
            ("7E", Some(7 << 60)),
            ("8E", None),
            ("-8E", Some(i64::MIN)),
            ("", None),
            ("-", None),
            ("k", None),
            ("1.5", None),
            ("1.M", None),
            (".5M", None),
            ("1.2.3M", None),
            ("1.0000000001G", None),
            ("1X", None),
            ("1Mx", None),
            ("1 M", None),
            ("+1", None),
            ("99999999999999999999999999999999999999999", None),
        ] {
            assert_eq!(parse(text), expected, "{text:?}");
        }
    }
}
