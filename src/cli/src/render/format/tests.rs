// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::{Name, Pair};
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
        "BYTES  %TOTAL  CALLS  MODULE    OK   EXTRA\n\
         1.5Ki   33.3%      7  ext4      yes  node:0 x:y\n\
         \x20  -1       -      0  -         no\n\
         \x20   0  -50.0%     12  a,\"b\" é<  -    -\n"
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
