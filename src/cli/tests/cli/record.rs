// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag record`: the ring, and what is left of it after a violent end.

use std::fs;
use std::path::Path;
use std::time::Duration;

use alloctag::model::{Names, Profile};
use alloctag::recording::{self, Retention, Ring};
use alloctag::snapshot;
use alloctag::source::{self, Input, Request};
use tempfile::TempDir;

use crate::harness::{directory, patiently, run, tool};

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
    let from = procfs.path().display();
    patiently(|wait| {
        let to = recording.path().join(format!("for-{}", wait.as_secs()));
        let (interval, time) = (wait.as_millis() / 100, wait.as_millis() * 35 / 1000);
        run(&format!("record --procfs {from} -i {interval}ms --for {time}ms {}", to.display())).clean();
        let count = names(&to).len();
        assert!(count <= 4, "{count}");
        if count >= 2 {
            Ok(())
        } else {
            Err("one only".to_owned())
        }
    });
}

#[test]
fn kill_9_at_any_moment_leaves_whole_snapshots() {
    let (procfs, recording) = (procfs(), directory(&[]));
    let (from, to) = (procfs.path().display(), recording.path().display());
    for round in 0..20u64 {
        let mut child = tool(&format!("record --procfs {from} -i 1ms {to}")).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(5 + 3 * round));
        // However slow the machine is, there is something to look at in the end.
        while round == 19 && !names(recording.path()).iter().any(|name| name.ends_with(".alloctag")) {
            std::thread::sleep(Duration::from_millis(5));
        }
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

/// A kernel of some thousand sites of which a few change from reading to reading.
struct Kernel {
    procfs: TempDir,
    text: String,
}

impl Kernel {
    /// With so many sites, at most.
    fn new(sites: usize) -> Kernel {
        let procfs = procfs();
        let capture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/rust-7.3.4-modules.txt");
        let text = fs::read_to_string(capture).unwrap();
        // Two lines of head.
        let text = text.lines().take(2 + sites).map(|line| format!("{line}\n")).collect();
        Kernel { procfs, text }
    }

    /// Records a reading in which one row in fifty is another one than before; `tick` is its number.
    fn record(&self, tick: usize, recorder: &mut Ring) -> Profile {
        let mut names = Names::new();
        let mut text = String::new();
        for (place, line) in self.text.lines().enumerate() {
            match line.trim_start().split_once(' ').and_then(|(bytes, rest)| Some((bytes.parse::<i64>().ok()?, rest))) {
                Some((bytes, rest)) if place % 50 == tick % 50 => {
                    text.push_str(&format!("{} {rest}\n", bytes + i64::try_from(tick * 64).unwrap()));
                }
                _ => text.push_str(&format!("{line}\n")),
            }
        }
        fs::write(self.procfs.path().join("allocinfo"), text).unwrap();
        let mut profile = source::read(&Request::live(self.procfs.path()), &mut names).unwrap();
        profile.meta.time_ms = Some(1_795_244_400_000 + 60_000 * u64::try_from(tick).unwrap());
        recorder.add(&profile).unwrap();
        profile
    }
}

fn same(found: &Profile, expected: &Profile) {
    assert_eq!(found.rows(), expected.rows());
    assert_eq!((found.meta.time_ms, &found.meta.memory), (expected.meta.time_ms, &expected.meta.memory));
}

#[test]
fn three_times_as_long_a_history_fits_into_the_same_space() {
    let (kernel, recording) = (Kernel::new(usize::MAX - 2), directory(&[]));
    let mut ring = Ring::open(recording.path(), Retention::default()).unwrap();
    let profiles: Vec<Profile> = (0..30).map(|tick| kernel.record(tick, &mut ring)).collect();
    let alone: usize = profiles.iter().map(|profile| snapshot::encode(profile).len()).sum();
    let files = recording::snapshots(recording.path()).unwrap();
    let taken: u64 = files.iter().map(|file| fs::metadata(file).unwrap().len()).sum();
    assert!(3 * taken <= u64::try_from(alone).unwrap(), "{taken} bytes instead of {alone}");
    let mut names = Names::new();
    for (file, profile) in files.iter().zip(&profiles) {
        let request = Request { input: Input::File(file.clone()), ..Request::live(kernel.procfs.path()) };
        same(&source::read(&request, &mut names).unwrap(), profile);
    }
    let out = run(&format!("check {}", recording.path().display())).clean();
    assert!(out.contains("30 files checked, 0 broken"), "{out}");
}

#[test]
fn what_others_rest_on_is_left_behind_until_the_last_of_them_has_gone() {
    let (kernel, recording) = (Kernel::new(200), directory(&[]));
    let mut ring = Ring::open(recording.path(), Retention { count: Some(3), ..Retention::default() }).unwrap();
    let mut profiles = Vec::new();
    for tick in 0..130 {
        profiles.push(kernel.record(tick, &mut ring));
        let files = recording::snapshots(recording.path()).unwrap();
        assert_eq!(files.len(), profiles.len().min(3), "at {tick}");
        let oldest = source::read(
            &Request { input: Input::File(files[0].clone()), ..Request::live(kernel.procfs.path()) },
            &mut Names::new(),
        );
        same(&oldest.unwrap(), &profiles[profiles.len() - files.len()]);
        let behind = names(recording.path()).iter().filter(|name| name.ends_with("-base")).count();
        // From the fourth on the first one is needed, until after the 121st others rest on the 122nd.
        assert_eq!(
            behind,
            usize::from((3..123).contains(&tick) || tick >= 124),
            "at {tick}: {:?}",
            names(recording.path())
        );
    }
    // A recorder that died in between has left one that nobody needs.
    let stale = recording.path().join("00000002-x.alloctag-base");
    fs::write(&stale, "x").unwrap();
    drop(ring);
    let mut ring = Ring::open(recording.path(), Retention { count: Some(3), ..Retention::default() }).unwrap();
    kernel.record(131, &mut ring);
    assert!(!stale.exists());
}

#[test]
fn nothing_rests_on_a_snapshot_that_somebody_has_removed() {
    let (kernel, recording) = (Kernel::new(200), directory(&[]));
    let mut ring = Ring::open(recording.path(), Retention::default()).unwrap();
    kernel.record(0, &mut ring);
    kernel.record(1, &mut ring);
    let files = recording::snapshots(recording.path()).unwrap();
    assert!(snapshot::rest(&fs::read(&files[1]).unwrap()).unwrap().is_some());
    fs::remove_file(&files[0]).unwrap();
    let profile = kernel.record(2, &mut ring);
    let latest = recording::snapshots(recording.path()).unwrap().pop().unwrap();
    let request = Request { input: Input::File(latest), ..Request::live(kernel.procfs.path()) };
    same(&source::read(&request, &mut Names::new()).unwrap(), &profile);
}

#[test]
fn one_snapshot_of_a_recording_can_be_made_to_stand_alone() {
    let (kernel, recording, out) = (Kernel::new(200), directory(&[]), directory(&[]));
    let mut ring = Ring::open(recording.path(), Retention::default()).unwrap();
    let profiles: Vec<Profile> = (0..3).map(|tick| kernel.record(tick, &mut ring)).collect();
    let files = recording::snapshots(recording.path()).unwrap();
    let (alone, base) = (out.path().join("alone.alloctag"), files[0].file_name().unwrap().to_str().unwrap());
    run(&format!("snap {}@latest -o {}", recording.path().display(), alone.display())).clean();
    let read = |file: &Path| {
        source::read(
            &Request { input: Input::File(file.into()), ..Request::live(kernel.procfs.path()) },
            &mut Names::new(),
        )
    };
    same(&read(&alone).unwrap(), &profiles[2]);
    // Without the one that it rests on, beside another one of that name, and from a pipe it says what it lacks.
    let moved = out.path().join(files[2].file_name().unwrap());
    fs::copy(&files[2], &moved).unwrap();
    let error = run(&format!("list {}", moved.display())).failed(1);
    assert!(error.ends_with(&format!("rests on {base}, which has to lie beside it")), "{error}");
    fs::write(out.path().join(base), "another").unwrap();
    let error = run(&format!("list {}", moved.display())).failed(1);
    assert!(error.ends_with(&format!("rests on {base}, which is another file now, or damaged")), "{error}");
    let error = crate::harness::run_with_input("list -", &fs::read(&moved).unwrap()).failed(1);
    assert!(error.contains(&format!("rests on {base}")) && error.contains("makes one that stands alone"), "{error}");
    // Packed once more it lies where it lay.
    fs::copy(&files[0], out.path().join(base)).unwrap();
    let status = std::process::Command::new("gzip").arg(&moved).status().expect("there is a gzip");
    assert!(status.success());
    same(&read(&out.path().join(format!("{}.gz", moved.display()))).unwrap(), &profiles[2]);
}

#[test]
fn a_recording_is_bundled_with_what_its_snapshots_rest_on() {
    let (kernel, recording, out) = (Kernel::new(200), directory(&[]), directory(&[]));
    let mut ring = Ring::open(recording.path(), Retention { count: Some(2), ..Retention::default() }).unwrap();
    let profiles: Vec<Profile> = (0..4).map(|tick| kernel.record(tick, &mut ring)).collect();
    let files = recording::snapshots(recording.path()).unwrap();
    let archive = out.path().join("b.tar.gz");
    let procfs = kernel.procfs.path().display();
    let (dir, one) = (recording.path().display(), files[1].display());
    run(&format!("bundle {dir} {one} --procfs {procfs} -o {}", archive.display())).clean();
    let status = std::process::Command::new("tar")
        .arg("-xzf")
        .arg(&archive)
        .arg("--strip-components=2")
        .arg("-C")
        .arg(out.path())
        .status();
    assert!(status.expect("there is a tar").success());
    let recorded = out.path().join(format!("0000-{}", recording.path().file_name().unwrap().to_str().unwrap()));
    let check = run(&format!("check --all {}", recorded.display())).clean();
    assert!(check.contains("2 files checked, 0 broken"), "{check}");
    let alone = out.path().join(format!("0001-{}", files[1].file_name().unwrap().to_str().unwrap()));
    let request = Request { input: Input::File(alone), ..Request::live(kernel.procfs.path()) };
    same(&source::read(&request, &mut Names::new()).unwrap(), &profiles[3]);
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
