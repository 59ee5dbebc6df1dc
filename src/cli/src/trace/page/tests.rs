// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;

const HEADER: &str = include_str!("../../../tests/data/trace/header_page.txt");
const TIME: u64 = 1_000_000;

/// A page with these records, whose commit has these bits besides.
fn page(records: &[u8], bits: u64, behind: &[u8]) -> Vec<u8> {
    let mut page = TIME.to_le_bytes().to_vec();
    page.extend((u64::try_from(records.len()).unwrap() | bits).to_le_bytes());
    page.extend(records);
    page.extend(behind);
    page.resize(4096, 0);
    page
}

fn word(kind: u32, delta: u32) -> Vec<u8> {
    (kind | delta << KIND_BITS).to_le_bytes().to_vec()
}

/// The times and first bytes of events, and whether all is sound.
fn read(records: &[u8]) -> (Vec<(u64, Vec<u8>)>, bool) {
    let page = page(records, 0, &[]);
    let mut found = Vec::new();
    for record in Layout::parse(HEADER).unwrap().read(&page).unwrap().records {
        match record {
            Ok(record) => found.push((record.time - TIME, record.event.to_vec())),
            Err(Damaged) => return (found, false),
        }
    }
    (found, true)
}

#[test]
fn every_kind_of_record_has_its_length_and_its_time() {
    let short = [word(1, 5), b"abcd".to_vec()].concat();
    let long = [word(0, 7), 12u32.to_le_bytes().to_vec(), b"efghijkl".to_vec()].concat();
    let longest = [word(28, 1), vec![b'x'; 112]].concat();
    let discarded = [word(29, 3), 8u32.to_le_bytes().to_vec(), vec![0xff; 4]].concat();
    let extend = [word(30, 9), 2u32.to_le_bytes().to_vec()].concat();
    let stamp = [word(31, 4), 1u32.to_le_bytes().to_vec()].concat();
    let (a, b) = (|time| (time, b"abcd".to_vec()), |time| (time, b"efghijkl".to_vec()));
    let stamped = (1u64 << 27) + 4 - TIME;
    for (name, records, expected) in [
        ("nothing", vec![], vec![]),
        ("short", short.clone(), vec![a(5)]),
        ("long", long.clone(), vec![b(7)]),
        ("as long as a short one can be", longest, vec![(1, vec![b'x'; 112])]),
        ("one behind another", [short.clone(), long.clone(), short.clone()].concat(), vec![a(5), b(12), a(17)]),
        ("a discarded one between", [short.clone(), discarded, short.clone()].concat(), vec![a(5), a(10)]),
        ("padding to the end", [short.clone(), word(29, 0), vec![0xff; 20]].concat(), vec![a(5)]),
        ("time that has passed", [extend.clone(), short.clone()].concat(), vec![a((2 << 27) + 9 + 5)]),
        ("twice", [extend.clone(), extend.clone(), short.clone()].concat(), vec![a((4 << 27) + 18 + 5)]),
        ("the time itself", [short.clone(), stamp, short.clone()].concat(), vec![a(5), a(stamped + 5)]),
        ("the largest delta", [word(1, (1 << 27) - 1), b"abcd".to_vec()].concat(), vec![a((1 << 27) - 1)]),
    ] {
        assert_eq!(read(&records), (expected, true), "{name}");
    }
}

#[test]
fn a_record_that_ends_behind_the_page_is_damage_and_nothing_is_believed_behind_it() {
    let short = [word(1, 5), b"abcd".to_vec()].concat();
    for (name, record) in [
        ("a word that is cut", vec![1, 2]),
        ("an event that is cut", [word(3, 0), vec![0; 8]].concat()),
        ("a length that is missing", word(0, 1)),
        ("a length that does not count itself", [word(0, 1), 3u32.to_le_bytes().to_vec()].concat()),
        ("a length beyond the end", [word(0, 1), u32::MAX.to_le_bytes().to_vec()].concat()),
        ("a discarded one beyond the end", [word(29, 1), 9u32.to_le_bytes().to_vec(), vec![0; 4]].concat()),
        ("a time that is cut", word(30, 1)),
    ] {
        let (found, sound) = read(&[short.clone(), record].concat());
        assert_eq!((found.len(), sound), (1, false), "{name}");
    }
}

#[test]
fn the_head_says_how_much_there_is_and_what_is_missing() {
    let layout = Layout::parse(HEADER).unwrap();
    let seven = 7u64.to_le_bytes();
    for (bits, behind, expected) in [
        (0, &[][..], Lost::None),
        (MISSED, &[], Lost::Some),
        (MISSED | MISSED_STORED, &seven, Lost::So(7)),
        (MISSED_STORED, &seven, Lost::None),
    ] {
        let page = page(&[word(1, 5), vec![0; 4]].concat(), bits, behind);
        let page = layout.read(&page).unwrap();
        assert_eq!((page.lost, page.records.time(), page.records.count()), (expected, TIME, 1));
    }
    // A number for which there is no room cannot be there.
    let full = vec![0; 4080];
    assert_eq!(layout.read(&page(&full, MISSED, &[])).map(|page| page.lost), Some(Lost::Some));
    assert!(layout.read(&page(&full, MISSED | MISSED_STORED, &[])).is_none());
}

#[test]
fn a_page_of_another_length_or_with_more_than_it_can_have_is_refused() {
    let layout = Layout::parse(HEADER).unwrap();
    let whole = page(&[], 0, &[]);
    assert!(layout.read(&whole).is_some());
    assert!(layout.read(&whole[..4095]).is_none());
    assert!(layout.read(&[&whole[..], &[0]].concat()).is_none());
    let mut more = whole;
    more[8..16].copy_from_slice(&4081u64.to_le_bytes());
    assert!(layout.read(&more).is_none());
}

#[test]
fn a_head_of_another_shape_is_refused() {
    let line = |name: &str, offset, size| format!("\tfield: u64 {name};\toffset:{offset};\tsize:{size};\tsigned:0;\n");
    let (time, commit, data) = (line("timestamp", 0, 8), line("commit", 8, 4), line("data", 12, 4084));
    assert_eq!(Layout::parse(&[time.clone(), commit.clone(), data.clone()].concat()).map(|it| it.size()), Ok(4096));
    for text in [
        String::new(),
        [commit.clone(), data.clone()].concat(),
        [time.clone(), commit.clone()].concat(),
        [time.clone(), commit.clone(), line("data", 8, 4084)].concat(),
        [time.clone(), line("commit", 8, 2), data].concat(),
        [time, commit, line("data", 12, 0)].concat(),
    ] {
        assert!(Layout::parse(&text).is_err(), "{text}");
    }
}

#[test]
fn the_highest_bits_of_a_time_are_those_of_the_one_before() {
    let high = 3u64 << 59;
    for (told, before, expected) in [
        (5, 3, 5),
        // The kernel leaves it as it is where there is nothing to add.
        (5, 9, 5),
        (5, high | 3, high | 5),
        (5, high | 9, high + (1 << 59) + 5),
    ] {
        assert_eq!(whole(told, before), expected);
    }
}
