// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Numbers in rules: decimal, with units where there are some.

/// A number without a sign, digits and nothing else.
pub(super) fn plain(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    let digit = |number: u64, byte: &u8| {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number.checked_mul(10)?.checked_add(u64::from(digit))
    };
    text.iter().try_fold(0, digit)
}

/// A number of one of these units, the first of which need not be said.
fn scaled(text: &[u8], units: &[(u8, u64)]) -> Option<u64> {
    let (last, rest) = text.split_last()?;
    match units.iter().find(|(name, _)| name == last) {
        Some((_, unit)) => plain(rest)?.checked_mul(*unit),
        None => plain(text),
    }
}

/// What bytes are counted in.
const BYTES: [(u8, u64); 4] = [(b'B', 1), (b'K', 1 << 10), (b'M', 1 << 20), (b'G', 1 << 30)];
/// What time is counted in.
const SECONDS: [(u8, u64); 4] = [(b's', 1), (b'm', 60), (b'h', 3600), (b'd', 86400)];

/// Bytes: `4096`, `512K`.
pub(super) fn bytes(text: &[u8]) -> Option<u64> {
    scaled(text, &BYTES)
}

/// Seconds: `90`, `90s`, `5m`.
pub(super) fn seconds(text: &[u8]) -> Option<u64> {
    scaled(text, &SECONDS)
}

/// The largest unit of which a number is a whole multiple, and how many there are.
fn in_units(number: u64, units: &[(u8, u64)]) -> (u64, u8) {
    let whole = |(name, unit): &(u8, u64)| {
        let rest = number.checked_rem(*unit)?;
        (rest == 0 && number != 0).then_some((number.checked_div(*unit)?, *name))
    };
    let found = units.iter().rev().find_map(whole);
    found.unwrap_or((number, units.first().map_or(b'B', |(name, _)| *name)))
}

/// Bytes as [`bytes()`] takes them.
pub(super) fn in_bytes(number: u64) -> (u64, u8) {
    in_units(number, &BYTES)
}

/// Seconds as [`seconds()`] takes them.
pub(super) fn in_seconds(number: u64) -> (u64, u8) {
    in_units(number, &SECONDS)
}
