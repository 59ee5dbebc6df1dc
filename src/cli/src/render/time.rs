// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Dates and durations.

/// A moment as `2026-11-21 07:00:00 UTC`. `time_ms` is milliseconds since 1970.
///
/// # Examples
///
/// ```
/// assert_eq!(alloctag::render::time::date(1_795_244_400_000), "2026-11-21 07:00:00 UTC");
/// ```
pub fn date(time_ms: u64) -> String {
    let seconds = time_ms / 1000;
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// A moment as `20261121T070000Z`, for names of files: the names sort as the moments do. `time_ms` as in [`date`].
///
/// # Examples
///
/// ```
/// assert_eq!(alloctag::render::time::compact(1_795_244_400_000), "20261121T070000Z");
/// ```
pub fn compact(time_ms: u64) -> String {
    date(time_ms).trim_end_matches(" UTC").replace(['-', ':'], "").replace(' ', "T") + "Z"
}

/// Reads a moment as [`date`] and [`compact`] write it, in milliseconds since 1970; in the former the seconds, or the time of day,
/// may be missing. Times are UTC.
///
/// # Examples
///
/// ```
/// use alloctag::render::time::parse;
/// assert_eq!(parse("2026-11-21 07:00:00 UTC"), Some(1_795_244_400_000));
/// assert_eq!(parse("2026-11-21T07:00"), Some(1_795_244_400_000));
/// assert_eq!(parse("20261121T070000Z"), Some(1_795_244_400_000));
/// assert_eq!(parse("7 o'clock"), None);
/// ```
pub fn parse(text: &str) -> Option<u64> {
    let text = text.trim_end_matches(" UTC").trim_end_matches('Z');
    let (day, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let (year, month, day) = match numbers(day, '-', 4)?[..] {
        [year, month, day] => (year, month, day),
        _ => return None,
    };
    let (hour, minute, second) = match numbers(time, ':', 2)?[..] {
        [hour, minute] => (hour, minute, 0),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // Of all the days that a month may have, the one whose date this is.
    let days = days(year, month, day)?;
    (civil(days) == (year, month, day)).then_some(((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000)
}

/// Numbers of two digits, the first of `width`, with `separator` between all of them or none.
fn numbers(text: &str, separator: char, width: usize) -> Option<Vec<u64>> {
    let digits: String = text.split(separator).collect();
    let parts = text.matches(separator).count();
    let count = digits.len().checked_sub(width)? / 2;
    let whole = digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.len() == width + 2 * count;
    if !whole
        || (parts > 0 && (parts != count || text.split(separator).any(|part| part.len() != 2 && part.len() != width)))
    {
        return None;
    }
    let rest = (0..count).map(|place| &digits[width + 2 * place..width + 2 * place + 2]);
    std::iter::once(&digits[..width]).chain(rest).map(|number| number.parse().ok()).collect()
}

/// The days from 1970-01-01 to a date; `None` before that, or if there is no such month. The contrary of [`civil`].
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    if year < 1970 || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (year, from_march) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    Some(year * 365 + leap_days + (153 * from_march + 2) / 5 + day - 1 - EPOCH)
}

/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: u64 = 719_468;

/// The date that is so many days after 1970-01-01, in the Gregorian calendar.
///
/// Counts in eras of 400 years that begin on a first of March, so that the leap day is the last of its year.
fn civil(days: u64) -> (u64, u64, u64) {
    const DAYS_OF_ERA: u64 = 146_097;
    let days = days + EPOCH;
    let (era, day_of_era) = (days / DAYS_OF_ERA, days % DAYS_OF_ERA);
    // Leave out the leap days that have passed: one in 1,460 days, but none in 36,524, but the last of the era.
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / (DAYS_OF_ERA - 1)) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months of 31 and 30 days come in a rhythm of five that has 153 days.
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
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
    fn dates_are_right_around_leap_days_and_centuries() {
        for (seconds, expected) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399, "2000-02-28 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (951_868_800, "2000-03-01 00:00:00 UTC"),
            (1_709_164_800, "2024-02-29 00:00:00 UTC"),
            (1_735_689_599, "2024-12-31 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(date(seconds * 1000), expected);
        }
    }

    #[test]
    fn moments_come_back_and_others_are_refused() {
        for seconds in (0..200_000).map(|step| step * 86_399 / 4) {
            for text in [date(seconds * 1000), compact(seconds * 1000)] {
                assert_eq!(parse(&text), Some(seconds * 1000), "{text}");
            }
        }
        for (text, same) in [("2024-02-29", "2024-02-29 00:00:00"), ("2026-11-21T07:05Z", "2026-11-21 07:05:00")] {
            assert_eq!(parse(text), parse(same));
            assert!(parse(text).is_some());
        }
        for text in [
            "",
            "2026",
            "2026-11",
            "2026-13-01",
            "2026-02-29",
            "2026-04-31",
            "2026-00-01",
            "2026-01-00",
            "1969-12-31",
            "2026-11-21T24:00",
            "2026-11-21T07:60",
            "2026-11-21T07:00:60",
            "2026-11-21T7:00",
            "2026-1121",
            "26-11-21",
            "2026-11-21T",
            "2026-11-21X07:00",
            "+026-11-21",
            "2026-11-21T07:00:00:00",
            "٢026-11-21",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
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
