// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::{Builder, Meta, Names, Profile, Sample, Unreadable};

fn sample(file: &'static str, line: u32) -> Sample<'static> {
    let (func, module, extra) = ("f", None, Vec::new());
    Sample { file, line, func, module, bytes: 0, calls: 0, accurate: true, clipped: false, merged: 1, extra }
}

/// A profile with something unusual in every column.
fn profile() -> Profile {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    for sample in [
        Sample { bytes: -5, calls: i64::from(i32::MAX), ..sample("a.c", 0) },
        Sample { module: Some("m"), bytes: 1 << 61, calls: -1, accurate: false, merged: 5, ..sample("a.c", u32::MAX) },
        Sample { clipped: true, extra: vec![("node0", "4096"), ("peak", "ä")], ..sample("<b::C>", 1) },
    ] {
        builder.push(&sample).unwrap();
    }
    builder.inherit_unreadable(Unreadable { count: 2, first: Some("line 7: odd".into()) });
    let meta = Meta { boot_id: Some("x".into()), uptime_ms: Some(5), content_id: Some(u64::MAX), ..Meta::default() };
    builder.finish(meta)
}

fn read(bytes: &[u8]) -> Result<Profile, SnapshotError> {
    decode(bytes, &mut Names::new())
}

/// Puts a changed block in the place of the first one of its kind.
fn with_block(kind: &[u8; 4], new_kind: [u8; 4], change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let bytes = encode(&profile());
    let mut out = bytes[..MAGIC.len() + 2].to_vec();
    let mut rest = &bytes[MAGIC.len() + 2..];
    while !rest.is_empty() {
        let (found, packed) = block::take(&mut rest).unwrap();
        let mut content = block::unpack(packed).unwrap();
        if found == *kind {
            change(&mut content);
            block::put(&mut out, new_kind, &content);
        } else {
            block::put(&mut out, found, &content);
        }
    }
    out
}

#[test]
fn a_profile_comes_back_as_it_was() {
    let profile = profile();
    assert_eq!(read(&encode(&profile)).unwrap(), profile);
    let empty = Builder::new(&mut Names::new()).finish(Meta::default());
    assert_eq!(read(&encode(&empty)).unwrap(), empty);
}

#[test]
fn a_snapshot_that_is_cut_off_anywhere_is_told_from_a_whole_one() {
    let bytes = encode(&profile());
    for end in 0..bytes.len() {
        assert_eq!(read(&bytes[..end]).unwrap_err(), SnapshotError::Cut, "cut at {end}");
    }
}

#[test]
fn no_flipped_bit_goes_unnoticed() {
    let bytes = encode(&profile());
    let minor = MAGIC.len() + 1;
    for at in (0..bytes.len()).filter(|&at| at != minor) {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            assert!(read(&damaged).is_err(), "byte {at}, bit {bit}");
        }
    }
}

#[test]
fn what_a_later_version_adds_is_skipped() {
    let mut minor = encode(&profile());
    minor[MAGIC.len() + 1] = 9;
    let column = |content: &mut Vec<u8>| {
        // One column more, and the first one in front of all: name, encoding, length, values.
        content[1] += 2;
        content.extend(b"\x04node\x02\x03\x01\x02\x03");
        content.splice(2..2, *b"\x04file\x09\x01\xff");
    };
    for (bytes, what) in [
        (minor, "a minor version"),
        (with_block(b"ROWS", *b"ROWS", column), "columns"),
        (
            with_block(b"META", *b"META", |json| {
                json.splice(1..1, *b"\"new\":[1],");
            }),
            "a field",
        ),
        (
            [with_block(b"DONE", *b"more", |_| ()), encode(&profile())[encode(&profile()).len() - done()..].to_vec()]
                .concat(),
            "a block",
        ),
    ] {
        assert_eq!(read(&bytes).map(|read| read.rows().to_vec()), Ok(profile().rows().to_vec()), "{what}");
    }
}

/// Bytes that the block `DONE` takes.
fn done() -> usize {
    let mut out = Vec::new();
    block::put(&mut out, *b"DONE", &[3]);
    out.len()
}

#[test]
fn what_must_be_understood_is_refused() {
    let mut major = encode(&profile());
    major[MAGIC.len()] = 2;
    assert_eq!(read(&major).unwrap_err(), SnapshotError::Newer(2));
    let unknown = with_block(b"META", *b"Meta", |_| ());
    assert_eq!(read(&unknown).unwrap_err(), SnapshotError::UnknownBlock("Meta".into()));
    let missing = with_block(b"STRS", *b"strs", |_| ());
    assert!(read(&missing).unwrap_err().to_string().contains("STRS is missing"));
    let behind = [encode(&profile()), b"x".to_vec()].concat();
    assert!(read(&behind).unwrap_err().to_string().contains("something comes behind it"));
}

#[test]
fn damage_under_a_right_checksum_is_refused() {
    type Change = fn(&mut Vec<u8>);
    let cases: [(&[u8; 4], Change, &str); 9] = [
        (b"ROWS", |c| c[0] = 4, "the column file is broken"),
        (b"ROWS", |c| *c = vec![0xff, 0xff, 0xff, 0xff, 0x0f, 0], "the column file is missing"),
        (b"ROWS", |c| c.truncate(20), "it is too short"),
        (b"ROWS", |c| c.push(0), "something comes behind the columns"),
        (b"ROWS", |c| c[9] = 99, "row 0 names no call site"),
        (b"STRS", |c| c[0] = 200, "no table of names"),
        (b"STRS", |c| c[2] = b'\n', "no table of names"),
        (b"DONE", |c| c[0] = 2, "another number of rows"),
        (b"META", |c| c[0] = b'x', "META"),
    ];
    for (kind, change, expected) in cases {
        let error = read(&with_block(kind, *kind, change)).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

#[test]
fn what_a_snapshot_says_cannot_drive_a_terminal() {
    for (meta, expected) in [
        (
            r#"{"meta": {"uname": {"release": "\u001b[2J", "version": "", "machine": "", "node": ""}}}"#,
            "control characters",
        ),
        (r#"{"meta": {"boot_id": "\u009b31m"}}"#, "control characters"),
        (r#"{"meta": {"memory": {"\u0007": 1}}}"#, "control characters"),
        (r#"{"unreadable": {"count": 1, "first": "line 1\n"}}"#, "control characters"),
        (r#"{"meta": {"source": "\u001b[2J"}}"#, "line 1, column "),
    ] {
        let error = read(&with_block(b"META", *b"META", |content| *content = meta.into())).unwrap_err().to_string();
        assert!(error.contains(expected) && !error.contains(char::is_control), "{error:?}");
    }
}
