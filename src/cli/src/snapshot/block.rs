// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The blocks of a snapshot, and of a trace: framed, checked, packed.

use std::io::{Read, Write};

use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use flate2::{Compression, Crc};

use super::SnapshotError;

/// The name of a block.
pub(crate) type Kind = [u8; 4];

/// Bytes in front of the payload.
pub(crate) const HEADER: usize = 12;

/// The most that a block may unpack to, in bytes: what the reader of files takes as a whole.
const UNPACKED_LIMIT: u64 = crate::source::file::SIZE_LIMIT;

/// Appends a block.
pub(super) fn put(out: &mut Vec<u8>, kind: Kind, content: &[u8]) {
    put_packed(out, kind, content, Compression::default());
}

/// Appends a block that must not take long.
pub(crate) fn put_fast(out: &mut Vec<u8>, kind: Kind, content: &[u8]) {
    put_packed(out, kind, content, Compression::fast());
}

fn put_packed(out: &mut Vec<u8>, kind: Kind, content: &[u8], compression: Compression) {
    let mut encoder = GzEncoder::new(Vec::new(), compression);
    let packed = encoder.write_all(content).and_then(|()| encoder.finish()).expect("memory takes every byte");
    let length = u32::try_from(packed.len()).expect("a profile packs to less than 4 GiB");
    out.extend(kind);
    out.extend(length.to_le_bytes());
    out.extend(checksum(kind, &packed).to_le_bytes());
    out.extend(packed);
}

/// How long the payload is of a block that begins so; `None` if that is too short to tell.
pub(crate) fn length(header: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(header.get(4..8)?.try_into().ok()?))
}

/// Takes a block off the front of `bytes` and checks it; its payload is still packed.
pub(crate) fn take<'b>(bytes: &mut &'b [u8]) -> Result<(Kind, &'b [u8]), SnapshotError> {
    let (header, rest) = bytes.split_at_checked(HEADER).ok_or(SnapshotError::Cut)?;
    let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let kind: Kind = [header[0], header[1], header[2], header[3]];
    if !kind.iter().all(u8::is_ascii_alphabetic) {
        return Err(SnapshotError::damaged("block", "its kind is no four letters"));
    }
    let length = usize::try_from(word(4)).map_err(|_| SnapshotError::Cut)?;
    let (packed, rest) = rest.split_at_checked(length).ok_or(SnapshotError::Cut)?;
    if checksum(kind, packed) != word(8) {
        return Err(SnapshotError::Damaged("block", format!("the checksum of {} is wrong", name(kind))));
    }
    *bytes = rest;
    Ok((kind, packed))
}

/// Unpacks a payload.
pub(crate) fn unpack(packed: &[u8]) -> Result<Vec<u8>, SnapshotError> {
    let mut content = Vec::new();
    let read = GzDecoder::new(packed).take(UNPACKED_LIMIT + 1).read_to_end(&mut content);
    let length = read.map_err(|error| SnapshotError::damaged("gzip", error))?;
    if u64::try_from(length).is_ok_and(|length| length <= UNPACKED_LIMIT) {
        return Ok(content);
    }
    Err(SnapshotError::damaged("gzip", "it unpacks to more than any profile has"))
}

/// A kind as text.
pub(crate) fn name(kind: Kind) -> String {
    kind.iter().copied().map(char::from).collect()
}

fn checksum(kind: Kind, packed: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(&kind);
    crc.update(packed);
    crc.sum()
}
