// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is read: files, pipes, both versions, real captures.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use crate::harness::{directory, lines, run, run_with_input};

fn data(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).unwrap()
}

#[test]
fn a_file_a_path_and_a_pipe_are_the_same() {
    let by_file = run("list crafted-2.0.txt").clean();
    assert_eq!(run("list --path crafted-2.0.txt").clean(), by_file);
    for line in ["list -", "list --path -", "-"] {
        assert_eq!(run_with_input(line, &data("crafted-2.0.txt")).clean(), by_file, "{line}");
    }
    assert!(run("list crafted-1.0.txt --path crafted-2.0.txt").err.contains("cannot be used with"));
}

#[test]
fn gzip_is_unpacked() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(&data("c-7.3.4.txt")).unwrap();
    let packed = encoder.finish().unwrap();
    assert_eq!(run_with_input("list - -z", &packed).clean(), run("list c-7.3.4.txt -z").clean());
}

/// Captures with how many rows they have, at how many call sites, and how many of these are of modules.
const CAPTURES: [(&str, u64, usize, usize); 4] = [
    ("c-7.3.4.txt", 1418, 1409, 0),
    ("c-7.3.4-modules.txt", 1684, 1672, 56),
    ("rust-7.3.4-modules.txt", 1709, 1697, 56),
    ("derived-1.0.txt", 1684, 1672, 56),
];

#[test]
fn real_captures_add_up() {
    for (name, rows_there, sites, of_modules) in CAPTURES {
        let value = run(&format!("list {name} --format json -z --include-backing")).json();
        let rows = value["rows"].as_array().unwrap();
        // Independently: awk 'NR > 2 { bytes += $1; calls += $2; rows++ } END { print bytes, calls, rows }'
        let text = String::from_utf8(data(name)).unwrap();
        let mut expected = (0i64, 0i64, 0u64);
        for line in text.lines().skip(2) {
            let mut words = line.split_ascii_whitespace();
            expected.0 += words.next().unwrap().parse::<i64>().unwrap();
            expected.1 += words.next().unwrap().parse::<i64>().unwrap();
            expected.2 += 1;
        }
        let sum = |field: &str| rows.iter().map(|row| row[field].as_i64().unwrap()).sum::<i64>();
        assert_eq!((sum("bytes"), sum("calls")), (expected.0, expected.1), "{name}");
        assert_eq!(rows.iter().map(|row| row["rows"].as_u64().unwrap()).sum::<u64>(), expected.2, "{name}");
        let modules = rows.iter().filter(|row| !row["module"].is_null()).count();
        assert_eq!((expected.2, rows.len(), modules), (rows_there, sites, of_modules), "{name}");
        assert_eq!(value["unreadable"]["count"], 0, "{name}");
    }
}

#[test]
fn text_1_0_is_text_2_0_without_what_that_added() {
    let text = String::from_utf8(data("c-7.3.4-modules.txt")).unwrap();
    let derived = text.replacen("version: 2.0", "version: 1.0", 1).replace(" accurate:no ", " ");
    assert_eq!(derived.into_bytes(), data("derived-1.0.txt"));
    let rows = |name: &str| run(&format!("list {name} -z -f bytes,calls,site,module,func --format tsv")).clean();
    assert_eq!(rows("derived-1.0.txt"), rows("c-7.3.4-modules.txt"));
    assert!(run("summary derived-1.0.txt").clean().starts_with("derived-1.0.txt, text 1.0\n"));
}

#[test]
fn repeated_rows_of_a_real_capture_are_told() {
    let out = run("list c-7.3.4.txt -z -w 'rows>1' -s line -f rows,site --format tsv").clean();
    assert_eq!(
        lines(&out),
        [
            "rows\tsite",
            "3\tinclude/linux/vmalloc.h:189",
            "3\tinclude/kunit/resource.h:288",
            "5\tio_uring/io_uring.h:380",
            "2\tkernel/sched/sched.h:2932"
        ]
    );
}

#[test]
fn the_header_may_be_missing_or_elsewhere() {
    let text = String::from_utf8(data("crafted-1.0.txt")).unwrap();
    let expected = run("list crafted-1.0.txt -s site -z").clean();
    let body: String = text.lines().skip(2).map(|line| format!("{line}\n")).collect();
    let sorted = format!("{body}allocinfo - version: 1.0\n#     <size>  <calls> <tag info>\n");
    for text in [body, sorted] {
        assert_eq!(run_with_input("list - -s site -z", text.as_bytes()).clean(), expected);
    }
}

#[test]
fn the_interface_cannot_be_chosen_for_a_file_wrongly() {
    // The choice is about the kernel: a file is a file.
    for source in ["auto", "text", "ioctl"] {
        assert_eq!(run(&format!("list crafted-2.0.txt --source {source}")).status, 0, "{source}");
    }
    assert!(run("list --source telepathy crafted-2.0.txt").err.contains("possible values: auto, text, ioctl"));
}

#[test]
fn what_cannot_be_opened_is_told_in_one_line() {
    assert_eq!(run("list /no/such/file").failed(1), "alloctag: /no/such/file: no such file or directory");
    assert_eq!(
        run("list /").failed(1),
        "alloctag: /: holds no snapshots; `alloctag record` and `alloctag snap` make them"
    );
}

/// Ten times the rows of a distribution's kernel.
fn large_text() -> String {
    let row = |number: u32| {
        let file = number / 5;
        format!("{:12} {:8} drivers/net/source_{file}.c:{number} func:function_{} \n", number % 4096, 1, number / 3)
    };
    (0..150_000).map(row).collect()
}

#[test]
fn the_memory_for_reading_is_a_few_times_the_file() {
    const KIB: usize = 1024;
    /// What the program takes before it reads anything, of addresses.
    const PROGRAM: usize = 16 << 20;
    let text = large_text();
    let files = directory(&[("large.txt", &text)]);
    let within = |bytes: usize| {
        let line = format!("ulimit -v {}; exec \"$0\" list -n 1 \"$1\"", bytes / KIB);
        let mut shell = Command::new("sh");
        shell.args(["-c", &line, env!("CARGO_BIN_EXE_alloctag")]).arg(files.path().join("large.txt"));
        shell.output().expect("there is a shell").status.success()
    };
    assert!(within(PROGRAM + 8 * text.len()));
    assert!(!within(PROGRAM + text.len()), "the limit counts");
}
