// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;

const ALLOC: &str = include_str!("../../../tests/data/trace/alloc-format.txt");

#[test]
fn a_format_file_says_where_everything_is() {
    let format = Format::parse(ALLOC).unwrap();
    assert_eq!((format.name.as_str(), format.fields.len()), ("alloc", 16));
    let place = |name: &str| {
        let field = format.field(name).unwrap();
        (field.offset, field.size, field.signed, field.elsewhere)
    };
    assert_eq!(place("common_type"), (0, 2, false, false));
    assert_eq!(place("common_pid"), (4, 4, true, false));
    assert_eq!(place("file"), (8, 4, false, true));
    assert_eq!(place("ptr"), (32, 8, false, false));
    assert_eq!(place("nid"), (68, 4, true, false));
    assert!(format.field("call_site").unwrap_err().contains("alloc has no field `call_site`"));
}

#[test]
fn the_description_of_a_page_is_one_of_fields_too() {
    let fields = fields(include_str!("../../../tests/data/trace/header_page.txt"));
    let commit = find(&fields, "commit").unwrap();
    assert_eq!((commit.offset, commit.size), (8, 8));
    assert_eq!(find(&fields, "data").map(|data| (data.offset, data.size)), Some((16, 4080)));
}

#[test]
fn what_is_no_format_is_told_and_no_field_passed_over() {
    for (text, expected) in [("", "has no name"), ("name: a\n", "has no ID"), ("name: a\nID: x\n", "has no ID")] {
        assert_eq!(Format::parse(text).unwrap_err(), expected);
    }
    for line in [
        "field:int a",
        "field:int;offset:0;size:4;signed:1;",
        "field:int a;offset:x;size:4;signed:1;",
        "field:int a;offset:0;size:4294967296;signed:1;",
        "int a;offset:0;size:4;signed:1;",
    ] {
        assert_eq!(Field::parse(line), None, "{line}");
    }
    // An older kernel has no `signed`, and a fixed array its length behind the name.
    let field = Field::parse("\tfield:char comm[16];\toffset:8;\tsize:16;").unwrap();
    assert_eq!((field.name.as_str(), field.size, field.signed), ("comm", 16, false));
    assert_eq!(field.text(&[&[b'x'; 8][..], b"abc\0defghijklmno"].concat()).as_deref(), Some("abc"));
}

#[test]
fn numbers_are_read_by_their_size_and_sign() {
    let event = [0xff, 0xfe, 0xff, 0xff, 1, 0, 0, 0x80];
    for (offset, size, signed, expected) in [
        (0, 1, false, Some(255)),
        (0, 1, true, Some(u64::MAX)),
        (0, 2, true, Some(0xffff_ffff_ffff_feff)),
        (4, 4, false, Some(0x8000_0001)),
        (4, 4, true, Some(0xffff_ffff_8000_0001)),
        (0, 8, true, Some(0x8000_0001_ffff_feff)),
        (8, 0, true, Some(0)),
        (5, 4, false, None),
        (0, 9, false, None),
    ] {
        let field = Field { name: String::new(), offset, size, signed, elsewhere: false };
        assert_eq!(field.number(&event), expected, "{size} at {offset}");
    }
}

#[test]
fn a_text_that_lies_elsewhere_must_lie_within_the_event() {
    let field = Field { name: String::new(), offset: 0, size: 4, signed: false, elsewhere: true };
    for (offset, length, expected) in [
        (4u16, 3u16, Some("ab")),
        (4, 2, Some("ab")),
        (4, 0, Some("")),
        (7, 0, Some("")),
        (7, 1, None),
        (0xffff, 0xffff, None),
    ] {
        let event = [&offset.to_le_bytes()[..], &length.to_le_bytes(), b"ab\0"].concat();
        assert_eq!(field.text(&event).as_deref(), expected, "{length} at {offset}");
    }
}
