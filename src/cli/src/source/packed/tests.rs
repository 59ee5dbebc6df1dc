// SPDX-License-Identifier: GPL-2.0-only OR MIT

use std::io::Write;

use ruzstd::encoding::{compress_to_vec, CompressionLevel};

use super::*;

const LIMIT: u64 = 1 << 20;
const TEXT: &[u8] = b"8 1 a.c:1 func:f \n9 1 a.c:2 func:g \n";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// `zstd -19 -c` of `TEXT` by version 1.5, with its checksum.
const BY_ZSTD: &[u8] = include_bytes!("../../../tests/data/two-rows.zst");

#[test]
fn packers_are_told_by_their_first_bytes() {
    for (bytes, expected) in [
        (&gzip(TEXT)[..], Some(Packer::Gzip)),
        (&zstd(TEXT), Some(Packer::Zstd)),
        (b"\xfd7zXZ\0", Some(Packer::Xz)),
        (TEXT, None),
        (b"", None),
        (b"\x28\xb5", None),
    ] {
        assert_eq!(Packer::of(bytes), expected);
    }
}

#[test]
fn what_was_packed_is_unpacked_in_one_part_or_in_several() {
    // A frame to be skipped: its magic number, its length, its bytes.
    let skipped = b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec();
    for (packed, times) in [
        (gzip(TEXT), 1),
        (zstd(TEXT), 1),
        (BY_ZSTD.to_vec(), 1),
        ([gzip(TEXT), gzip(TEXT)].concat(), 2),
        ([zstd(TEXT), skipped.clone(), BY_ZSTD.to_vec(), skipped.clone()].concat(), 2),
    ] {
        let unpacked = Packer::of(&packed).unwrap().unpack(&packed, LIMIT).unwrap();
        assert_eq!((unpacked.bytes, unpacked.cut, unpacked.behind), (TEXT.repeat(times), false, 0));
    }
}

#[test]
fn what_lies_behind_the_last_member_is_counted_unless_it_is_nothing() {
    for (behind, times, counted, cut) in [
        (vec![0; 1000], 1, 0, false),
        (b"junk".to_vec(), 1, 4, false),
        (b"\x1fjunk".to_vec(), 1, 5, false),
        ([&[0; 10][..], &gzip(TEXT)].concat(), 1, 10 + gzip(TEXT).len(), false),
        ([&gzip(TEXT)[..], &[0; 3]].concat(), 2, 0, false),
        ([&gzip(b"")[..], b"x"].concat(), 1, 1, false),
        // Which may be the beginning of a member.
        (b"\x1f".to_vec(), 1, 0, true),
        (gzip(TEXT)[..5].to_vec(), 1, 0, true),
    ] {
        let packed = [&gzip(TEXT)[..], &behind].concat();
        let unpacked = Packer::Gzip.unpack(&packed, LIMIT).unwrap();
        let found = (unpacked.bytes, unpacked.behind, unpacked.cut);
        assert_eq!(found, (TEXT.repeat(times), counted, cut), "{behind:?}");
    }
}

#[test]
fn what_is_cut_off_gives_what_is_there_and_says_so() {
    for whole in [gzip(TEXT), zstd(TEXT), BY_ZSTD.to_vec(), [zstd(TEXT), BY_ZSTD.to_vec()].concat()] {
        let packer = Packer::of(&whole).unwrap();
        let expected = packer.unpack(&whole, LIMIT).unwrap().bytes;
        let first = zstd(TEXT).len();
        for length in 4..whole.len() {
            // Between two frames nobody can tell.
            if packer == Packer::Zstd && length == first && whole.starts_with(&zstd(TEXT)) {
                continue;
            }
            let part =
                packer.unpack(&whole[..length], LIMIT).unwrap_or_else(|error| panic!("{packer:?} {length}: {error}"));
            assert!(part.cut && expected.starts_with(&part.bytes), "{packer:?} {length}");
        }
    }
}

#[test]
fn what_is_damaged_is_refused() {
    let mut other_sum = BY_ZSTD.to_vec();
    *other_sum.last_mut().unwrap() ^= 1;
    let mut junk = BY_ZSTD.to_vec();
    junk.extend(b"junk behind it");
    let mut text = gzip(TEXT);
    let middle = text.len() / 2;
    text[middle] ^= 0xff;
    let method = [gzip(TEXT), b"\x1f\x8b\x07 is no method that there is".to_vec()].concat();
    for damaged in [other_sum, junk, text, method] {
        assert!(Packer::of(&damaged).unwrap().unpack(&damaged, LIMIT).is_err());
    }
}

#[test]
fn no_bytes_make_the_unpacker_panic() {
    for at in 4..BY_ZSTD.len() {
        for value in 0..=u8::MAX {
            let mut bytes = BY_ZSTD.to_vec();
            bytes[at] = value;
            let _ = Packer::Zstd.unpack(&bytes, LIMIT);
        }
    }
}

#[test]
fn what_unpacks_without_end_is_given_up() {
    for packed in [gzip(&TEXT.repeat(2)), zstd(&TEXT.repeat(2)), [zstd(TEXT), zstd(TEXT)].concat()] {
        let packer = Packer::of(&packed).unwrap();
        let length = u64::try_from(2 * TEXT.len()).unwrap();
        assert!(packer.unpack(&packed, length).is_ok());
        assert!(packer.unpack(&packed, length - 1).unwrap_err().to_string().contains("is larger than"));
    }
}
