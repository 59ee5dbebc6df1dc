// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Moments, by the clock on somebody's wall.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// By which clock moments are written and read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    zone: TimeZone,
}

impl Clock {
    /// The one that is the same everywhere.
    pub fn utc() -> Clock {
        Clock { zone: TimeZone::UTC }
    }

    /// This machine's, by `TZ` or `/etc/localtime`; UTC where these say nothing that can be read.
    pub fn local() -> Clock {
        Clock { zone: TimeZone::try_system().unwrap_or(TimeZone::UTC) }
    }

    /// This one as it is at a moment, which winter and summer do not change: hours by it are equally long.
    pub fn steady(&self, time_ms: u64) -> Clock {
        let zone = instant(time_ms).map(|time| self.zone.to_offset(time).to_time_zone());
        Clock { zone: zone.unwrap_or(TimeZone::UTC) }
    }

    /// Milliseconds by which it is before UTC at a moment.
    pub fn ahead_ms(&self, time_ms: u64) -> i64 {
        instant(time_ms).map_or(0, |time| i64::from(self.zone.to_offset(time).seconds()) * 1000)
    }

    /// A moment as `2026-11-21 07:00:00 UTC` or `2026-11-21 08:00:00 +01:00`. `time_ms` is milliseconds since 1970.
    ///
    /// # Examples
    ///
    /// ```
    /// use alloctag::time::Clock;
    /// assert_eq!(Clock::utc().date(1_795_244_400_000), "2026-11-21 07:00:00 UTC");
    /// ```
    pub fn date(&self, time_ms: u64) -> String {
        match instant(time_ms) {
            Some(time) => format!("{} {}", time.to_zoned(self.zone.clone()).strftime("%F %T"), self.name(time_ms)),
            None => "after 9999".to_owned(),
        }
    }

    /// What stands behind a moment: `UTC`, or by how many hours and minutes it is before that.
    pub fn name(&self, time_ms: u64) -> String {
        match instant(time_ms).map(|time| time.to_zoned(self.zone.clone())) {
            Some(time) if !time.offset().is_zero() => time.strftime("%:z").to_string(),
            _ => "UTC".to_owned(),
        }
    }

    /// Reads a moment as [`date`](Self::date) and [`compact`] write it, in milliseconds since 1970; in the former the seconds, or
    /// the time of day, may be missing. What names neither UTC (`Z`) nor hours before it is by this clock.
    ///
    /// # Examples
    ///
    /// ```
    /// use alloctag::time::Clock;
    /// for text in ["2026-11-21 07:00:00 UTC", "2026-11-21T07:00", "20261121T070000Z", "2026-11-21 08:00 +01:00"] {
    ///     assert_eq!(Clock::utc().read(text), Some(1_795_244_400_000));
    /// }
    /// assert_eq!(Clock::utc().read("7 o'clock"), None);
    /// ```
    pub fn read(&self, text: &str) -> Option<u64> {
        // Nothing but digits and what stands between them: the library knows more than is meant here.
        let text = text.strip_suffix(" UTC").map_or_else(|| text.to_owned(), |moment| format!("{moment}Z"));
        if !text.bytes().all(|byte| byte.is_ascii_digit() || b"-+:TZ ".contains(&byte)) {
            return None;
        }
        let text = text.replace(" +", "+").replace(" -", "-");
        let by_this_one = |moment: DateTime| self.zone.to_zoned(moment).ok().map(|time: Zoned| time.timestamp());
        let time = text.parse::<Timestamp>().ok().or_else(|| text.parse().ok().and_then(by_this_one))?;
        u64::try_from(time.as_millisecond()).ok()
    }
}

/// A moment as `20261121T070000Z`, for names of files: the names sort as the moments do. `time_ms` is milliseconds since 1970.
///
/// # Examples
///
/// ```
/// assert_eq!(alloctag::time::compact(1_795_244_400_000), "20261121T070000Z");
/// ```
pub fn compact(time_ms: u64) -> String {
    instant(time_ms).map_or_else(|| "after9999".to_owned(), |time| time.strftime("%Y%m%dT%H%M%SZ").to_string())
}

/// `None` beyond the year 9999, which damaged files may tell of.
fn instant(time_ms: u64) -> Option<Timestamp> {
    Timestamp::from_millisecond(i64::try_from(time_ms).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With winter and summer, by a rule that needs no files.
    fn berlin() -> Clock {
        Clock { zone: TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap() }
    }

    #[test]
    fn moments_are_written_by_the_clock_of_their_season() {
        for (seconds, expected) in [
            (0, "1970-01-01 01:00:00 +01:00"),
            (951_782_400, "2000-02-29 01:00:00 +01:00"),
            (1_795_244_400, "2026-11-21 08:00:00 +01:00"),
            (1_782_900_000, "2026-07-01 12:00:00 +02:00"),
        ] {
            assert_eq!(berlin().date(seconds * 1000), expected);
        }
        assert_eq!(berlin().steady(1_795_244_400_000).date(1_782_900_000_000), "2026-07-01 11:00:00 +01:00");
        assert_eq!((berlin().ahead_ms(1_795_244_400_000), Clock::utc().ahead_ms(0)), (3_600_000, 0));
        assert_eq!(Clock::utc().date(u64::MAX), "after 9999");
        assert_eq!(compact(u64::MAX), "after9999");
    }

    #[test]
    fn moments_come_back_by_any_clock_and_others_are_refused() {
        for time_ms in (0..20_000).map(|step| step * 864_000_000 / 4) {
            for clock in [Clock::utc(), berlin()] {
                assert_eq!(clock.read(&clock.date(time_ms)), Some(time_ms), "{}", clock.date(time_ms));
            }
            assert_eq!(berlin().read(&compact(time_ms)), Some(time_ms));
        }
        for (text, same) in [
            ("2024-02-29", "2024-02-28 23:00:00 UTC"),
            ("2026-11-21T08:05", "2026-11-21 07:05:00 UTC"),
            ("2026-11-21T07:05Z", "2026-11-21 07:05:00 UTC"),
            ("2026-07-01T12:00", "2026-07-01 10:00:00 UTC"),
            ("2026-07-01T12:00-03:00", "2026-07-01 15:00:00 UTC"),
        ] {
            assert_eq!(berlin().read(text), berlin().read(same), "{text}");
            assert!(berlin().read(text).is_some(), "{text}");
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
            "1969-12-30",
            "2026-11-21T24:00",
            "2026-11-21T07:60",
            "2026-11-21T7:00",
            "2026-1121",
            "26-11-21",
            "2026-11-21T",
            "2026-11-21X07:00",
            "+026-11-21",
            "2026-11-21T07:00:00:00",
            "2026-11-21T07:00[Europe/Berlin]",
            "٢026-11-21",
        ] {
            assert_eq!(berlin().read(text), None, "{text}");
        }
    }
}
