// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;

fn pieces() -> Vec<Piece<'static>> {
    let task = Task { process: 7, name: "sh".into() };
    vec![
        Piece::Pages(3, vec![1; 5000].into()),
        Piece::Tasks([(8, task)].into()),
        Piece::Callers([(u64::MAX, "f+0x1".into())].into()),
        Piece::Mark(u64::MAX),
        Piece::Pages(0, Vec::new().into()),
        Piece::Tail(Tail { end: 9, ..Tail::default() }),
    ]
}

fn head() -> Head {
    Head { release: "7.3.4".into(), page_size: 4096, command: Some(vec!["true".into()]), ..Head::default() }
}

fn written() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &head()).unwrap();
    pieces().iter().for_each(|piece| writer.put(piece).unwrap());
    bytes
}

/// The pieces that there are, and what comes instead of more.
fn read(bytes: &[u8]) -> (Vec<Piece<'static>>, Option<String>) {
    let mut reader = match Reader::new(bytes) {
        Ok((_, reader)) => reader,
        Err(error) => return (Vec::new(), Some(error.to_string())),
    };
    let mut found = Vec::new();
    loop {
        match reader.piece() {
            Ok(Some(piece)) => found.push(piece),
            Ok(None) => return (found, None),
            Err(error) => return (found, Some(error.to_string())),
        }
    }
}

#[test]
fn what_was_written_is_read() {
    assert_eq!(read(&written()), (pieces(), None));
    assert_eq!(Reader::new(written().as_slice()).unwrap().0, head());
}

#[test]
fn a_file_that_was_cut_off_has_what_is_whole_of_it() {
    let bytes = written();
    let mut most = 0;
    for end in 1..bytes.len() {
        let (found, problem) = read(&bytes[..end]);
        assert_eq!(problem.as_deref(), Some("is a trace that was cut off"), "{end}");
        assert_eq!(found, pieces()[..found.len()], "{end}");
        most = most.max(found.len());
    }
    assert_eq!(most, pieces().len() - 1);
}

#[test]
fn what_is_wrong_is_told() {
    let bytes = written();
    let changed = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        bytes
    };
    let foreign = [&MAGIC[..], &[MAJOR, MINOR]].concat();
    let with = |kind: Kind, content: &[u8]| {
        let mut bytes = foreign.clone();
        block::put_fast(&mut bytes, kind, content);
        bytes
    };
    for (bytes, expected) in [
        (Vec::new(), "is no trace"),
        (b"allocinfo - version: 2.0\n".to_vec(), "is no trace"),
        (changed(8, 2), "is a trace of version 2"),
        (changed(40, 0xff), "is a damaged trace (block: the checksum of HEAD is wrong)"),
        (changed(17, 0xff), "is a damaged trace (block: it is longer than any)"),
        (changed(10, 0), "is a damaged trace (block: its kind is no four letters)"),
        ([&bytes[..], b"x"].concat(), "is a damaged trace (end: something comes behind it)"),
        (with(*b"MARK", &[0; 8]), "is a damaged trace (HEAD: it is not the first block)"),
        (with(*b"HEAD", b"7"), "is a damaged trace (HEAD: "),
    ] {
        let problem = read(&bytes).1.unwrap_or_default();
        assert!(problem.starts_with(expected), "{problem}");
    }
    for (kind, content, expected) in [
        (*b"PAGE", &[0; 3][..], "PAGE: it is too short"),
        (*b"MARK", &[0; 7], "MARK: it is no time"),
        (*b"TAIL", b"x", "TAIL: "),
        (*b"XTRA", b"", "block: XTRA is not known"),
    ] {
        let mut bytes = Vec::new();
        Writer::new(&mut bytes, &head()).unwrap();
        block::put_fast(&mut bytes, kind, content);
        let problem = read(&bytes).1.unwrap_or_default();
        assert!(problem.contains(expected), "{problem}");
    }
}

#[test]
fn a_block_that_need_not_be_known_is_skipped() {
    let mut bytes = Vec::new();
    Writer::new(&mut bytes, &head()).unwrap();
    block::put_fast(&mut bytes, *b"more", b"?");
    Writer(&mut bytes).put(&Piece::Mark(1)).unwrap();
    assert_eq!(read(&bytes), (vec![Piece::Mark(1)], Some("is a trace that was cut off".to_owned())));
}
