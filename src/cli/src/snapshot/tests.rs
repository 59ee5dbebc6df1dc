// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::{Builder, Meta, Names, Number, Numbers, Profile, Sample, Unreadable};

fn sample(file: &'static str, line: u32) -> Sample<'static> {
    let (func, module, merged, numbers, extra) = ("f", None, 1, Numbers::NONE, Vec::new());
    Sample { file, line, func, module, bytes: 0, calls: 0, accurate: true, clipped: false, merged, numbers, extra }
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

/// Rows as `LINE:BYTES:CALLS`, of which some have something besides.
fn rows(words: &str) -> Profile {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    for word in words.split_ascii_whitespace() {
        let numbers: Vec<i64> = word.trim_end_matches(['!', '*', '+']).split(':').map(|n| n.parse().unwrap()).collect();
        let line = numbers[0].try_into().unwrap();
        let module = (line > 50).then_some("m");
        let extra = if word.ends_with('+') { vec![("node", "1")] } else { Vec::new() };
        let (accurate, merged) = (!word.ends_with('!'), if word.ends_with('*') { 2 } else { 1 });
        let sample =
            Sample { bytes: numbers[1], calls: numbers[2], module, accurate, merged, extra, ..sample("a.c", line) };
        builder.push(&sample).unwrap();
    }
    builder.finish(Meta { boot_id: Some("b".into()), ..Meta::default() })
}

fn base_of(profile: &Profile) -> Base {
    Base { name: "00000001-x.alloctag".into(), checksum: 7, rows: profile.rows().to_vec() }
}

#[test]
fn a_profile_that_rests_on_another_comes_back_as_it_was() {
    let before = "1:10:1 2:20:2 3:30:3 60:40:4 61:50:5";
    for after in [
        before,
        "",
        "1:11:2 2:20:2 3:-30:-3 60:4611686018427387000:4 61:0:0",
        // A module has gone, another has come in the middle, and the order is another one.
        "1:10:1 70:7:7 2:20:2 71:8:8 3:31:3",
        "61:50:5 3:30:3 1:10:1",
        "9:1:1",
        // What is not a number has changed.
        "1:10:1! 2:20:2* 3:30:3+ 60:41:4 61:50:5",
    ] {
        let (before, after) = (rows(before), rows(after));
        let bytes = encode_on(&after, &base_of(&before));
        assert_eq!(decode_on(&bytes, Some(before.rows()), &mut Names::new()).unwrap(), after);
        let rest = rest(&bytes).unwrap().unwrap();
        assert_eq!((rest.name.as_str(), rest.checksum), ("00000001-x.alloctag", 7));
        assert_eq!(read(&bytes).unwrap_err(), SnapshotError::Rests("00000001-x.alloctag".into()));
        assert_eq!(meta(&bytes).unwrap(), after.meta);
    }
    assert_eq!(rest(&encode(&rows(before))), Ok(None));
}

#[test]
fn a_snapshot_on_a_base_is_cut_or_damaged_anywhere_and_it_is_noticed() {
    let before = rows("1:10:1 2:20:2");
    let bytes = encode_on(&rows("1:11:1 5:5:5 2:20:2"), &base_of(&before));
    let read = |bytes: &[u8]| decode_on(bytes, Some(before.rows()), &mut Names::new());
    for end in 0..bytes.len() {
        assert_eq!(read(&bytes[..end]).unwrap_err(), SnapshotError::Cut, "cut at {end}");
    }
    for at in (0..bytes.len()).filter(|&at| at != MAGIC.len() + 1) {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            assert!(read(&damaged).is_err(), "byte {at}, bit {bit}");
        }
    }
    // The right blocks on another base.
    for other in ["1:10:1", "", "1:4611686018427387000:1 2:1:1 3:1:1"] {
        let other = rows(other);
        let found = decode_on(&bytes, Some(other.rows()), &mut Names::new());
        assert!(found.is_err() || other.rows().len() == 3, "{found:?}");
    }
}

#[test]
fn a_base_is_a_file_beside_it() {
    for (name, expected) in [
        ("00000001-x.alloctag", true),
        ("", false),
        ("../x", false),
        ("/etc/passwd", false),
        (".hidden", false),
        ("a\nb", false),
    ] {
        let base = Base { name: name.into(), ..base_of(&rows("1:1:1")) };
        let found = rest(&encode_on(&rows("1:1:1"), &base));
        assert_eq!(found.is_ok(), expected, "{name}: {found:?}");
    }
}

#[test]
fn blocks_about_a_base_that_make_no_sense_are_refused() {
    let before = rows("1:10:1 2:20:2");
    type Blocks<'b> = [(&'b [u8; 4], Vec<u8>)];
    let bytes = |blocks: &Blocks<'_>| {
        let mut out = encode_on(&before, &base_of(&before))[..MAGIC.len() + 2].to_vec();
        blocks.iter().for_each(|(kind, content)| block::put(&mut out, **kind, content));
        out
    };
    let meta = || (b"META", b"{}".to_vec());
    let none = || [(b"STRS", vec![0]), (b"ROWS", Vec::new())];
    let empty = {
        let bytes = encode(&rows(""));
        let mut rest = &bytes[MAGIC.len() + 2..];
        let mut rows = Vec::new();
        while let Ok((kind, packed)) = block::take(&mut rest) {
            if kind == *b"ROWS" {
                rows = block::unpack(packed).unwrap();
            }
        }
        rows
    };
    let [strings, (rows_kind, _)] = none();
    for (diff, done, expected) in [
        // Two rows in the base's order, nothing added.
        (vec![2, 2, 1, 1, 2, 0, 0, 2, 0, 0], 2, None),
        (vec![2, 2, 1, 1, 2, 0, 0, 2, 0, 0], 1, Some("another number of rows")),
        // More rows than there are.
        (vec![3, 3, 1, 1, 1, 3, 0, 0, 0, 3, 0, 0, 0], 3, Some("it does not fit its base")),
        // One behind the last, and one before the first.
        (vec![1, 1, 5, 1, 0, 1, 0], 1, Some("it does not fit its base")),
        (vec![1, 1, 2, 1, 0, 1, 0], 1, Some("it does not fit its base")),
        // Columns too short, too long, or of another length than they say.
        (vec![2, 2, 1, 1, 1, 0, 2, 0, 0], 2, Some("it does not fit its base")),
        (vec![2, 2, 1, 1, 3, 0, 0, 0, 2, 0, 0], 2, Some("it does not fit its base")),
        (vec![2, 2, 1, 1, 2, 0, 0, 9, 0, 0], 2, Some("it does not fit its base")),
        (vec![2, 2, 1, 1, 2, 0, 0, 2, 0, 0, 0], 2, Some("it does not fit its base")),
        // A new row that is not among the new ones.
        (vec![1, 1, 0, 0, 0], 1, Some("row 0 names no call site")),
    ] {
        let on = (b"BASE", b"\x01a\x07".to_vec());
        let blocks =
            [meta(), on, (b"DIFF", diff.clone()), strings.clone(), (rows_kind, empty.clone()), (b"DONE", vec![done])];
        let found = decode_on(&bytes(&blocks), Some(before.rows()), &mut Names::new());
        match expected {
            None => assert_eq!(found.unwrap().rows(), before.rows()),
            Some(problem) => {
                assert!(found.as_ref().is_err_and(|error| error.to_string().contains(problem)), "{diff:?}: {found:?}")
            }
        }
    }
    for missing in [b"BASE", b"DIFF"] {
        let both = [(b"BASE", b"\x01a\x07".to_vec()), (b"DIFF", vec![0, 0, 0, 0])];
        let mut blocks = vec![meta(), strings.clone(), (rows_kind, empty.clone())];
        blocks.extend(both.into_iter().filter(|(kind, _)| *kind != missing));
        blocks.push((b"DONE", vec![0]));
        let error = decode_on(&bytes(&blocks), Some(before.rows()), &mut Names::new()).unwrap_err();
        assert!(error.to_string().contains("BASE or DIFF is missing"), "{error}");
    }
}

/// Rows of which the kernel counts so much besides.
fn counted(numbers: &[Numbers]) -> Profile {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    for (numbers, line) in numbers.iter().zip(1..) {
        builder.push(&Sample { bytes: 8, calls: 1, numbers: numbers.clone(), ..sample("a.c", line) }).unwrap();
    }
    builder.finish(Meta::default())
}

#[test]
fn what_kernels_count_besides_comes_back_as_it_was_and_old_bytes_stay_as_they_are() {
    let all = || Number::all().zip(-2..).collect::<Numbers>();
    let none = || Numbers::NONE;
    let far = || none().with(Number::Allocated, 1 << 61).with(Number::Slack, 0);
    let before = counted(&[all(), none(), far()]);
    assert_eq!(read(&encode(&before)).unwrap(), before);
    for numbers in [[all(), none(), far()], [none(), none(), none()], [far(), all(), all()], [far(), all(), none()]] {
        let after = counted(&numbers);
        let bytes = encode_on(&after, &base_of(&before));
        assert_eq!(decode_on(&bytes, Some(before.rows()), &mut Names::new()).unwrap(), after);
        let minor =
            if after.rows().iter().all(|row| row.numbers.is_empty()) { MINOR_ON_BASE } else { MINOR_WITH_NUMBERS };
        assert_eq!(bytes[MAGIC.len() + 1], minor);
    }
    assert_eq!(encode(&profile())[MAGIC.len() + 1], MINOR, "nothing is new in a profile without them");
}

#[test]
fn a_column_of_numbers_that_is_broken_is_noticed() {
    let before = counted(&[Numbers::NONE.with(Number::Slack, 5)]);
    for more in [vec![], vec![1, 5], vec![1, 1, b'x', 9], vec![1, 5, b's', b'l', b'a', b'c', b'k', 0], vec![0, 0]] {
        let bytes = encode_on(&before, &base_of(&before));
        let mut out = bytes[..MAGIC.len() + 2].to_vec();
        let mut rest = &bytes[MAGIC.len() + 2..];
        while let Ok((kind, packed)) = block::take(&mut rest) {
            let content = block::unpack(packed).unwrap();
            block::put(&mut out, kind, if kind == *b"more" { &more } else { &content });
        }
        let error = decode_on(&out, Some(before.rows()), &mut Names::new()).unwrap_err().to_string();
        assert!(error.contains("it does not fit its base"), "{more:?}: {error}");
    }
}

/// The same with contexts, as a kernel has shown them.
fn with_contexts() -> Profile {
    let text = include_bytes!("../../tests/data/contexts-later-1.0.txt");
    let contexts = crate::source::contexts::parse(text, &mut Names::new()).unwrap();
    let mut profile = profile();
    profile.contexts = contexts;
    profile
}

#[test]
fn contexts_that_could_not_be_read_are_told_for_ever() {
    // Beside others, and alone.
    for text in ["contexts - version: 1.0\n8 1 a.c:1 func:f ctx:1\n8 x\n9 y\n", "contexts - version: 1.0\n8 x\n9 y\n"] {
        let contexts = crate::source::contexts::parse(text.as_bytes(), &mut Names::new()).unwrap();
        assert_eq!(contexts.unreadable().count, 2);
        let mut profile = profile();
        profile.contexts = contexts;
        let once = read(&encode(&profile)).unwrap();
        assert_eq!(once, profile);
        assert_eq!(read(&encode(&once)).unwrap(), profile);
    }
}

#[test]
fn contexts_come_back_as_they_were_and_old_readers_skip_them() {
    let profile = with_contexts();
    let bytes = encode(&profile);
    assert_eq!((read(&bytes).unwrap(), bytes[MAGIC.len() + 1]), (profile.clone(), MINOR_WITH_CONTEXTS));
    let on_base = encode_on(&profile, &base_of(&profile));
    assert_eq!(decode_on(&on_base, Some(profile.rows()), &mut Names::new()).unwrap(), profile);
    // A block of this kind is skipped by whoever does not know it: what is left is what there was without.
    let mut out = bytes[..MAGIC.len() + 2].to_vec();
    let mut rest = &bytes[MAGIC.len() + 2..];
    while let Ok((kind, packed)) = block::take(&mut rest) {
        let text = b"contexts - version: 2.0\n".to_vec();
        let content = if kind == *b"ctxs" { text } else { block::unpack(packed).unwrap() };
        block::put(&mut out, kind, &content);
    }
    assert!(b"ctxs"[0].is_ascii_lowercase());
    let read = read(&out).unwrap();
    assert!(read.contexts.is_empty() && read.rows() == profile.rows(), "so are those of a later version");
}
