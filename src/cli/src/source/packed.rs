// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Compressed input: which packer made it, and what is in it.
//!
//! Where the input was cut off, as by a disk that ran full, what could be unpacked before is kept: a text that was cut off
//! gives its rows, and a packed one gives as many. What lies behind the end of what gzip packed is taken as gzip(1) takes it.

use std::io::{self, Read};

use flate2::bufread::GzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::StreamingDecoder;

/// A packer whose files are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packer {
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstd,
    /// Told by name, and not unpacked.
    Xz,
}

const MAGIC: [(&[u8], Packer); 3] = [
    (&[0x1f, 0x8b], Packer::Gzip),
    (&[0x28, 0xb5, 0x2f, 0xfd], Packer::Zstd),
    (&[0xfd, b'7', b'z', b'X', b'Z'], Packer::Xz),
];

/// What was in the input.
#[derive(Debug)]
pub(super) struct Unpacked {
    pub(super) bytes: Vec<u8>,
    /// Whether the input ends before what is packed in it does.
    pub(super) cut: bool,
    /// Bytes behind what is packed that are none of it.
    pub(super) behind: usize,
}

impl Packer {
    /// The packer of `bytes`; `None` if they are not packed.
    pub(super) fn of(bytes: &[u8]) -> Option<Packer> {
        MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|entry| entry.1)
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Packer::Gzip => "gzip",
            Packer::Zstd => "zstd",
            Packer::Xz => "xz",
        }
    }

    /// Unpacks `bytes` to at most `limit` of them.
    ///
    /// # Errors
    ///
    /// If they are damaged, too many, or this packer is none whose files are unpacked.
    pub(super) fn unpack(self, bytes: &[u8], limit: u64) -> io::Result<Unpacked> {
        let mut unpacked = Unpacked { bytes: Vec::new(), cut: false, behind: 0 };
        let ended = match self {
            Packer::Gzip => gzip(bytes, &mut unpacked, limit),
            Packer::Zstd => zstd(bytes, &mut unpacked.bytes, limit),
            Packer::Xz => Err(io::Error::from(io::ErrorKind::Unsupported)),
        }?;
        unpacked.cut = !ended;
        Ok(unpacked)
    }
}

/// The first two bytes of a member.
const MEMBER: &[u8] = MAGIC[0].0;

/// Unpacks member after member; whether the last one is whole. Zeroes behind it fill up a block, of a tape for instance; other
/// bytes are counted.
fn gzip(mut bytes: &[u8], out: &mut Unpacked, limit: u64) -> io::Result<bool> {
    loop {
        let mut decoder = GzDecoder::new(bytes);
        match drain(&mut decoder, &mut out.bytes, limit) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            drained => drained?,
        };
        bytes = decoder.into_inner();
        if !bytes.starts_with(MEMBER) {
            break;
        }
    }
    let ended = bytes != &MEMBER[..1];
    if ended && bytes.iter().any(|&byte| byte != 0) {
        out.behind = bytes.len();
    }
    Ok(ended)
}

/// The most bytes that the head of a frame takes: magic number, descriptor, window, dictionary, size (RFC 8878, 3.1.1.1).
const ZSTD_HEAD: usize = 18;

/// Unpacks frame after frame; whether the last one is whole.
fn zstd(mut bytes: &[u8], out: &mut Vec<u8>, limit: u64) -> io::Result<bool> {
    use FrameDecoderError::ReadFrameHeaderError as Head;
    use ReadFrameHeaderError::{BadMagicNumber, SkipFrame};
    while !bytes.is_empty() {
        let mut decoder = match StreamingDecoder::new(bytes) {
            Ok(decoder) => decoder,
            Err(Head(SkipFrame { length, .. })) => {
                // What somebody put in beside the data, behind a magic number and a length of 4 bytes each.
                let end = usize::try_from(length).ok().and_then(|length| length.checked_add(8));
                let Some(rest) = end.and_then(|end| bytes.get(end..)) else { return Ok(false) };
                bytes = rest;
                continue;
            }
            Err(error) if bytes.len() >= ZSTD_HEAD || matches!(error, Head(BadMagicNumber(_))) => {
                return Err(io::Error::other(error));
            }
            Err(_) => return Ok(false),
        };
        let drained = drain(&mut decoder, out, limit);
        let sums = (decoder.decoder.get_checksum_from_data(), decoder.decoder.get_calculated_checksum());
        let finished = decoder.decoder.is_finished();
        bytes = decoder.into_inner();
        match drained {
            // The decoder gives no kind to an end that came too early: it has used up everything.
            Err(_) if bytes.is_empty() && !finished => return Ok(false),
            Err(error) => return Err(error),
            Ok(_) if matches!(sums, (Some(told), Some(found)) if told != found) => {
                return Err(io::Error::other("its checksum is another one"));
            }
            Ok(_) => {}
        }
    }
    Ok(true)
}

/// Reads to the end and says that it did, with all of `out` within `limit`. What came before an error is in `out`.
fn drain(source: impl Read, out: &mut Vec<u8>, limit: u64) -> io::Result<bool> {
    let length = |out: &Vec<u8>| u64::try_from(out.len()).unwrap_or(u64::MAX);
    // One more byte, so that the end is seen.
    source.take((limit + 1).saturating_sub(length(out))).read_to_end(out)?;
    if length(out) > limit {
        return Err(too_large(limit));
    }
    Ok(true)
}

/// What is wrong with an input of more than `limit` bytes.
pub(super) fn too_large(limit: u64) -> io::Error {
    io::Error::other(format!("is larger than {} MiB: this is no profile", limit >> 20))
}

#[cfg(test)]
#[path = "packed/tests.rs"]
mod tests;
