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

/// The date that is so many days after 1970-01-01, in the Gregorian calendar.
///
/// Counts in eras of 400 years that begin on a first of March, so that the leap day is the last of its year.
fn civil(days: u64) -> (u64, u64, u64) {
    /// Days from 0000-03-01 to 1970-01-01.
    const EPOCH: u64 = 719_468;
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
