// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag check` of several recordings and files at once.

use alloctag::model::Meta;
use tempfile::TempDir;

use crate::harness::{directory, run, snapshot};

/// A recording of a boot, with a snapshot at each of these minutes.
fn recording(boot: &str, minutes: &[u64]) -> TempDir {
    let directory = directory(&[]);
    for (place, minute) in minutes.iter().enumerate() {
        let time_ms = Some(1_795_132_800_000 + 60_000 * minute);
        let meta = Meta { time_ms, boot_id: Some(boot.to_owned()), ..Meta::default() };
        let path = directory.path().join(format!("{:08}-x.alloctag", place + 1));
        snapshot(&path, "8192 1 a.c:1 func:f \n16 1 b.c:2 func:g accurate:no\n", meta);
    }
    directory
}

/// The remarks that are told of the recordings and files of a line.
fn told(line: &str) -> Vec<String> {
    let json = run(&format!("check {line} --format json")).json();
    let remarks = |row: &serde_json::Value| row["remarks"].as_str().unwrap().to_owned();
    json["rows"].as_array().unwrap().iter().map(remarks).collect()
}

#[test]
fn each_recording_is_judged_by_itself() {
    let (early, late) = (recording("a", &[0, 1, 2, 3]), recording("b", &[9000, 9060, 9120, 9720, 9780]));
    let at = |directory: &TempDir| directory.path().display().to_string();
    let (early, late) = (at(&early), at(&late));
    let alone = [told(&early), told(&late)];
    let of_late = ["", "", "", "; 10 h 0 min after the one before", ""].map(|gap| format!("1 site accurate:no{gap}"));
    assert_eq!(alone, [vec!["1 site accurate:no".to_owned(); 4], of_late.to_vec()]);
    for (line, expected) in [
        (format!("{early} {late}"), alone.concat()),
        // Neither is the clock set back between them.
        (format!("{late} {early}"), [&alone[1][..], &alone[0]].concat()),
        (format!("{early} {early}"), [&alone[0][..], &alone[0]].concat()),
        // What is named alone has nothing before it.
        (format!("{early}@first {early}@latest {late}@first {late}@latest"), vec!["1 site accurate:no".to_owned(); 4]),
    ] {
        assert_eq!(told(&line), expected, "{line}");
    }
    // What lasts is new to say of each.
    let out = run(&format!("check {early} {late}")).clean();
    assert_eq!(out.matches("1 site accurate:no").count(), 3, "{out}");
}

#[test]
fn what_holds_no_snapshots_keeps_nobody_from_looking_at_the_others() {
    let (good, empty) = (recording("a", &[0, 1, 2]), directory(&[("notes", "mine")]));
    let (good, empty) = (good.path().display(), empty.path().display());
    let problem = "holds no snapshots; `alloctag record` and `alloctag snap` make them";
    for line in [format!("{empty} {good}"), format!("{good} {empty}"), format!("{good} {empty}@latest")] {
        let ran = run(&format!("check {line} crafted-1.0.txt"));
        assert_eq!((ran.status, ran.err.as_str()), (1, ""), "{line}");
        let broken: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("BROKEN")).collect();
        assert!(broken.len() == 1 && broken[0].ends_with(problem), "{}", ran.out);
        assert!(broken[0].contains(&empty.to_string()), "{}", ran.out);
        assert!(ran.out.contains("crafted-1.0.txt") && ran.out.contains("5 files checked, 1 broken"), "{}", ran.out);
    }
    let ran = run(&format!("check {good}@yesterday {good} --format json"));
    assert_eq!((ran.status, ran.err.as_str()), (1, ""));
    let json = ran.json();
    assert_eq!((&json["broken"], json["rows"].as_array().unwrap().len()), (&1.into(), 4));
}
