// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Saved profiles: recognises what a file or a pipe holds and decodes it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::{live, text, Request};
use crate::error::{describe, Error, Result};
use crate::model::{Builder, Meta, Names, Origin, Profile};
use crate::snapshot;

/// The largest input taken, in bytes: a text of some four million rows, a hundred times what any kernel has.
pub const SIZE_LIMIT: u64 = 256 << 20;

/// Reads a saved profile; if `path` is procfs's, the running kernel.
///
/// # Errors
///
/// If the file cannot be read or holds no profile.
pub fn read(path: &Path, request: &Request, names: &mut Names) -> Result<Profile> {
    if path == request.procfs.join("allocinfo") {
        // Which can tell more about why it does not open.
        return live::read(request, names);
    }
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::IsADirectory => Error::failed(
            path.display(),
            "is a directory; name a file in it (bundle, check, leak and report take recordings)",
        ),
        _ => Error::failed(path.display(), describe(&error)),
    };
    let file = File::open(path).map_err(failed)?;
    if is_procfs(&file) {
        return live::read_at(path, request, names);
    }
    let room = file.metadata().map_or(0, |metadata| metadata.len());
    let bytes = bounded(file, room, SIZE_LIMIT).map_err(failed)?;
    decode(&bytes, Origin::File(path.to_owned()), names)
}

/// Reads a profile from standard input.
///
/// # Errors
///
/// If it cannot be read or holds no profile.
pub fn read_stdin(names: &mut Names) -> Result<Profile> {
    let bytes =
        bounded(io::stdin().lock(), 0, SIZE_LIMIT).map_err(|error| Error::failed(Origin::Stdin, describe(&error)))?;
    decode(&bytes, Origin::Stdin, names)
}

/// Decodes a profile in any format that is known, gzipped or not.
///
/// # Errors
///
/// If it is none of them, with `origin` in front.
pub fn decode(bytes: &[u8], origin: Origin, names: &mut Names) -> Result<Profile> {
    const GZIP: &[u8] = &[0x1f, 0x8b];
    const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
    const XZ: &[u8] = &[0xfd, b'7', b'z', b'X', b'Z'];
    let packed =
        |tool: &str| Err(Error::failed(&origin, format!("is compressed; unpack it: {tool} FILE | alloctag list -")));
    match bytes {
        _ if bytes.starts_with(GZIP) => {
            let unpacked = bounded(MultiGzDecoder::new(bytes), 0, SIZE_LIMIT)
                .map_err(|error| Error::failed(&origin, format!("gzip: {}", describe(&error))))?;
            decode_unpacked(&unpacked, origin, names)
        }
        _ if bytes.starts_with(ZSTD) => packed("zstdcat"),
        _ if bytes.starts_with(XZ) => packed("xzcat"),
        _ => decode_unpacked(bytes, origin, names),
    }
}

fn decode_unpacked(bytes: &[u8], origin: Origin, names: &mut Names) -> Result<Profile> {
    if bytes.starts_with(snapshot::MAGIC) {
        let mut profile = snapshot::decode(bytes, names).map_err(|error| Error::failed(&origin, error))?;
        profile.meta.origin = origin;
        return Ok(profile);
    }
    decode_text(bytes, origin, names)
}

fn decode_text(bytes: &[u8], origin: Origin, names: &mut Names) -> Result<Profile> {
    let mut builder = Builder::new(names);
    let version = text::parse(bytes, &mut builder).map_err(|error| Error::failed(&origin, error))?;
    Ok(builder.finish(Meta { origin, version, ..Meta::default() }))
}

/// Reads to the end, but no more than `limit` bytes. `room` is how many are expected.
fn bounded(source: impl Read, room: u64, limit: u64) -> io::Result<Vec<u8>> {
    // One more byte, so that the end is seen without making room for more.
    let mut bytes = Vec::with_capacity(usize::try_from(room.min(limit) + 1).unwrap_or(0));
    source.take(limit + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= limit) {
        return Ok(bytes);
    }
    Err(io::Error::other(format!("is larger than {} MiB: this is no profile", limit >> 20)))
}

fn is_procfs(file: &File) -> bool {
    rustix::fs::fstatfs(file).is_ok_and(|status| status.f_type == rustix::fs::PROC_SUPER_MAGIC)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const TEXT: &[u8] = b"8 1 a.c:1 func:f \n";

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn text_is_read_packed_or_not() {
        for bytes in [TEXT.to_vec(), gzip(TEXT), [gzip(TEXT), gzip(b"9 1 a.c:2 func:f \n")].concat()] {
            let profile = decode(&bytes, Origin::Stdin, &mut Names::new()).unwrap();
            assert_eq!(profile.rows()[0].bytes, 8);
        }
    }

    #[test]
    fn other_packing_and_damage_are_told_in_one_line() {
        let whole = gzip(TEXT);
        for (bytes, expected) in [
            (b"\x28\xb5\x2f\xfd....".to_vec(), "zstdcat"),
            (b"\xfd7zXZ\0".to_vec(), "xzcat"),
            (whole[..whole.len() - 9].to_vec(), "gzip"),
            (b"\x1f\x8b\x08\x00broken".to_vec(), "gzip"),
            (gzip(b"no rows here\n"), "is not the text of /proc/allocinfo"),
        ] {
            let error = decode(&bytes, Origin::Stdin, &mut Names::new()).unwrap_err().to_string();
            assert!(error.starts_with("standard input: ") && error.contains(expected), "{error}");
            assert_eq!(error.lines().count(), 1);
        }
    }

    #[test]
    fn input_is_bounded() {
        assert!(bounded(io::repeat(b'x'), 9, 1 << 20).is_err());
        assert_eq!(bounded(&b"abc"[..], 0, 3).unwrap(), b"abc");
    }
}
