// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Recordings, and one moment of them, wherever a profile is read.

use std::fs;
use std::path::Path;

use alloctag::model::Meta;
use alloctag::time;
use tempfile::TempDir;

use crate::harness::{directory, run, snapshot, tool};
use crate::serve::Server;

/// 2026-11-21 07:00:00 UTC.
const START: u64 = 1_795_244_400_000;

/// A snapshot for each half of an hour: the n-th holds n bytes in n allocations.
fn recording(count: u64, name: impl Fn(u64) -> String) -> TempDir {
    let directory = directory(&[("notes.txt", "mine")]);
    for number in 1..=count {
        let text = format!("{number} {number} a.c:1 func:f \n");
        let elapsed = 1_800_000 * (number - 1);
        let meta = Meta { time_ms: Some(START + elapsed), uptime_ms: Some(5_000 + elapsed), ..Meta::default() };
        snapshot(&directory.path().join(name(number)), &text, Meta { boot_id: Some("b".into()), ..meta });
    }
    directory
}

fn numbered(number: u64) -> String {
    format!("{number:08}-{}.alloctag", time::compact(START + 1_800_000 * (number - 1)))
}

/// What the tool says where clocks are an hour ahead of UTC, and two in summer.
fn said_in_berlin(line: &str) -> String {
    let output = tool(line).env("TZ", "CET-1CEST,M3.5.0,M10.5.0/3").output().unwrap();
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

#[test]
fn moments_are_told_by_the_local_clock_or_by_utc() {
    let recording = recording(5, numbered);
    let at = recording.path().display();
    for (line, local, utc) in [
        ("summary AT@first", "2026-11-21 08:00:00 +01:00", "2026-11-21 07:00:00 UTC"),
        ("check --all AT", "2026-11-21 08:30:00 +01:00", "2026-11-21 07:30:00 UTC"),
        ("top --once AT", "alloctag top  2026-11-21 10:00:00 +01:00", "alloctag top  2026-11-21 09:00:00 UTC"),
        ("treemap AT", "2026-11-21 10:00:00 +01:00", "2026-11-21 09:00:00 UTC"),
        ("list AT@2026-11-20", "it begins at 2026-11-21 08:00:00 +01:00", "it begins at 2026-11-21 07:00:00 UTC"),
        ("report AT", r#""zone":{"name":"+01:00","ahead":3600000}"#, r#""zone":{"name":"UTC","ahead":0}"#),
        ("report AT", r#""label":"2026-11-21 08:30:00 +01:00""#, r#""label":"2026-11-21 07:30:00 UTC""#),
    ] {
        let line = line.replace("AT", &at.to_string());
        let said = said_in_berlin(&line);
        assert!(said.contains(local) && !said.contains(utc), "{line}: {said}");
        let said = said_in_berlin(&format!("{line} --utc"));
        assert!(said.contains(utc) && !said.contains(local), "{line} --utc: {said}");
    }
    let json = said_in_berlin(&format!("check --all {at} --format json"));
    assert!(json.contains("2026-11-21 07:30:00 UTC"), "the same for programs everywhere: {json}");
}

#[test]
fn moments_are_read_by_the_local_clock_or_by_utc() {
    let recording = recording(5, numbered);
    let at = recording.path().display();
    for (moment, number) in [
        ("@2026-11-21T08:30", 2),
        ("@2026-11-21 08:30:00 +01:00", 2),
        ("@2026-11-21T07:30Z", 2),
        ("@2026-11-21T10:30+03:00", 2),
        ("@20261121T083000Z", 4),
        ("@2026-11-21T08:30 --utc", 4),
    ] {
        let (moment, option) = moment.split_once(" --").map_or((moment, ""), |(moment, _)| (moment, "--utc"));
        let said = said_in_berlin(&format!("list '{at}{moment}' {option}"));
        assert!(said.contains(&format!("{number} in 1 site")), "{moment} {option}: {said}");
    }
}

#[test]
fn a_clock_that_nobody_knows_is_taken_for_utc() {
    let recording = recording(1, numbered);
    for zone in ["Nowhere/Atlantis", "\u{1}", ":"] {
        let output = tool(&format!("summary {}", recording.path().display())).env("TZ", zone).output().unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains("07:00:00 UTC"), "{zone}: {output:?}");
    }
}

/// As `alloctag snap` names them, but so that the names do not sort by time.
fn named(number: u64) -> String {
    format!("host{}-x.alloctag", 10 - number)
}

fn bytes(path: impl std::fmt::Display) -> i64 {
    run(&format!("list '{path}' --format json")).json()["rows"][0]["bytes"].as_i64().expect("it has a row")
}

#[test]
fn a_moment_of_a_recording_is_a_profile() {
    for recording in [recording(5, numbered), recording(5, named)] {
        let at = recording.path().display();
        for (moment, number) in [
            ("", 5),
            ("@latest", 5),
            ("@first", 1),
            ("@-0", 5),
            ("@-30m", 4),
            ("@-31m", 3),
            ("@-1h", 3),
            ("@-2h", 1),
            ("@2026-11-21T07:00", 1),
            ("@2026-11-21 07:29:59", 1),
            ("@2026-11-21T07:30:00Z", 2),
            ("@20261121T083000Z", 4),
            ("@2026-11-22", 5),
        ] {
            assert_eq!(bytes(format_args!("{at}{moment}")), number, "{moment}");
        }
    }
}

#[test]
fn every_command_that_reads_a_profile_takes_one() {
    let recording = recording(5, numbered);
    let at = recording.path().display();
    for (line, expected) in [
        ("list AT@-1h", "3 in 1 site"),
        ("AT@-1h", "3 in 1 site"),
        ("tree AT@-1h --format json", "\"bytes\":3"),
        ("summary AT@first", "2026-11-21 07:00:00 UTC"),
        ("export --format folded AT@-30m", "f:1 4"),
        ("flame AT@-1h", "3 of kernel memory"),
        ("treemap AT@-1h", "3 of kernel memory"),
        ("snap AT@-1h -o -", "ALTAG"),
        ("diff AT@first AT", "+4 in all: 1 grown (+4)"),
        ("diff AT@first @-1h", "+2 in all: 1 grown (+2)"),
        ("diff AT @first", "-4 in all: 1 shrunk (-4)"),
        ("summary AT --since @-1h", "Growth since"),
        ("check --all AT@-1h", "00000003-"),
    ] {
        let output = tool(&line.replace("AT", &at.to_string())).output().unwrap();
        let out = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && out.contains(expected), "{line}: {output:?}");
    }
}

#[test]
fn serve_takes_one_and_of_a_recording_what_is_the_latest_then() {
    let recording = recording(5, numbered);
    let at = recording.path().display();
    let bytes = |server: &Server| {
        let answer = server.ask(b"GET /metrics HTTP/1.1\r\n\r\n");
        let line = answer.lines().find(|line| line.starts_with("kernel_alloc_bytes{")).map(str::to_owned);
        line.unwrap_or(answer)
    };
    let first = Server::start(&format!("serve {at}@first --listen 127.0.0.1:0"));
    assert!(bytes(&first).ends_with(" 1"), "{}", bytes(&first));
    let latest = Server::start(&format!("serve {at} --listen 127.0.0.1:0"));
    assert!(bytes(&latest).ends_with(" 5"), "{}", bytes(&latest));
    fs::remove_file(recording.path().join(numbered(5))).unwrap();
    assert!(bytes(&latest).ends_with(" 4"), "{}", bytes(&latest));
}

#[test]
fn a_moment_that_there_is_not_is_told_in_one_line() {
    let recording = recording(2, numbered);
    let at = recording.path().display();
    for (moment, expected) in [
        ("@-1h", "it begins at 2026-11-21 07:00:00 UTC, later than that; @first is its beginning"),
        ("@2026-11-21T06:59", "it begins at 2026-11-21 07:00:00 UTC"),
        ("@yesterday", "@yesterday is no moment; there are @first, @latest, @-1h, @2026-11-21T07:00"),
        ("@", "@ is no moment"),
        ("@2026-02-30", "@2026-02-30 is no moment"),
    ] {
        let error = run(&format!("list '{at}{moment}'")).failed(1);
        assert!(error.starts_with(&format!("alloctag: {at}{moment}: ")) && error.contains(expected), "{error}");
    }
    let nothing = directory(&[("notes.txt", "mine"), (".hidden.alloctag", ""), (".alloctag", "")]);
    let error = run(&format!("list {}@latest", nothing.path().display())).failed(1);
    assert!(error.ends_with(": holds no snapshots; `alloctag record` and `alloctag snap` make them"), "{error}");
    assert!(run("list /no/where@latest").failed(1).ends_with("/no/where@latest: no such file or directory"));
}

#[test]
fn a_name_with_an_at_in_it_is_a_name() {
    let recording = recording(1, |_| "me@first.alloctag".to_owned());
    let file = recording.path().join("me@first.alloctag");
    assert_eq!(bytes(file.display()), 1);
    fs::create_dir(recording.path().join("me")).unwrap();
    fs::copy(&file, recording.path().join("me@first")).unwrap();
    assert_eq!(bytes(recording.path().join("me@first").display()), 1, "there is such a file");
}

#[test]
fn a_directory_of_saved_snapshots_is_a_recording() {
    let recording = recording(9, named);
    let at = recording.path().display();
    let json = run(&format!("leak {at} --all --format json")).json();
    assert_eq!(json["samples"], serde_json::json!({"taken": 9, "torn": 0, "off": 0, "disordered": 0}));
    assert_eq!(json["rows"][0]["now"], 9, "the latest is the last");
    let out = run(&format!("check {at} --format csv")).clean();
    let files: Vec<&str> = out
        .lines()
        .skip(1)
        .map(|line| Path::new(line.split(',').nth(4).unwrap()).file_name().unwrap().to_str().unwrap())
        .collect();
    assert_eq!(files, (1..=9).map(named).collect::<Vec<_>>());
    assert!(run(&format!("report {at}")).clean().contains("<html"));
}

#[test]
fn a_broken_snapshot_does_not_hide_the_others() {
    let recording = recording(5, numbered);
    fs::write(recording.path().join(numbered(3)), b"\x89ALTAG\r\n").unwrap();
    assert_eq!(bytes(format_args!("{}@-1h", recording.path().display())), 2);
    fs::write(recording.path().join(numbered(5)), b"\x89ALTAG\r\n").unwrap();
    assert!(run(&format!("list {}@-1h", recording.path().display())).failed(1).contains("was cut off"));
}
