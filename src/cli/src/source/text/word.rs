// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The words of a line, and the numbers among them.

/// Whether anything in it would do more to a terminal than show itself.
pub(super) fn has_control_characters(line: &str) -> bool {
    // Without a way out half-way, so that many bytes are looked at in one step.
    let ascii = line.bytes().fold(false, |found, byte| found | (byte < b' ') & (byte != b'\t') | (byte == 0x7f));
    ascii || (!line.is_ascii() && line.chars().any(char::is_control))
}

/// Whether it has nothing in it but printable ASCII, blanks and line ends: no line of it need be looked at for more.
pub(super) fn is_plain(text: &[u8]) -> bool {
    // Many bytes in one step, as above.
    text.iter().fold(true, |plain, &byte| plain & ((b' '..0x7f).contains(&byte) | (byte == b'\t') | (byte == b'\n')))
}

/// Splits off the first word; the rest begins with the second.
pub(super) fn field(text: &str) -> Option<(&str, &str)> {
    let end = memchr::memchr2(b' ', b'\t', text.as_bytes())?;
    Some((&text[..end], text[end..].trim_ascii_start()))
}

/// The same where that is a number, whose few bytes are gone through sooner than a search by many in one step begins.
pub(super) fn number(text: &str) -> Option<(&str, &str)> {
    let end = text.bytes().position(is_blank)?;
    Some((&text[..end], text[end..].trim_ascii_start()))
}

/// What stands between words.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A decimal number as `%lld` prints it: no plus sign.
pub(super) fn signed(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    (digits.bytes().next()?.is_ascii_digit()).then(|| text.parse().ok())?
}

/// A decimal number as `%llu` prints it.
pub(super) fn unsigned(text: &str) -> Option<u64> {
    (text.bytes().next()?.is_ascii_digit()).then(|| text.parse().ok())?
}
