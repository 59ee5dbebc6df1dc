// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Input that is damaged, or meant to do damage: one clear line, and never a wrong number.

use alloctag::model::{Builder, Memory, Meta, Names, Numbers, Profiling, Sample, Unreadable, MAGNITUDE_LIMIT};
use alloctag::snapshot;

use crate::harness::{directory, run, run_with_input};

#[test]
fn what_is_no_profile_is_turned_down_in_one_line() {
    for (input, expected) in [
        (&b""[..], "is empty"),
        (b"\n\n\n", "holds no rows"),
        (b"allocinfo - version: 2.0\n#     <size>  <calls> <tag info>\n", "holds no rows"),
        (b"allocinfo - version: 3.1\n  8 1 a.c:1 func:f \n", "text version 3.1"),
        (b"allocinfo - version: \n", "no version number"),
        (b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\n", "is binary"),
        (b"<!DOCTYPE html>\n<html>\n", "is not the text of /proc/allocinfo (line 1: "),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\x03", "gzip"),
        (b"\xff\xfe8\0 \x001\0\n", "is binary"),
        (b"\xff\xfe\n", "line 1: it is not UTF-8"),
    ] {
        let error = run_with_input("list -", input).failed(1);
        assert!(error.starts_with("alloctag: standard input: ") && error.contains(expected), "{error}");
    }
}

#[test]
fn profiles_one_behind_the_other_are_not_added_up() {
    let one = std::fs::read("tests/data/crafted-2.0.txt").unwrap();
    let expected = "standard input: holds 2 profiles, one behind the other; give each a file of its own";
    for command in ["list -", "diff crafted-2.0.txt -", "check -"] {
        let ran = run_with_input(command, &one.repeat(2));
        let expected = if command == "check -" { "holds 2 profiles" } else { expected };
        assert_eq!(ran.status, 1, "{command}");
        assert!(ran.err.contains(expected) || ran.out.contains(expected), "{command}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn contexts_are_not_taken_for_all_that_call_sites_have() {
    let input = std::fs::read("tests/data/contexts-1.0.txt").unwrap();
    for command in ["list -", "tree -", "diff crafted-2.0.txt -", "summary -"] {
        let error = run_with_input(command, &input).failed(1);
        assert!(error.contains("`alloctag contexts` shows it"), "{command}: {error}");
    }
}

#[test]
fn rows_that_cannot_be_read_are_counted_and_shown() {
    let input = b"8 1 a.c:1 func:f \ngarbage\n1e9 1 a.c:2 func:g \n16 1 b.c:1 func:h \n99 9 c.c:1 func:alloc_sl";
    let ran = run_with_input("list - -f bytes --raw-bytes", input);
    assert_eq!((ran.status, ran.out.as_str()), (1, "BYTES\n   16\n    8\n24 in 2 sites\n"));
    assert_eq!(
        ran.err,
        "alloctag: standard input: left out 3 rows that cannot be read (first: line 2: it has no size)\n"
    );
    let value = run_with_input("list - --format json", input).json();
    assert_eq!(value["unreadable"]["count"], 3);
    assert_eq!(value["unreadable"]["first"], "line 2: it has no size");
}

#[test]
fn sizes_beyond_all_machines_do_not_overflow_sums() {
    let input = b"4611686018427387903 1 a.c:1 func:f \n1 1 a.c:2 func:f \n-9223372036854775808 1 a.c:3 func:f \n\
                  0 9223372036854775807 a.c:4 func:f \n";
    let ran = run_with_input("list - --raw-bytes -f bytes", input);
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (1, "              BYTES\n4611686018427387903\n4611686018427387903 in 1 site\n")
    );
    assert!(ran.err.contains("left out 3 rows") && ran.err.contains("beyond what any machine has"), "{}", ran.err);
}

#[test]
fn names_cannot_drive_a_terminal() {
    let ran = run_with_input(
        "list -",
        b"8 1 a.c:1 func:\x1b]0;owned\x07 \n8 1 \xc2\x9b31m.c:1 func:f \n8 1 a.c:1 func:ok \n",
    );
    assert!(ran.out.contains("ok") && !ran.out.contains('\x1b') && !ran.out.contains('\u{9b}'), "{:?}", ran.out);
    assert_eq!(ran.status, 1);
}

#[test]
fn names_that_turn_the_direction_of_a_line_are_shown_and_do_not_turn_it() {
    let input = "8 1 a\u{202e}b.c:1 [m\u{2066}] func:f\u{200b} k:\u{2069} \n".as_bytes();
    for command in
        ["list -", "list - -f file,module,func,extra,flags", "tree -", "summary -", "diff crafted-2.0.txt - -n 99"]
    {
        let out = run_with_input(command, input).clean();
        assert!(out.contains("a\\u{202e}b.c"), "{command}: {out}");
        assert!(!out.contains(['\u{202e}', '\u{2066}', '\u{200b}', '\u{2069}']), "{command}: {out}");
    }
    // What is for programs is not changed.
    assert_eq!(run_with_input("list - --format ndjson", input).json()["func"], "f\u{200b}");
}

#[test]
fn a_packed_file_that_was_cut_off_gives_what_is_there() {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&std::fs::read("tests/data/c-7.3.4.txt").unwrap()).unwrap();
    let whole = encoder.finish().unwrap();
    let ran = run_with_input("list - --format json", &whole[..whole.len() / 2]);
    assert!(ran.status == 1 && ran.err.contains("it does not end: the text was cut off here"), "{}", ran.err);
    assert!(ran.json()["rows"].as_array().unwrap().len() > 100);
}

/// What gzip(1) makes of these bytes, and whether it warns.
fn by_gzip(packed: &[u8]) -> (String, bool) {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut gzip = Command::new("gzip").arg("-dc").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    gzip.stdin.take().unwrap().write_all(packed).unwrap();
    let output = gzip.wait_with_output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code() == Some(2))
}

#[test]
fn what_lies_behind_the_end_of_a_packed_file_is_taken_as_gzip_takes_it() {
    use std::io::Write;
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let (one, other) = (gzip("8 1 a.c:1 func:f \n"), gzip("9 1 a.c:2 func:g \n"));
    let zeroes = [0; 512];
    for (behind, ignored) in [
        (&b""[..], 0),
        (&zeroes[..1], 0),
        (&zeroes, 0),
        (&other, 0),
        (&[&other[..], &zeroes].concat(), 0),
        (b"garbage\n", 8),
        (b"16 1 b.c:1 func:a_row_that_somebody_has_added \n", 47),
        (&[&zeroes[..], b"x"].concat(), 513),
        (&[&other[..], b"garbage that is longer than a head"].concat(), 34),
        // What is behind zeroes is none of it.
        (&[&zeroes[..], &other].concat(), 512 + other.len()),
    ] {
        let packed = [&one, behind].concat();
        let (text, warned) = by_gzip(&packed);
        assert_eq!(warned, ignored > 0, "{behind:?}");
        let expected = run_with_input("list - --format csv", text.as_bytes()).clean();
        let ran = run_with_input("list - --format csv", &packed);
        assert_eq!((ran.status, ran.out), (0, expected), "{behind:?}");
        let bytes = if ignored == 1 { "byte" } else { "bytes" };
        let told = format!("alloctag: standard input: ignored {ignored} {bytes} behind the end of what gzip packed\n");
        assert_eq!(ran.err, if ignored > 0 { told } else { String::new() }, "{behind:?}");
    }
    // Others say so as well, and nobody says it of a snapshot that was made of it.
    let files = directory(&[]);
    let at = files.path().display();
    std::fs::write(files.path().join("t.gz"), [&one, &b"garbage\n"[..]].concat()).unwrap();
    let told = format!("alloctag: {at}/t.gz: ignored 8 bytes behind the end of what gzip packed\n");
    for line in ["summary AT/t.gz", "leak --all --every 1h AT/t.gz AT/t.gz", "snap AT/t.gz -o AT/s.alloctag"] {
        let ran = run(&line.replace("AT", &at.to_string()));
        assert_eq!((ran.status, &ran.err), (0, &told), "{line}");
    }
    assert_eq!(run(&format!("list {at}/s.alloctag")).err, "");
    assert!(run(&format!("check {at}/t.gz")).clean().contains("ignored 8 bytes behind the end of what gzip packed"));
}

#[test]
fn what_zstd_packed_is_read() {
    let out = run("list two-rows.zst -f bytes,func --format tsv").clean();
    assert_eq!(out, "bytes\tfunc\n9\tg\n8\tf\n");
}

#[test]
fn words_that_a_later_kernel_puts_behind_a_row_are_kept() {
    let ran = run_with_input("list - -f bytes,func,flags", b"allocinfo - version: 2.9\n8 1 a.c:1 func:f hot node:1 \n");
    assert_eq!(ran.clean(), "BYTES  FUNC  FLAGS\n    8  f     hot node:1\n8 in 1 site\n");
}

#[test]
fn input_without_end_is_given_up() {
    let error = run("list /dev/zero").failed(1);
    assert_eq!(error, "alloctag: /dev/zero: is larger than 256 MiB: this is no profile");
}

#[test]
fn a_packed_file_that_unpacks_without_end_is_given_up() {
    use std::io::{self, Read, Write};
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    io::copy(&mut io::repeat(b'8').take(300 << 20), &mut encoder).unwrap();
    encoder.flush().unwrap();
    let error = run_with_input("list -", &encoder.finish().unwrap()).failed(1);
    assert!(error.contains("is larger than 256 MiB"), "{error}");
}

#[test]
fn paths_of_a_thousand_directories_make_no_trouble() {
    let path = "d/".repeat(4000);
    let input = format!("8 1 {path}a.c:1 func:f \n9 1 {path}b.c:1 func:g \n");
    for command in ["tree -", "tree - --format json", "list - -g dir:3999", "list - -g subsystem", "summary -"] {
        assert_eq!(run_with_input(command, input.as_bytes()).status, 0, "{command}");
    }
}

/// A snapshot with `number` wherever one fits.
fn extreme(number: u64, bytes: i64) -> Vec<u8> {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    let (accurate, clipped, merged, numbers, extra) = (true, false, u32::MAX, Numbers::NONE, Vec::new());
    let row = Sample {
        file: "a.c",
        line: u32::MAX,
        func: "f",
        module: None,
        bytes,
        calls: bytes,
        accurate,
        clipped,
        merged,
        numbers,
        extra,
    };
    builder.push(&row).unwrap();
    builder.inherit_unreadable(Unreadable { count: number, first: None });
    let memory = ["MemTotal", "MemFree", "MemAvailable", "Slab", "Percpu"].map(|name| (name.to_owned(), number));
    let small = u32::try_from(number).unwrap_or(u32::MAX);
    let meta = Meta {
        time_ms: Some(number),
        uptime_ms: Some(number),
        content_id: Some(number),
        cpus: Some(small),
        page_size: Some(number),
        profiling: Profiling { uncounted: Some(number), ..Profiling::default() },
        memory: Memory(memory.into()),
        ..Meta::default()
    };
    snapshot::encode(&builder.finish(meta))
}

#[test]
fn numbers_at_the_ends_of_their_ranges_make_no_trouble() {
    let most = i64::try_from(MAGNITUDE_LIMIT).unwrap();
    let files = directory(&[]);
    for (name, number, bytes) in [("a", 0, most), ("b", u64::MAX, -most), ("c", u64::MAX, most), ("d", 1 << 63, 0)] {
        std::fs::write(files.path().join(name), extreme(number, bytes)).unwrap();
    }
    for line in [
        "list b",
        "list c --format json",
        "list c --si -f bytes,share,calls,avg,rows",
        "tree b",
        "summary c --since b",
        "summary b --format json",
        "check a b c d",
        "diff b c",
        "diff a b --format csv",
        "leak -a a b c d a b c d a b",
        "leak --format json a b c d a b c d a b",
        "report a b c d",
        "treemap c",
        "flame c",
        "export b --format openmetrics",
        "export c --format pprof -o p",
        "export c --format folded",
        "snap c -o s",
    ] {
        let output = crate::harness::tool(line).current_dir(files.path()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)) && !error.contains("panicked"), "{line}: {error}");
    }
}
