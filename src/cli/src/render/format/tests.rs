// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::{Name, Pair};
use crate::render::fit::End;
use crate::render::style::Ink;
use crate::render::{Cell, Column};

fn written(format: Format, units: Units, style: Style) -> String {
    let pairs = [
        Pair { key: Name::from("node"), value: Name::from("0") },
        Pair { key: Name::from("x"), value: Name::from("y") },
    ];
    let table = Table {
        columns: vec![
            Column::right("bytes", "BYTES"),
            Column::right("share", "%TOTAL"),
            Column::right("calls", "CALLS"),
            Column::left("module", "MODULE"),
            Column::left("ok", "OK"),
            Column::left("extra", "EXTRA"),
        ],
        rows: vec![
            vec![
                Cell::Bytes(1536),
                Cell::share(1, 3),
                Cell::Count(7),
                Cell::from("ext4"),
                Cell::Flag(true),
                Cell::Pairs(&pairs),
            ],
            vec![Cell::Bytes(-1), Cell::share(1, 0), Cell::Count(0), Cell::Empty, Cell::Flag(false), Cell::Pairs(&[])],
            vec![
                Cell::Bytes(0),
                Cell::share(-1, 2),
                Cell::Count(12),
                Cell::from("a,\"b\"\té<"),
                Cell::Empty,
                Cell::Empty,
            ],
        ],
    };
    let mut head = json::head("alloctag.test/1");
    head.insert("answer".into(), 42.into());
    let mut out = Vec::new();
    table.write(&Layout { format, units, style }, &head, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn people_get_columns() {
    assert_eq!(
        written(Format::Table, Units::Iec, Style::default()),
        "BYTES  %TOTAL  CALLS  MODULE     OK   EXTRA\n\
         1.5Ki   33.3%      7  ext4       yes  node:0 x:y\n\
         \x20  -1       -      0  -          no\n\
         \x20   0  -50.0%     12  a,\"b\"\\té<  -    -\n"
    );
}

#[test]
fn a_terminal_cuts_lines_at_its_width_and_paints_the_head() {
    let style = Style { color: true, unicode: true, width: Some(24) };
    let text = written(Format::Table, Units::Raw, style);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "\x1b[1mBYTES  %TOTAL  CALLS  M…\x1b[0m");
    assert_eq!(lines[1], " 1536   33.3%      7  e…");
    let plain = written(Format::Table, Units::Raw, Style { width: Some(24), ..Style::default() });
    assert_eq!(plain.lines().nth(1), Some(" 1536   33.3%      7  ex"));
}

/// A table with two columns to spare and a name, as a terminal of that width shows it.
fn narrow(width: usize, color: bool) -> String {
    let site = |text: &'static str| Cell::from(text);
    let table = Table {
        columns: vec![
            Column::left("verdict", "VERDICT"),
            Column::right("delta", "DELTA").spare(1),
            Column::right("calls", "CALLS").spare(2),
            Column::left("site", "SITE").cut(End::Front),
        ],
        rows: vec![
            vec![
                Cell::Word(Ink::Alarm, "LEAK"),
                Cell::Change(4096),
                Cell::Count(1),
                site("fs/ext4/inode.c:12 func:alloc"),
            ],
            vec![Cell::from("STEP"), Cell::Change(-1), Cell::Count(2), site("mm/util.c:7 func:dup")],
            vec![Cell::from("NOISE"), Cell::Change(0), Cell::Count(3), site("a.c:1 func:f")],
        ],
    };
    let style = Style { color, unicode: true, width: Some(width) };
    let mut out = Vec::new();
    table.write(&Layout { style, ..Layout::default() }, &json::head("x/1"), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_narrow_terminal_loses_columns_before_names_and_is_told_which() {
    for (width, expected) in [
        (
            52,
            "VERDICT  DELTA  CALLS  SITE\n\
             LEAK     4.0Ki      1  fs/ext4/inode.c:12 func:alloc\n\
             STEP        -1      2  mm/util.c:7 func:dup\n\
             NOISE        0      3  a.c:1 func:f\n",
        ),
        (
            51,
            "VERDICT  DELTA  SITE\n\
             LEAK     4.0Ki  fs/ext4/inode.c:12 func:alloc\n\
             STEP        -1  mm/util.c:7 func:dup\n\
             NOISE        0  a.c:1 func:f\n\
             no room for CALLS\n",
        ),
        (
            36,
            "VERDICT  SITE\n\
             LEAK     …/inode.c:12 func:alloc\n\
             STEP     mm/util.c:7 func:dup\n\
             NOISE    a.c:1 func:f\n\
             no room for DELTA CALLS\n",
        ),
        (
            20,
            "VERDICT  SITE\n\
             LEAK     inode.c:12…\n\
             STEP     util.c:7 f…\n\
             NOISE    a.c:1 func…\n\
             no room for DELTA C…\n",
        ),
    ] {
        assert_eq!(narrow(width, false), expected, "{width}");
    }
}

#[test]
fn words_and_changes_have_the_colours_of_their_roles() {
    let text = narrow(60, true);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "\x1b[1;31mLEAK\x1b[0m     \x1b[38;5;208m4.0Ki\x1b[0m      1  fs/ext4/inode.c:12 func:alloc");
    assert_eq!(lines[2], "STEP        \x1b[38;5;39m-1\x1b[0m      2  mm/util.c:7 func:dup");
    assert_eq!(lines[3], "NOISE        0      3  a.c:1 func:f");
    // What is seen is what is written without colours.
    let plain = text.replace("\x1b[1;31m", "").replace("\x1b[38;5;208m", "").replace("\x1b[38;5;39m", "");
    assert_eq!(plain.replace("\x1b[1m", "").replace("\x1b[0m", ""), narrow(60, false));
}

#[test]
fn machines_get_all_digits_and_proper_quotes() {
    assert_eq!(
        written(Format::Csv, Units::Iec, Style::default()),
        "bytes,share,calls,module,ok,extra\n1536,33.3333,7,ext4,yes,node:0 x:y\n-1,,0,,no,\n0,-50.0000,12,\"a,\"\"b\"\"\té<\",,\n"
    );
    assert_eq!(
        written(Format::Tsv, Units::Iec, Style::default()).lines().nth(3),
        Some("0\t-50.0000\t12\t\"a,\"\"b\"\"\té<\"\t\t")
    );
    assert_eq!(
        written(Format::Ndjson, Units::Iec, Style::default()).lines().next(),
        Some(r#"{"bytes":1536,"share":33.3333,"calls":7,"module":"ext4","ok":true,"extra":{"node":"0","x":"y"}}"#)
    );
}

#[test]
fn of_very_small_numbers_people_get_the_magnitude_and_machines_all_digits() {
    let q = 1.234_567_890_123_456_7e-300;
    let table = Table { columns: vec![Column::right("q", "Q")], rows: vec![vec![Cell::Real(q)]] };
    let written = |format| {
        let mut out = Vec::new();
        let layout = Layout { format, ..Layout::default() };
        table.write(&layout, &json::head("alloctag.test/1"), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(written(Format::Table), "     Q\n1e-300\n");
    let csv = written(Format::Csv);
    assert_eq!(csv.lines().nth(1).unwrap().parse::<f64>(), Ok(q));
    assert_eq!(written(Format::Ndjson), format!("{{\"q\":{q:e}}}\n"));
}

#[test]
fn json_has_its_head_and_a_row_a_line() {
    let text = written(Format::Json, Units::Iec, Style::default());
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&value["schema"], &value["answer"]), (&"alloctag.test/1".into(), &42.into()));
    assert_eq!(value["rows"][1]["module"], serde_json::Value::Null);
    assert_eq!(value["rows"][2]["module"], "a,\"b\"\té<");
    assert_eq!(text.lines().count(), 3 + 2 + 3);
}
