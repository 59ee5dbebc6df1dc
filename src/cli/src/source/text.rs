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
//! C header: `mm/alloc_tag.c` (`alloc_tag_to_text`), `lib/codetag.c` (`codetag_to_text`).

use std::fmt;

use crate::model::{Builder, Refused, Sample, Version};

/// Longer lines are no rows: the longest symbol has 511 bytes (`KSYM_NAME_LEN`), the longest path 4,095.
const LINE_LIMIT: usize = 16 * 1024;

/// Bytes of a row in real captures, about; only to reserve memory.
const TYPICAL_ROW: usize = 64;

/// The newest major version that this code knows.
const NEWEST_MAJOR: u32 = 2;

const TITLE: &str = "allocinfo - version:";

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
    /// A version whose rows may mean something else.
    UnknownVersion(Version),
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
            TextError::UnknownVersion(version) => {
                write!(f, "has text version {version}, which this alloctag does not know (1.x and 2.x are); update it")
            }
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
    builder.reserve(text.len() / TYPICAL_ROW);
    let mut version = None;
    let mut titles = 0;
    let mut start = 0;
    let mut number = 0u64;
    for end in memchr::memchr_iter(b'\n', text) {
        number += 1;
        match take(&text[start..end], builder) {
            Ok(Some(found)) if found.major > NEWEST_MAJOR => return Err(TextError::UnknownVersion(found)),
            Ok(Some(found)) => (version, titles) = (Some(found), titles + 1),
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

/// Takes in one line; returns the version if it is the title.
fn take(line: &[u8], builder: &mut Builder<'_>) -> Result<Option<Version>, &'static str> {
    if line.len() > LINE_LIMIT {
        return Err("it is too long for a row");
    }
    let line = std::str::from_utf8(line).map_err(|_| "it is not UTF-8")?;
    let line = line.trim_ascii();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    if let Some(rest) = line.strip_prefix(TITLE) {
        return version(rest.trim()).map(Some).ok_or("it has no version number");
    }
    builder.push(&row(line)?).map_err(Refused::reason)?;
    Ok(None)
}

fn version(text: &str) -> Option<Version> {
    let (major, minor) = text.split_once('.')?;
    Some(Version { major: major.parse().ok()?, minor: minor.parse().ok()? })
}

/// Reads one row without its line end and the blanks around it.
///
/// # Errors
///
/// What is wrong with it.
pub fn row(line: &str) -> Result<Sample<'_>, &'static str> {
    if has_control_characters(line) {
        return Err("it has control characters in it");
    }
    let (bytes, rest) = field(line).ok_or("it has no size")?;
    let bytes = signed(bytes).ok_or("its size is not a number")?;
    let (calls, rest) = field(rest).ok_or("it has no count of calls")?;
    // Printed with %llu, so that a sum below zero comes out as a huge number.
    let calls = unsigned(calls).ok_or("its count of calls is not a number")?.cast_signed();

    let (location, rest) = field(rest).ok_or("it names no function")?;
    let (file, number) = location.rsplit_once(':').ok_or("it has no line number")?;
    if file.is_empty() {
        return Err("it names no file");
    }
    let number = unsigned(number).and_then(|number| u32::try_from(number).ok()).ok_or("its line is not a number")?;
    let (module, rest) = module(rest)?;
    let names = rest.strip_prefix("func:").ok_or("it names no function")?;
    let (func, tail) = function(names)?;
    let mut sample = Sample {
        file,
        line: number,
        func,
        module,
        bytes,
        calls,
        accurate: true,
        clipped: false,
        merged: 1,
        extra: Vec::new(),
    };
    for word in tail.split([' ', '\t']).filter(|word| !word.is_empty()) {
        match pair(word) {
            ("accurate", "yes") => {}
            ("accurate", "no") => sample.accurate = false,
            // A line end is lost: which number belongs to which name cannot be told.
            ("func", _) => return Err("it has two rows in it"),
            (number, "") if unsigned(number).is_some() => return Err("it has two rows in it"),
            pair => sample.extra.push(pair),
        }
    }
    Ok(sample)
}

/// What a word behind the function says: a key with its value, or itself with none.
fn pair(word: &str) -> (&str, &str) {
    let is_key =
        |key: &str| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
    word.split_once(':').filter(|(key, value)| is_key(key) && !value.is_empty()).unwrap_or((word, ""))
}

/// Whether anything in it would do more to a terminal than show itself.
fn has_control_characters(line: &str) -> bool {
    // Without a way out half-way, so that many bytes are looked at in one step.
    let ascii = line.bytes().fold(false, |found, byte| found | (byte < b' ') & (byte != b'\t') | (byte == 0x7f));
    ascii || (!line.is_ascii() && line.chars().any(char::is_control))
}

/// Splits off the first word; the rest begins with the second.
fn field(text: &str) -> Option<(&str, &str)> {
    let end = memchr::memchr2(b' ', b'\t', text.as_bytes())?;
    Some((&text[..end], text[end..].trim_ascii_start()))
}

/// Splits off the module in its brackets, if there is one.
fn module(text: &str) -> Result<(Option<&str>, &str), &'static str> {
    let Some(inside) = text.strip_prefix('[') else { return Ok((None, text)) };
    let (module, rest) = inside.split_once(']').ok_or("its module's brackets do not match")?;
    if module.is_empty() || module.contains([' ', '\t', '[']) || !rest.starts_with([' ', '\t']) {
        return Err("its module is not a name");
    }
    Ok((Some(module), rest.trim_ascii_start()))
}

/// Splits a function's name from what follows it.
///
/// A name ends at the first blank, except that a blank between angle brackets belongs to it, as in
/// `<alloc::Vec<T> as core::ops::Drop>::drop`.
fn function(text: &str) -> Result<(&str, &str), &'static str> {
    let blank = memchr::memchr2(b' ', b'\t', text.as_bytes()).unwrap_or(text.len());
    if blank > 0 && memchr::memchr2(b'<', b'>', &text.as_bytes()[..blank]).is_none() {
        return Ok(text.split_at(blank));
    }
    let mut depth = 0u32;
    let mut before = b' ';
    let mut end = text.len();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            // The arrow of `fn() -> T` closes nothing.
            b'>' if before != b'-' => depth = depth.checked_sub(1).ok_or("its function's brackets do not match")?,
            b' ' | b'\t' if depth == 0 => {
                end = at;
                break;
            }
            b'\t' => return Err("its function has a tab in it"),
            _ => {}
        }
        before = byte;
    }
    if depth != 0 {
        return Err("its function's brackets do not match");
    }
    if end == 0 {
        return Err("its function has no name");
    }
    Ok((&text[..end], &text[end..]))
}

/// A decimal number as `%lld` prints it: no plus sign.
fn signed(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    (digits.bytes().next()?.is_ascii_digit()).then(|| text.parse().ok())?
}

/// A decimal number as `%llu` prints it.
fn unsigned(text: &str) -> Option<u64> {
    (text.bytes().next()?.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
#[path = "text/tests.rs"]
mod tests;
