// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The texts of `stalls`, `latency` and `lifetimes` in `/sys/kernel/debug/alloctag`, version 1.x: how long allocations took, and
//! how long what they gave lived.
//!
//! ```text
//! stalls - version: 1.0
//! # count ns min_ns max_ns cause histogram tag
//! 12 48211 1200 20011 slab 10:3,11:8,14:1 mm/foo.c:12 [module] func:foo
//! ```
//!
//! The line that begins with `#` names the columns; those that are not known are passed over. Several of these texts may stand
//! one behind the other, but only one of each kind: times of two moments must not be added up.

mod columns;
mod line;
mod live;
mod print;

use std::fmt;

use crate::model::{Names, Timed, Timings, Version};
use columns::{title, Columns};

pub use live::{read, read_any, Live};
pub use print::print;

/// The newest major version that this code knows.
const NEWEST: u32 = 1;

/// Longer lines are none: names, and 40 buckets.
const LINE_LIMIT: usize = 16 * 1024;

/// Why a whole text was turned down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimingsError {
    /// A version whose lines may mean something else.
    UnknownVersion(Timed, Version),
    /// The title has no version.
    NoVersion(Timed),
    /// It does not name the columns that are needed.
    NoColumns(Timed),
    /// There is more than one of that, one behind the other.
    Several(Timed),
}

impl fmt::Display for TimingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimingsError::UnknownVersion(timed, version) => write!(
                f,
                "has {} of version {version}, which this alloctag does not know (1.x is); update it",
                timed.name()
            ),
            TimingsError::NoVersion(timed) => write!(f, "has {} of no version", timed.name()),
            TimingsError::NoColumns(timed) => {
                write!(f, "lacks the line `# count ... tag` that names the columns of its {}", timed.name())
            }
            TimingsError::Several(timed) => {
                let name = timed.name();
                write!(f, "holds the {name} of several moments, one behind the other; give each a file of its own")
            }
        }
    }
}

/// Whether `text` is one of these, by its first line.
pub fn is_timings(text: &[u8]) -> bool {
    Timed::ALL.into_iter().any(|timed| text.starts_with(title(timed).as_bytes()))
}

/// Reads all of `text`, whose names go into `names`.
///
/// # Errors
///
/// If it is of another version, lacks columns, or has more than one text of a kind. Single lines that cannot be read are counted.
pub fn parse(text: &[u8], names: &mut Names) -> Result<Timings, TimingsError> {
    let titles = Timed::ALL.map(|timed| (timed, title(timed)));
    let mut timings = Timings::default();
    let mut open: Option<(Timed, Option<Columns>)> = None;
    for (place, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let ends = line.ends_with(b"\n");
        let line = std::str::from_utf8(line).map(str::trim_ascii).map_err(|_| "it is not UTF-8");
        let begun = line
            .ok()
            .and_then(|line| titles.iter().find_map(|(timed, title)| Some((*timed, line.strip_prefix(title)?))));
        if let Some((timed, rest)) = begun {
            complete(&open)?;
            if timings.of(timed).is_some() {
                return Err(TimingsError::Several(timed));
            }
            check(timed, rest)?;
            timings.begin(timed);
            open = Some((timed, None));
            continue;
        }
        let taken = line.and_then(|line| {
            match &mut open {
                _ if line.is_empty() => {}
                Some((timed, columns @ None)) if line.starts_with('#') => *columns = Columns::named(*timed, line),
                _ if line.starts_with('#') => {}
                Some((timed, Some(columns))) => {
                    let line = Some(line).filter(|_| ends).ok_or("it does not end: the text was cut off here")?;
                    let line = Some(line).filter(|line| line.len() <= LINE_LIMIT).ok_or("it is too long")?;
                    timings.push(*timed, line::timing(line, columns, names)?);
                }
                _ => return Err("no columns are named in front of it"),
            }
            Ok(())
        });
        if let Err(reason) = taken {
            timings.refuse(|| format!("line {}", place + 1), reason);
        }
    }
    complete(&open)?;
    Ok(timings)
}

/// That the columns of what has been read are named.
fn complete(open: &Option<(Timed, Option<Columns>)>) -> Result<(), TimingsError> {
    match open {
        Some((timed, None)) => Err(TimingsError::NoColumns(*timed)),
        _ => Ok(()),
    }
}

/// That the version is one that is known.
fn check(timed: Timed, version: &str) -> Result<(), TimingsError> {
    let number = |text: &str| text.trim().parse().ok();
    let version = version.split_once('.');
    let version = version.and_then(|(major, minor)| Some(Version { major: number(major)?, minor: number(minor)? }));
    match version {
        None => Err(TimingsError::NoVersion(timed)),
        Some(version) if version.major > NEWEST => Err(TimingsError::UnknownVersion(timed, version)),
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
