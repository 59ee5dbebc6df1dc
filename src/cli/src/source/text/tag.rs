// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A call site as the kernel writes it, and what it writes behind it.

use super::word::{field, is_blank, unsigned};
use crate::model::{Numbers, Sample};

/// Reads what stands behind the numbers of a row, to its end without blanks. Its numbers are still to be filled in.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn tag(text: &str) -> Result<Sample<'_>, &'static str> {
    let (location, rest) = field(text).ok_or("it names no function")?;
    // The number has few digits: from behind, byte by byte.
    let colon = location.bytes().rposition(|byte| byte == b':').ok_or("it has no line number")?;
    let (file, number) = (&location[..colon], &location[colon + 1..]);
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
        bytes: 0,
        calls: 0,
        accurate: true,
        clipped: false,
        merged: 1,
        numbers: Numbers::NONE,
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
    let bytes = text.as_bytes();
    let plain = bytes.iter().position(|&byte| is_blank(byte) || matches!(byte, b'<' | b'>')).unwrap_or(text.len());
    if plain > 0 && bytes.get(plain).is_none_or(|&byte| is_blank(byte)) {
        return Ok(text.split_at(plain));
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
