// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Durations as people write them.

use std::time::Duration;

/// Seconds in each unit.
const UNITS: [(&str, f64); 7] =
    [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("min", 60.0), ("h", 3600.0), ("d", 86_400.0), ("w", 604_800.0)];

/// Reads `10`, `0.5s`, `5m`, `2h`, `7d`. A bare number is seconds.
///
/// # Errors
///
/// If it is none.
pub fn duration(text: &str) -> Result<Duration, String> {
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
    duration(text)
        .and_then(|found| if found.is_zero() { Err("must be more than nothing".to_owned()) } else { Ok(found) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_with_their_units() {
        for (text, ms) in
            [("10", 10_000), ("0.5s", 500), ("20ms", 20), ("5m", 300_000), ("2h", 7_200_000), ("7d", 604_800_000)]
        {
            assert_eq!(duration(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "s", "-1", "1y", "1 s", "nan", "1.2.3", "99999999999999999999999d"] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert!(interval("0").is_err() && interval("1ms").is_ok());
    }
}
