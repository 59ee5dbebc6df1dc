// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How long something takes, as people write it.

use std::time::Duration;

/// Seconds in each unit.
const UNITS: [(&str, f64); 7] =
    [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("min", 60.0), ("h", 3600.0), ("d", 86_400.0), ("w", 604_800.0)];

/// Reads `10`, `0.5s`, `5m`, `2h`, `7d`. A bare number is seconds.
///
/// # Errors
///
/// If it is none.
pub fn parse(text: &str) -> Result<Duration, String> {
    let problem = || "no duration such as 30, 0.5s, 5m, 2h or 7d".to_owned();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let scale = if unit.is_empty() { 1.0 } else { UNITS.iter().find(|known| known.0 == unit).ok_or_else(problem)?.1 };
    let seconds = number.parse::<f64>().map_err(|_| problem())? * scale;
    Duration::try_from_secs_f64(seconds).map_err(|_| problem())
}

/// The same, but not nothing.
///
/// # Errors
///
/// If it is none, or zero.
pub fn interval(text: &str) -> Result<Duration, String> {
    parse(text).and_then(|found| if found.is_zero() { Err("must be more than nothing".to_owned()) } else { Ok(found) })
}

/// Nanoseconds in the units that times are shown in, the largest first.
const SHOWN: [(&str, u64); 7] = [
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("min", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// Nanoseconds by the largest unit of which there is one, rounded to three digits: `48.2us`, `1.50ms`, `12.0min`.
pub fn short(ns: i64) -> String {
    let sign = if ns < 0 { "-" } else { "" };
    let ns = u128::from(ns.unsigned_abs());
    let rounded = |scale: u128, size: u64| (ns * scale * 2 + u128::from(size)) / (u128::from(size) * 2);
    // 999.9us are one of the next unit.
    let there = |&&(_, size): &&(&str, u64)| rounded(1000, size) >= 1000;
    let (unit, size) = *SHOWN[..SHOWN.len() - 1].iter().find(there).unwrap_or(&SHOWN[SHOWN.len() - 1]);
    let (tenths, hundredths) = (rounded(10, size), rounded(100, size));
    match () {
        () if size == 1 => format!("{sign}{ns}{unit}"),
        () if hundredths < 1000 => format!("{sign}{}.{:02}{unit}", hundredths / 100, hundredths % 100),
        () if tenths < 1000 => format!("{sign}{}.{}{unit}", tenths / 10, tenths % 10),
        () => format!("{sign}{}{unit}", rounded(1, size)),
    }
}

/// Reads nanoseconds: `1500`, `48us`, `1.5ms`, `2s`, `5min`, `1h`, `3d`. A bare number is nanoseconds.
pub fn nanoseconds(text: &str) -> Option<i64> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = if unit == "µs" { "us" } else { unit };
    let size = if unit.is_empty() { 1 } else { SHOWN.iter().find(|known| known.0 == unit)?.1 };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || (number.contains('.') && fraction.is_empty()) {
        return None;
    }
    // No more digits than a day has nanoseconds, so that nothing is dropped in silence.
    let denominator = 10i128.checked_pow(u32::try_from(fraction.len()).ok().filter(|&digits| digits <= 14)?)?;
    let part: i128 = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
    let whole = whole.parse::<i128>().ok()?.checked_mul(size.into())?;
    let magnitude = whole.checked_add(part * i128::from(size) / denominator)?;
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}

/// Beyond this nobody plans by it, in milliseconds: ten years.
const HORIZON: u64 = 3652 * 86_400_000;

/// How long something will take, by its two largest units: of what is too far away only that it is.
pub fn outlook(ms: u64) -> String {
    if ms > HORIZON {
        return "> 10 years".to_owned();
    }
    duration(ms)
}

/// A duration by its two largest units: `3 h 12 min`.
pub fn duration(ms: u64) -> String {
    let seconds = ms / 1000;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    if days > 0 {
        format!("{days} d {} h", hours % 24)
    } else if hours > 0 {
        format!("{hours} h {} min", minutes % 60)
    } else if minutes > 0 {
        format!("{minutes} min {} s", seconds % 60)
    } else {
        format!("{seconds}.{} s", ms % 1000 / 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nanoseconds_are_written_by_three_digits() {
        for (ns, expected) in [
            (0, "0ns"),
            (999, "999ns"),
            (1000, "1.00us"),
            (48_211, "48.2us"),
            (-48_211, "-48.2us"),
            (99_960, "100us"),
            (9_996, "10.0us"),
            (99_949, "99.9us"),
            (999_499, "999us"),
            (999_500, "1.00ms"),
            (1_500_000, "1.50ms"),
            (59_900_000_000, "59.9s"),
            (59_990_000_000, "1.00min"),
            (60_000_000_000, "1.00min"),
            (5_400_000_000_000, "1.50h"),
            (259_200_000_000_000, "3.00d"),
            (i64::MAX, "106752d"),
            (i64::MIN, "-106752d"),
        ] {
            assert_eq!(short(ns), expected, "{ns}");
        }
    }

    #[test]
    fn nanoseconds_are_read_with_their_units() {
        for (text, expected) in [
            ("1500", Some(1500)),
            ("48us", Some(48_000)),
            ("48µs", Some(48_000)),
            ("1.5ms", Some(1_500_000)),
            ("-2s", Some(-2_000_000_000)),
            ("5min", Some(300_000_000_000)),
            ("3d", Some(259_200_000_000_000)),
            ("106752d", None),
            ("", None),
            ("ms", None),
            ("1.ms", None),
            (".5ms", None),
            ("1m", None),
            ("1 s", None),
            ("+1", None),
            ("1.2.3s", None),
        ] {
            assert_eq!(nanoseconds(text), expected, "{text:?}");
        }
    }

    #[test]
    fn durations_are_read_with_their_units() {
        for (text, ms) in
            [("10", 10_000), ("0.5s", 500), ("20ms", 20), ("5m", 300_000), ("2h", 7_200_000), ("7d", 604_800_000)]
        {
            assert_eq!(parse(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "s", "-1", "1y", "1 s", "nan", "1.2.3", "99999999999999999999999d"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(interval("0").is_err() && interval("1ms").is_ok());
    }

    #[test]
    fn what_is_too_far_away_has_no_date() {
        for (days, expected) in [(2, "2 d 0 h"), (3652, "3652 d 0 h"), (3653, "> 10 years"), (158_138, "> 10 years")] {
            assert_eq!(outlook(days * 86_400_000), expected);
        }
        assert_eq!(outlook(u64::MAX), "> 10 years");
    }

    #[test]
    fn durations_have_two_units() {
        for (ms, expected) in [
            (0, "0.0 s"),
            (59_999, "59.9 s"),
            (61_000, "1 min 1 s"),
            (11_520_000, "3 h 12 min"),
            (90_000_000, "1 d 1 h"),
        ] {
            assert_eq!(duration(ms), expected);
        }
    }
}
