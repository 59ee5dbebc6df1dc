// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! One snapshot of a recording: `DIR`, `DIR@first`, `DIR@-1h`, `DIR@2026-11-21T07:00`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::snapshots;
use crate::error::{Error, Result};
use crate::source::Moment;
use crate::time::{span, Clock};

/// What stands between a recording and the moment that is meant.
const SIGN: char = '@';

/// Which snapshot is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    First,
    Latest,
    /// The last one that is at least so much older than the latest.
    Before(Duration),
    /// The last one that is not later: milliseconds since 1970.
    At(u64),
}

impl Choice {
    fn parse(text: &str, clock: &Clock) -> Option<Choice> {
        match text {
            "first" => Some(Choice::First),
            "latest" => Some(Choice::Latest),
            _ => match text.strip_prefix('-') {
                Some(age) => span::parse(age).ok().map(Choice::Before),
                None => clock.read(text).map(Choice::At),
            },
        }
    }
}

/// The file that `path` means: a snapshot, if it names a recording with or without a moment, by `clock`, else what it says.
///
/// # Errors
///
/// If there is no such recording, no such moment, or no snapshot of it.
pub fn choose(path: &Path, clock: &Clock) -> Result<PathBuf> {
    if path.is_dir() {
        return Ok(last(&snapshots(path)?));
    }
    let Some((directory, moment)) = divide(path) else { return Ok(path.to_owned()) };
    let failed = |problem: String| Error::failed(path.display(), problem);
    let choice = Choice::parse(moment, clock).ok_or_else(|| {
        failed(format!(
            "{SIGN}{moment} is no moment; there are {SIGN}first, {SIGN}latest, {SIGN}-1h, {SIGN}2026-11-21T07:00"
        ))
    })?;
    let files = snapshots(directory)?;
    let bound = match choice {
        Choice::First => return Ok(files[0].clone()),
        Choice::Latest => return Ok(last(&files)),
        Choice::At(time_ms) => time_ms,
        Choice::Before(age) => {
            let latest = last(&files);
            let age = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
            told(&latest)?.saturating_sub(age)
        }
    };
    let mut earliest = u64::MAX;
    // From the end: what is asked for is mostly young, and of equal times the later one counts.
    for file in files.iter().rev() {
        // The recorder may have removed it meanwhile, or it is damaged: another one may do.
        let Ok(Some(Moment { time_ms, .. })) = Moment::of_file(file) else { continue };
        if time_ms <= bound {
            return Ok(file.clone());
        }
        earliest = earliest.min(time_ms);
    }
    Err(failed(match earliest {
        u64::MAX => "no snapshot in it tells its time".to_owned(),
        _ => format!("it begins at {}, later than that; {SIGN}first is its beginning", clock.date(earliest)),
    }))
}

/// The recording and the moment that a path names, if it does.
fn divide(path: &Path) -> Option<(&Path, &str)> {
    if path.exists() {
        return None;
    }
    let text = path.to_str()?;
    let (directory, moment) = text.rsplit_once(SIGN)?;
    let directory = Path::new(directory);
    directory.is_dir().then_some((directory, moment))
}

/// What `path` means beside `other`: `@latest` alone is of the same recording.
pub fn beside(other: &Path, path: &Path) -> PathBuf {
    let moment = path.to_str().filter(|text| text.starts_with(SIGN) && !path.exists());
    let directory = if other.is_dir() { Some(other) } else { divide(other).map(|(directory, _)| directory) };
    match (moment, directory) {
        (Some(moment), Some(directory)) => format!("{}{moment}", directory.display()).into(),
        _ => path.to_owned(),
    }
}

fn last(files: &[PathBuf]) -> PathBuf {
    files.last().cloned().unwrap_or_default()
}

fn told(file: &Path) -> Result<u64> {
    let moment = Moment::of_file(file)?;
    moment.map(|moment| moment.time_ms).ok_or_else(|| Error::failed(file.display(), "does not tell its time"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_told_from_other_words() {
        for (text, expected) in [
            ("first", Some(Choice::First)),
            ("latest", Some(Choice::Latest)),
            ("-90", Some(Choice::Before(Duration::from_secs(90)))),
            ("-1h", Some(Choice::Before(Duration::from_secs(3600)))),
            ("2026-11-21T07:00", Some(Choice::At(1_795_244_400_000))),
            ("", None),
            ("-", None),
            ("--1h", None),
            ("1h", None),
            ("last", None),
        ] {
            assert_eq!(Choice::parse(text, &Clock::utc()), expected, "{text}");
        }
    }
}
