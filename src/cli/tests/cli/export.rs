// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag export`: every format by its structure. tests/suites/cli-report has other tools read them.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use protobuf::CodedInputStream;
use serde_json::Value;

use crate::harness::{directory, lines, run, run_with_input, tool};

/// The bytes of all rows that hold something and back no others, by awk's way of reading.
fn expected(name: &str) -> (i64, i64) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| line.contains(" func:"));
    let rows = rows.filter(|line| !line.contains("alloc_slab_page") && !line.contains("pcpu_alloc_pages"));
    rows.fold((0, 0), |sum, line| {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        (sum.0 + words[0].parse::<i64>().unwrap(), sum.1 + words[1].parse::<i64>().unwrap())
    })
}

#[test]
fn json_holds_every_row_and_names_its_schema() {
    let value = run("export c-7.3.4.txt").json();
    assert_eq!(value["schema"], "alloctag.export/1");
    let rows = value["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 1405, "those that hold nothing, too");
    let sum = |field: &str| rows.iter().map(|row| row[field].as_i64().unwrap()).sum();
    assert_eq!((sum("bytes"), sum("calls")), expected("c-7.3.4.txt"));
}

#[test]
fn pages_that_back_other_rows_are_left_out_by_every_format_and_it_is_said() {
    for (format, flag, expected) in [("json", "", false), ("json", "--include-backing", true)] {
        let value = run(&format!("export c-7.3.4.txt --format {format} {flag}")).json();
        assert_eq!(value["backing_included"], expected);
        assert!(value["backing"][0]["total"]["bytes"].as_i64().unwrap() > 0, "{}", value["backing"]);
        assert_eq!(value["rows"].as_array().unwrap().iter().any(|row| row["backing"] == true), expected);
    }
    for format in ["ndjson", "csv", "tsv", "folded"] {
        let slab = |flag: &str| {
            let out = run(&format!("export c-7.3.4.txt --format {format} {flag}")).clean();
            out.lines().filter(|line| line.contains("alloc_slab_page")).count()
        };
        assert_eq!(slab(""), 0, "{format}");
        assert!(slab("--include-backing") > 0, "{format}");
    }
}

#[test]
fn ndjson_begins_with_what_the_rows_are_of() {
    let out = run("export c-7.3.4.txt --format ndjson").clean();
    let values: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&values[0]["schema"], values.len()), (&"alloctag.export/1".into(), 1406));
    assert_eq!(values[0]["unreadable"]["count"], 0);
    assert!(values[1..].iter().all(|row| row["bytes"].is_i64()));
}

#[test]
fn csv_and_tsv_have_a_header_and_every_row() {
    for (format, delimiter) in [("csv", b','), ("tsv", b'\t')] {
        let out = run(&format!("export c-7.3.4.txt --format {format}")).clean();
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(out.as_bytes());
        assert_eq!(reader.headers().unwrap().iter().take(2).collect::<Vec<_>>(), ["bytes", "calls"]);
        assert_eq!(reader.records().map(Result::unwrap).count(), 1405);
    }
    let out = run("export c-7.3.4.txt --format tsv -g subsystem -n 3").clean();
    assert_eq!(lines(&out)[0], "bytes\tcalls\tsites\tsubsystem\taccurate\tbacking");
    assert_eq!(lines(&out).len(), 4);
}

#[test]
fn metrics_are_bounded_unique_and_add_up() {
    for (options, most) in [("", 200), ("-g site -n 50", 50), ("-g func -n 9999", 9999), ("-g module -n 1", 1)] {
        let out = run(&format!("export c-7.3.4.txt --format openmetrics {options}")).clean();
        assert!(out.ends_with("\n# EOF\n"));
        let series: Vec<_> =
            out.lines().filter(|line| !line.starts_with('#')).map(|line| line.rsplit_once(' ').unwrap()).collect();
        let unique: std::collections::HashSet<_> = series.iter().map(|series| series.0).collect();
        assert_eq!(unique.len(), series.len(), "{options}");
        let values = |name: &str| -> Vec<i64> {
            let mine = series.iter().filter(|series| series.0.split('{').next() == Some(name));
            mine.map(|series| series.1.parse().unwrap()).collect()
        };
        let (bytes, calls) = (values("kernel_alloc_bytes"), values("kernel_alloc_calls"));
        assert!(bytes.len() <= most && bytes.len() == calls.len(), "{options}: {}", bytes.len());
        assert_eq!((bytes.iter().sum(), calls.iter().sum()), expected("c-7.3.4.txt"), "{options}");
    }
}

#[test]
fn folded_stacks_add_up() {
    let out = run("export c-7.3.4.txt --format folded").clean();
    let sum: i64 = out.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<i64>().unwrap()).sum();
    assert_eq!(sum, expected("c-7.3.4.txt").0);
    assert!(out.contains("TMPFS (SHMEM FILESYSTEM);mm;shmem.c;shmem_alloc_folio:1938 "), "{out}");
    let ran = run_with_input("export - --format folded", b"-8 1 a.c:1 func:f \n8 1 a.c:2 func:f \n");
    assert_eq!((ran.status, ran.out.as_str()), (0, "(none);.;a.c;f:2 8\n"));
    assert!(ran.err.contains("left out 1 row below zero"), "{}", ran.err);
}

#[test]
fn a_pprof_profile_adds_up() {
    let packed = tool("export c-7.3.4.txt --format pprof").stderr(Stdio::inherit()).output().unwrap().stdout;
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
    // Field numbers are those of profile.proto.
    let (mut sums, mut strings, mut locations, mut functions) = ([0i64; 2], Vec::new(), 0, 0);
    let mut input = CodedInputStream::from_bytes(&bytes);
    while let Some(tag) = input.read_raw_tag_or_eof().unwrap() {
        match tag >> 3 {
            2 => {
                let sample = input.read_bytes().unwrap();
                let mut inner = CodedInputStream::from_bytes(&sample);
                while let Some(tag) = inner.read_raw_tag_or_eof().unwrap() {
                    let mut values = Vec::new();
                    match tag >> 3 {
                        2 => inner.read_repeated_packed_int64_into(&mut values).unwrap(),
                        _ => drop(inner.read_bytes().unwrap()),
                    }
                    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
                }
            }
            4 | 5 if tag & 7 == 2 => {
                *(if tag >> 3 == 4 { &mut locations } else { &mut functions }) += 1;
                input.read_bytes().unwrap();
            }
            6 => strings.push(input.read_string().unwrap()),
            _ if tag & 7 == 2 => drop(input.read_bytes().unwrap()),
            _ => drop(input.read_int64().unwrap()),
        }
    }
    assert_eq!((sums[1], sums[0]), expected("c-7.3.4.txt"));
    assert!(locations >= functions && functions > 100, "{locations} {functions}");
    assert_eq!(strings[0], "");
    for text in ["inuse_space", "inuse_objects", "vmlinux", "shmem_alloc_folio", "mm/shmem.c"] {
        assert!(strings.iter().any(|string| string == text), "{text}");
    }
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let directory = directory(&[("a.prom", "old\n")]);
    let file = directory.path().join("a.prom");
    let line = format!("--format openmetrics -o {}", file.display());
    assert!(run(&format!("export /no/such/file {line}")).failed(1).contains("no such file"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "old\n");
    assert_eq!(run(&format!("export c-7.3.4.txt {line}")).clean(), "");
    assert!(fs::read_to_string(&file).unwrap().ends_with("# EOF\n"));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing else is left");
    assert!(run("export c-7.3.4.txt -o /no/such/dir/a").failed(1).contains("/no/such/dir/a: no such file"));
    assert!(run("export c-7.3.4.txt -o /").failed(1).contains("is a directory"));
}

#[test]
fn options_that_make_no_sense_together_are_turned_down() {
    for (options, expected) in [
        ("--format pprof -g file", "--group: "),
        ("--format folded -g dir:1", "--group: "),
        ("--format openmetrics -m 1M", "--min: "),
        ("-n 0", "-n 0: "),
    ] {
        let error = run(&format!("export c-7.3.4.txt {options}")).failed(2);
        assert!(error.contains(expected), "{error}");
    }
    assert!(run("export --format xml c-7.3.4.txt").err.contains("possible values: json, ndjson, csv"));
}

#[test]
fn metrics_about_the_kernel_are_of_all_its_sites_whatever_the_condition() {
    let metrics = run("export --format openmetrics -w module=nvme crafted-2.0.txt").clean();
    assert!(metrics.contains("\nkernel_alloc_bytes{subsystem=\"NVM EXPRESS DRIVER\"} 31461376\n"), "{metrics}");
    assert!(metrics.contains("\nkernel_alloc_sites 18\n") && !metrics.contains("EXT4"), "{metrics}");
}
