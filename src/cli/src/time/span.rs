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
