// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Saved profiles: recognises what a file or a pipe holds and decodes it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::packed::{too_large, Packer};
use super::{base, contexts, live, text, timings, Request};
use crate::error::{describe, Error, Result};
use crate::model::{Builder, Meta, Names, Origin, Profile};
use crate::render::units::count;
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
        io::ErrorKind::IsADirectory => Error::failed(path.display(), "is a directory; name a file in it"),
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

/// Decodes a profile in any format that is known, packed or not.
///
/// # Errors
///
/// If it is none of them, with `origin` in front.
pub fn decode(bytes: &[u8], origin: Origin, names: &mut Names) -> Result<Profile> {
    let Some(packer) = Packer::of(bytes) else { return decode_unpacked(bytes, false, origin, names) };
    if packer == Packer::Xz {
        return Err(Error::failed(&origin, "is compressed; unpack it: xzcat FILE | alloctag list -"));
    }
    let failed = |problem: &str| Error::failed(&origin, format!("{}: {problem}", packer.name()));
    let unpacked = packer.unpack(bytes, SIZE_LIMIT).map_err(|error| failed(&describe(&error)))?;
    if unpacked.cut && (unpacked.bytes.is_empty() || unpacked.bytes.starts_with(snapshot::MAGIC)) {
        return Err(failed("it was cut off"));
    }
    let mut profile = decode_unpacked(&unpacked.bytes, unpacked.cut, origin, names)?;
    profile.meta.behind = unpacked.behind;
    Ok(profile)
}

/// Decodes what was not packed, or is no more. `cut`: its end is missing.
fn decode_unpacked(bytes: &[u8], cut: bool, origin: Origin, names: &mut Names) -> Result<Profile> {
    if bytes.starts_with(snapshot::MAGIC) {
        let failed = |error| Error::failed(&origin, error);
        let rest = snapshot::rest(bytes).map_err(failed)?;
        let base = match (rest, &origin) {
            (Some(rest), Origin::File(path)) => Some(base::rows(path, &rest, names)?),
            _ => None,
        };
        let mut profile = snapshot::decode_on(bytes, base.as_deref(), names).map_err(failed)?;
        profile.meta.origin = origin;
        return Ok(profile);
    }
    if contexts::is_contexts(bytes) {
        let contexts = contexts::parse(bytes, names).map_err(|error| Error::failed(&origin, error))?;
        return Ok(Profile::of_contexts(contexts, Meta { origin, ..Meta::default() }));
    }
    if timings::is_timings(bytes) {
        let timings = timings::parse(bytes, names).map_err(|error| Error::failed(&origin, error))?;
        return Ok(Profile::of_timings(timings, Meta { origin, ..Meta::default() }));
    }
    let mut builder = Builder::new(names);
    let version = text::parse(bytes, &mut builder).map_err(|error| Error::failed(&origin, error))?;
    // A line that does not end has been counted.
    if cut && bytes.ends_with(b"\n") {
        builder.unreadable(|| "the end".to_owned(), "it is missing: the file was cut off");
    }
    Ok(builder.finish(Meta { origin, version, ..Meta::default() }))
}

/// What of a file was ignored, in words.
pub fn ignored(meta: &Meta) -> Option<String> {
    let bytes = || count(meta.behind, "byte");
    (meta.behind > 0).then(|| format!("ignored {} behind the end of what gzip packed", bytes()))
}

/// Reads to the end, but no more than `limit` bytes. `room` is how many are expected.
fn bounded(source: impl Read, room: u64, limit: u64) -> io::Result<Vec<u8>> {
    // One more byte, so that the end is seen without making room for more.
    let mut bytes = Vec::with_capacity(usize::try_from(room.min(limit) + 1).unwrap_or(0));
    source.take(limit + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= limit) {
        return Ok(bytes);
    }
    Err(too_large(limit))
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
            (b"\x28\xb5\x2f\xfd....".to_vec(), "zstd"),
            (b"\xfd7zXZ\0".to_vec(), "xzcat"),
            (whole[..10].to_vec(), "gzip: it was cut off"),
            (b"\x1f\x8b\x08\x00broken".to_vec(), "gzip"),
            (gzip(b"no rows here\n"), "is not the text of /proc/allocinfo"),
        ] {
            let error = decode(&bytes, Origin::Stdin, &mut Names::new()).unwrap_err().to_string();
            assert!(error.starts_with("standard input: ") && error.contains(expected), "{error}");
            assert_eq!(error.lines().count(), 1);
        }
    }

    #[test]
    fn a_packed_text_that_was_cut_off_gives_the_rows_that_are_there() {
        let text: String = (0..500).map(|line| format!("{line} 1 a.c:{line} func:f{line} \n")).collect();
        let whole = gzip(text.as_bytes());
        let part = decode(&whole[..whole.len() / 2], Origin::Stdin, &mut Names::new()).unwrap();
        let all = decode(&whole, Origin::Stdin, &mut Names::new()).unwrap();
        assert_eq!((part.unreadable().count, all.unreadable().count), (1, 0));
        assert!(part.rows().len() > 100 && part.rows().iter().zip(all.rows()).all(|(a, b)| a == b));
        // All of the text is there, and only the packer's own end is missing.
        let text_alone = decode(&whole[..whole.len() - 8], Origin::Stdin, &mut Names::new()).unwrap();
        assert_eq!((text_alone.rows().len(), text_alone.unreadable().count), (500, 1));
    }

    #[test]
    fn input_is_bounded() {
        assert!(bounded(io::repeat(b'x'), 9, 1 << 20).is_err());
        assert_eq!(bounded(&b"abc"[..], 0, 3).unwrap(), b"abc");
    }
}
