// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag record`: the ring, and what is left of it after a violent end.

use std::fs;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use crate::harness::{directory, run, tool};

fn procfs() -> TempDir {
    directory(&[
        ("allocinfo", "allocinfo - version: 2.0\n100 1 a.c:1 func:f \n"),
        ("cmdline", "\n"),
        ("meminfo", "MemTotal: 8 kB\nMemFree: 4 kB\n"),
    ])
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn snapshots_are_numbered_and_a_recording_is_continued() {
    let (procfs, recording) = (procfs(), directory(&[]));
    let (from, to) = (procfs.path().display(), recording.path().join("r"));
    let line = format!("record --procfs {from} -i 10ms -n 3 -v {}", to.display());
    assert_eq!(run(&line).clean().lines().count(), 3);
    run(&line).clean();
    let names = names(&to);
    let numbers: Vec<&str> = names.iter().map(|name| &name[..8]).collect();
    assert_eq!(numbers, ["00000001", "00000002", "00000003", "00000004", "00000005", "00000006"]);
    let out = run(&format!("check {}", to.display())).clean();
    assert!(out.contains("6 files checked, 0 broken"), "{out}");
}

#[test]
fn the_oldest_snapshots_are_removed_by_count_size_and_age() {
    let procfs = procfs();
    let from = procfs.path().display();
    for (retention, kept) in [("--keep-count 2", 2), ("--keep-size 1", 1), ("--keep-size 0", 5), ("--keep-age 0", 1)] {
        let recording = directory(&[("notes", "mine")]);
        run(&format!("record --procfs {from} -i 5ms -n 5 {retention} {}", recording.path().display())).clean();
        let names = names(recording.path());
        assert_eq!(names.len(), kept + 1, "{retention}: {names:?}");
        assert!(names.contains(&"notes".to_owned()), "what is not ours stays");
        assert!(names.iter().any(|name| name.starts_with("00000005")), "{retention}: the newest stays");
    }
}

#[test]
fn time_bounds_a_recording() {
    let (procfs, recording) = (procfs(), directory(&[]));
    let (from, to) = (procfs.path().display(), recording.path().display());
    run(&format!("record --procfs {from} -i 10ms --for 35ms {to}")).clean();
    let count = names(recording.path()).len();
    assert!((2..=4).contains(&count), "{count}");
}

#[test]
fn kill_9_at_any_moment_leaves_whole_snapshots() {
    let (procfs, recording) = (procfs(), directory(&[]));
    let (from, to) = (procfs.path().display(), recording.path().display());
    for round in 0..20u64 {
        let mut child = tool(&format!("record --procfs {from} -i 1ms {to}")).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(5 + 3 * round));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let out = run(&format!("check {to}")).clean();
    assert!(out.contains(" checked, 0 broken"), "{out}");
}

#[test]
fn what_a_killed_recorder_left_is_removed_and_said_whatever_its_length() {
    let (procfs, recording) = (procfs(), directory(&[]));
    let (from, to) = (procfs.path().display(), recording.path().display());
    run(&format!("record --procfs {from} -n 1 {to}")).clean();
    let name = names(recording.path()).remove(0);
    let bytes = fs::read(recording.path().join(&name)).unwrap();
    for end in 0..=bytes.len() {
        fs::write(recording.path().join(format!(".00000002-x.alloctag.{end}.alloctag-tmp")), &bytes[..end]).unwrap();
    }
    assert!(run(&format!("check {to}")).clean().contains("1 file checked"), "nobody takes them for snapshots");
    let ran = run(&format!("record --procfs {from} -n 1 {to}"));
    let swept = bytes.len() + 1;
    assert_eq!(
        ran.err,
        format!("alloctag: {to}: removed {swept} unfinished snapshots of a recorder that was killed\n")
    );
    assert_eq!(names(recording.path()).len(), 2);
}

#[test]
fn two_recorders_do_not_share_a_directory() {
    let (procfs, recording) = (procfs(), directory(&[]));
    let (from, to) = (procfs.path().display(), recording.path().display());
    let mut first = tool(&format!("record --procfs {from} -i 60 {to}")).spawn().unwrap();
    while names(recording.path()).is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let error = run(&format!("record --procfs {from} -n 1 {to}")).failed(1);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(error, format!("alloctag: {to}: another alloctag records here; name another place"));
}

#[test]
fn bad_arguments_are_told() {
    for line in ["record", "record -i 0 d", "record -i soon d", "record --keep-size x d", "record --keep-age -1 d"] {
        assert_eq!(run(line).status, 2, "{line}");
    }
    let directory = directory(&[]);
    let at = directory.path().join("r");
    assert!(run(&format!("record --procfs /no/procfs {}", at.display())).failed(1).contains("/no/procfs"));
    assert!(!at.exists(), "nothing is made where there is nothing to record");
}
