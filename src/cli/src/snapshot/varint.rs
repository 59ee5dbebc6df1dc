// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! LEB128: seven bits a byte, the lowest first, bit 7 set on all but the last.

/// The most bytes that 64 bits take.
const LONGEST: usize = 10;

pub(crate) fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        // CAST: the low seven bits.
        out.push(value as u8 & 0x7f | 0x80);
        value >>= 7;
    }
    // CAST: less than 0x80.
    out.push(value as u8);
}

/// Takes a number off the front of `bytes`; `None` if there is none or it has more than 64 bits.
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for (index, &byte) in bytes.iter().take(LONGEST).enumerate() {
        let part = u64::from(byte & 0x7f);
        let shift = 7 * index;
        let shifted = part << shift;
        if shifted >> shift != part {
            return None;
        }
        value |= shifted;
        if byte & 0x80 == 0 {
            *bytes = &bytes[index + 1..];
            return Some(value);
        }
    }
    None
}

/// A number of things in memory, as it is written.
pub(super) fn count(number: usize) -> u64 {
    u64::try_from(number).expect("a usize has at most 64 bits")
}

/// Takes a number that indexes or counts something in memory.
pub(crate) fn take_size(bytes: &mut &[u8]) -> Option<usize> {
    take(bytes)?.try_into().ok()
}

/// Maps small magnitudes of either sign to small numbers: 0, -1, 1, -2 to 0, 1, 2, 3.
pub(crate) fn zigzag(value: i64) -> u64 {
    // CAST: both are the same bits; the arithmetic shift spreads the sign.
    ((value << 1) ^ (value >> 63)) as u64
}

/// The contrary of [`zigzag`].
pub(crate) fn unzigzag(value: u64) -> i64 {
    // CAST: both are the same bits.
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// Maps what is not known to 0, and the rest to one more than [`zigzag`] does.
pub(super) fn maybe(value: Option<i64>) -> u64 {
    // No number of a profile is as small as the one of which this would overflow.
    value.map_or(0, |value| zigzag(value).saturating_add(1))
}

/// The contrary of [`maybe`].
pub(super) fn unmaybe(value: u64) -> Option<i64> {
    value.checked_sub(1).map(unzigzag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_at_every_length() {
        for value in [0, 1, 0x7f, 0x80, 0x3fff, 0x4000, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let mut bytes = Vec::new();
            put(&mut bytes, value);
            for end in 0..bytes.len() {
                assert_eq!(take(&mut &bytes[..end]), None, "{value} cut at {end}");
            }
            bytes.push(7);
            let mut rest = bytes.as_slice();
            assert_eq!((take(&mut rest), rest), (Some(value), &[7u8][..]));
        }
    }

    #[test]
    fn more_than_64_bits_are_refused() {
        for bytes in [[0xff; 11].as_slice(), &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]] {
            assert_eq!(take(&mut &*bytes), None);
        }
    }

    #[test]
    fn signs_are_folded_and_unfolded() {
        for (value, folded) in [(0, 0), (-1, 1), (1, 2), (-2, 3), (i64::MAX, u64::MAX - 1), (i64::MIN, u64::MAX)] {
            assert_eq!((zigzag(value), unzigzag(folded)), (folded, value));
        }
        for (value, folded) in [(None, 0), (Some(0), 1), (Some(-1), 2), (Some(i64::MAX), u64::MAX)] {
            assert_eq!((maybe(value), unmaybe(folded)), (folded, value));
        }
    }
}
