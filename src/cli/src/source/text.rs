// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The text of `/proc/allocinfo`, versions 1.0 (Linux 6.10) and 2.x.
//!
//! ```text
//! allocinfo - version: 2.0
//! #     <size>  <calls> <tag info>
//!        16384        4 block/blk-mq.c:3421 func:blk_mq_alloc_rqs
//!         4096        1 drivers/nvme/host/pci.c:612 [nvme] func:nvme_setup accurate:no
//! ```
//!
//! The header may be missing (`tail -n +3`) or stand elsewhere (`sort -h`). A second one begins a second profile
//! (`cat /proc/allocinfo >>log`), and rows of two must not be added up. A row that does not fit is counted, never guessed:
//! above all the last line of a file that was cut off, which may well look whole. What stands behind the function and is not
//! known, as later versions 2.x may put it there, is kept.
//!
//! The text of `/sys/kernel/debug/alloctag/sites`, version 1.x, is another one of these, with more numbers in front of each call
//! site. Its header names them:
//!
//! ```text
//! sites - version: 1.0
//! # bytes slack calls allocs frees allocated failed injected stalls stall_ns stall_max_ns tag
//! 16384 384 4 96 92 393216 0 0 2 48211 20011 block/blk-mq.c:3421 func:blk_mq_alloc_rqs
//! ```
//!
//! C header: `mm/alloc_tag.c` (`alloc_tag_to_text`), `lib/codetag.c` (`codetag_to_text`).

mod columns;
mod tag;
mod word;

use std::fmt;

use crate::model::{Builder, Refused, Sample, Version};
use columns::{Columns, SITES};
use word::{has_control_characters, is_plain};

/// Longer lines are no rows: the longest symbol has 511 bytes (`KSYM_NAME_LEN`), the longest path 4,095.
const LINE_LIMIT: usize = 16 * 1024;

/// Bytes of a row in real captures, about; only to reserve memory.
const TYPICAL_ROW: usize = 64;

/// The titles that there are, each with the newest major version that this code knows.
const TITLES: [(&str, u32); 2] = [("allocinfo - version:", 2), (SITES, 1)];

/// Why a whole text was turned down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextError {
    /// No byte in it.
    Empty,
    /// A header, or not even that, and no row.
    NoRows,
    /// Bytes that no text has.
    Binary,
    /// Lines, none of which is a row; the first one's place and fault.
    NotAllocinfo(String),
    /// A version whose rows may mean something else, and the newest that does not.
    UnknownVersion(Version, u32),
    /// The title of `sites`, and no line that names the numbers in front of its call sites.
    NoColumns,
    /// So many profiles, one behind the other.
    Several(usize),
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::Empty => f.write_str("is empty; expected the text of /proc/allocinfo"),
            TextError::NoRows => f.write_str("holds no rows; expected the text of /proc/allocinfo"),
            TextError::Binary => f.write_str("is binary; expected the text of /proc/allocinfo"),
            TextError::NotAllocinfo(first) => write!(f, "is not the text of /proc/allocinfo ({first})"),
            TextError::UnknownVersion(version, newest) => {
                let known = if *newest == 1 { "1.x is" } else { "1.x and 2.x are" };
                write!(f, "has text version {version}, which this alloctag does not know ({known}); update it")
            }
            TextError::NoColumns => f.write_str("lacks the line `# bytes ... tag` that names its columns"),
            TextError::Several(count) => {
                write!(f, "holds {count} profiles, one behind the other; give each a file of its own")
            }
        }
    }
}

/// Reads all rows of `text` into `builder` and returns the version in its header.
///
/// # Errors
///
/// If there is no row that can be read, or there is more than one profile. Single rows that cannot be read are counted in
/// `builder`.
pub fn parse(text: &[u8], builder: &mut Builder<'_>) -> Result<Option<Version>, TextError> {
    if text.is_empty() {
        return Err(TextError::Empty);
    }
    let columns = Columns::of(text).ok_or(TextError::NoColumns)?;
    builder.reserve(text.len() / TYPICAL_ROW);
    // Nearly always all of it is sound, which is cheaper to find out at once than line by line.
    let whole = std::str::from_utf8(text).ok();
    let is_plain = is_plain(text);
    let mut version = None;
    let mut titles = 0;
    let mut start = 0;
    let mut number = 0u64;
    for end in memchr::memchr_iter(b'\n', text) {
        number += 1;
        let line = match whole {
            Some(whole) => Ok(&whole[start..end]),
            None => std::str::from_utf8(&text[start..end]).map_err(|_| "it is not UTF-8"),
        };
        match line.and_then(|line| take(line, is_plain, &columns, builder)) {
            Ok(Some((found, newest))) if found.major > newest => return Err(TextError::UnknownVersion(found, newest)),
            Ok(Some((found, _))) => (version, titles) = (Some(found), titles + 1),
            Ok(None) => {}
            Err(reason) => builder.unreadable(|| format!("line {number}"), reason),
        }
        start = end + 1;
    }
    if titles > 1 {
        return Err(TextError::Several(titles));
    }
    if start < text.len() {
        // Whether this is whole cannot be told: `accurate:no` may be missing from it, or the end of the name.
        builder.unreadable(|| format!("line {}", number + 1), "it does not end: the text was cut off here");
    }
    if !builder.is_empty() {
        return Ok(version);
    }
    Err(if memchr::memchr(0, text).is_some() {
        TextError::Binary
    } else {
        match &builder.unread().first {
            Some(first) => TextError::NotAllocinfo(first.clone()),
            None => TextError::NoRows,
        }
    })
}

/// Takes in one line; returns the version if it is the title, and the newest that is known. `is_plain`: there is nothing in it
/// that could drive a terminal.
fn take<'t>(
    line: &'t str,
    is_plain: bool,
    columns: &Columns<'t>,
    builder: &mut Builder<'_>,
) -> Result<Option<(Version, u32)>, &'static str> {
    if line.len() > LINE_LIMIT {
        return Err("it is too long for a row");
    }
    let line = line.trim_ascii();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    // No row begins with a letter.
    for (title, newest) in TITLES.iter().filter(|_| line.as_bytes()[0].is_ascii_alphabetic()) {
        if let Some(rest) = line.strip_prefix(title) {
            return version(rest.trim()).map(|version| Some((version, *newest))).ok_or("it has no version number");
        }
    }
    let sample = if is_plain { columns.row(line) } else { checked(line, columns) };
    builder.push(&sample?).map_err(Refused::reason)?;
    Ok(None)
}

/// Reads one row of `/proc/allocinfo` without its line end and the blanks around it.
///
/// # Errors
///
/// What is wrong with it.
pub fn row(line: &str) -> Result<Sample<'_>, &'static str> {
    checked(line, &Columns::of_allocinfo())
}

/// Reads a call site alone, without numbers in front of it and blanks around it.
///
/// # Errors
///
/// What is wrong with it.
pub fn site(text: &str) -> Result<Sample<'_>, &'static str> {
    if has_control_characters(text) {
        return Err(CONTROL);
    }
    tag::tag(text)
}

/// What is said of a line that could do more to a terminal than show itself.
const CONTROL: &str = "it has control characters in it";

fn checked<'t>(line: &'t str, columns: &Columns<'t>) -> Result<Sample<'t>, &'static str> {
    if has_control_characters(line) {
        return Err(CONTROL);
    }
    columns.row(line)
}

fn version(text: &str) -> Option<Version> {
    let (major, minor) = text.split_once('.')?;
    Some(Version { major: major.parse().ok()?, minor: minor.parse().ok()? })
}

#[cfg(test)]
#[path = "text/tests.rs"]
mod tests;
