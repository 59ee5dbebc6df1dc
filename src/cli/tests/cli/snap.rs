// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag snap` and `alloctag check`, and snapshots wherever a profile is read.

use std::fs;
use std::path::Path;

use alloctag::model::Meta;

use crate::harness::{directory, lines, run, run_with_input, snapshot, tool};

#[test]
fn a_snapshot_is_read_wherever_a_profile_is() {
    let directory = directory(&[]);
    let path = directory.path().join("s.alloctag");
    let at = path.display();
    assert_eq!(run(&format!("snap crafted-2.0.txt -o {at}")).err, "");
    let named = |text: String| {
        text.replace(&path.display().to_string(), "crafted-2.0.txt").replace("standard input", "crafted-2.0.txt")
    };
    for command in ["list -z", "list --format csv", "tree", "summary"] {
        let expected = run(&format!("{command} crafted-2.0.txt")).clean();
        assert_eq!(named(run(&format!("{command} {at}")).clean()), expected, "{command}");
        assert_eq!(named(run_with_input(&format!("{command} -"), &fs::read(&path).unwrap()).clean()), expected);
    }
}

#[test]
fn nothing_is_overwritten_unless_asked_for() {
    let directory = directory(&[("s", "mine")]);
    let path = directory.path().join("s");
    let at = path.display();
    let error = run(&format!("snap crafted-2.0.txt -o {at}")).failed(1);
    assert_eq!(error, format!("alloctag: {at}: is there already; --force replaces it"));
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    assert_eq!(run(&format!("snap crafted-2.0.txt --force -o {at}")).clean(), format!("{at}\n"));
    assert!(run(&format!("check {at}")).clean().contains("1 file checked, 0 broken"));
}

#[test]
fn a_snapshot_goes_to_standard_output_or_to_a_name_that_tells_where_and_when() {
    let output = tool("snap crafted-2.0.txt -o -").output().unwrap();
    assert!(output.status.success() && output.stdout.starts_with(b"\x89ALTAG\r\n"));
    for options in ["", " --force"] {
        let same = tool(&format!("snap crafted-2.0.txt -o /dev/stdout{options}")).output().unwrap();
        assert_eq!((same.status.code(), &same.stdout, same.stderr), (Some(0), &output.stdout, Vec::new()), "{options}");
    }
    let directory = directory(&[]);
    let ran = tool("snap -").current_dir(directory.path()).output().unwrap();
    assert_eq!(ran.status.code(), Some(1), "there is nothing on standard input");
    let text = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/crafted-2.0.txt")).unwrap();
    fs::write(directory.path().join("t"), text).unwrap();
    let ran = tool("snap ./t").current_dir(directory.path()).output().unwrap();
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "profile.alloctag\n", "a text does not say where it is from");
}

#[test]
fn damaged_snapshots_are_refused_in_one_line() {
    let whole = tool("snap crafted-2.0.txt -o -").output().unwrap().stdout;
    let mut flipped = whole.clone();
    flipped[200] ^= 1;
    let mut newer = whole.clone();
    newer[8] = 7;
    for (bytes, expected) in [
        (whole[..whole.len() - 1].to_vec(), "is a snapshot that was cut off"),
        (flipped, "is a damaged snapshot"),
        (newer, "is a snapshot of version 7, which this alloctag does not know; update it"),
    ] {
        let error = run_with_input("list -", &bytes).failed(1);
        assert!(error.starts_with("alloctag: standard input: ") && error.contains(expected), "{error}");
    }
}

#[test]
fn check_names_what_is_broken_and_what_is_doubtful() {
    let directory = directory(&[
        ("good", "8 1 a.c:1 func:f accurate:no\n-8 1 a.c:2 func:f \n"),
        ("half", "8 1 a.c:1 func:f \n9 1 a."),
        ("junk", "hello\n"),
    ]);
    let at = |name: &str| directory.path().join(name).display().to_string();
    let output = tool("check good half junk none").current_dir(directory.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        lines(&out),
        [
            "VERDICT  TIME  ROWS  BYTES  FILE  REMARKS",
            "ok       -        2      0  good  1 site accurate:no; 1 site below zero",
            "BROKEN   -        1      8  half  1 row cannot be read (first: line 2: it does not end: the text was cut off here)",
            "BROKEN   -        -      -  junk  is not the text of /proc/allocinfo (line 1: it has no size)",
            "BROKEN   -        -      -  none  no such file or directory",
            "4 files checked, 3 broken",
        ]
    );
    let json = run(&format!("check {} --format json", at("half"))).json();
    assert_eq!((&json["schema"], &json["broken"]), (&"alloctag.check/1".into(), &1.into()));
    assert_eq!(run("check").status, 2);
}

#[test]
fn check_looks_at_contexts_and_times_as_well() {
    for whole in ["contexts-1.0.txt", "stalls-1.0.txt", "lifetimes-1.0.txt"] {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(whole)).unwrap();
        let files = directory(&[("whole", &text), ("cut", &format!("{text}1 2 nonsense\n"))]);
        let at = files.path().display();
        let out = run(&format!("check {at}/whole")).clean();
        assert!(out.contains("ok") && out.contains("1 file checked, 0 broken"), "{whole}: {out}");
        let cut = run(&format!("check {at}/cut"));
        assert!(cut.status == 1 && cut.out.contains("BROKEN") && cut.out.contains("cannot be read"), "{}", cut.out);
    }
}

#[test]
fn of_a_recording_check_shows_what_there_is_to_say() {
    let procfs = directory(&[("allocinfo", "8192 1 a.c:1 func:f \n"), ("cmdline", ""), ("modules", "")]);
    let at = procfs.path().display().to_string();
    run(&format!("record -n 1 --procfs {at} {at}/recording")).clean();
    let first = fs::read_dir(format!("{at}/recording")).unwrap().map(|entry| entry.unwrap().path()).next().unwrap();
    // The same again: snapshots that really come one after the other may have gaps between them.
    for number in 2..=9 {
        fs::copy(&first, format!("{at}/recording/{number:08}-x.alloctag")).unwrap();
    }
    let named = fs::read_dir(format!("{at}/recording")).unwrap().map(|entry| entry.unwrap().path()).min().unwrap();
    let rows = |line: &str| -> usize {
        let out = run(line).out;
        out.lines().filter(|line| line.starts_with("ok") || line.starts_with("BROKEN")).count()
    };
    let out = run(&format!("check {at}/recording")).clean();
    assert_eq!(out, "9 files checked, 0 broken; nothing new to say of 9 of a recording (--all shows them)\n");
    assert_eq!(
        (
            rows(&format!("check -a {at}/recording")),
            rows(&format!("check --all {at}/recording")),
            rows(&format!("check {}", named.display()))
        ),
        (9, 9, 1)
    );
    assert_eq!(run(&format!("check {at}/recording --format ndjson")).clean().lines().count(), 9);
    fs::write(&named, "junk\n").unwrap();
    let ran = run(&format!("check {at}/recording"));
    assert!(ran.status == 1 && ran.out.contains("BROKEN"), "{}", ran.out);
    assert!(ran.out.contains("9 files checked, 1 broken; nothing new to say of 8 of"), "{}", ran.out);
}

#[test]
fn what_lasts_is_said_once_of_a_recording() {
    let good = "8192 1 a.c:1 func:f \n";
    let odd = format!("{good}16 1 b.c:2 func:g accurate:no\n");
    let odder = format!("{odd}16 1 c.c:3 func:h accurate:no\n");
    let directory = directory(&[]);
    for (number, text) in [&odd, &odder, &odd, good, &odd, &odd].into_iter().enumerate() {
        let meta = Meta { time_ms: Some(1_795_132_800_000 + 60_000 * number as u64), ..Meta::default() };
        snapshot(&directory.path().join(format!("{:08}-x.alloctag", number + 1)), text, meta);
    }
    let out = run(&format!("check {}", directory.path().display())).clean();
    let told: Vec<_> = out.lines().filter(|line| line.starts_with("ok")).collect();
    let expected =
        |line: &str, number: u32| line.contains(&format!("{number:08}-x")) && line.ends_with("1 site accurate:no");
    assert!(told.len() == 2 && expected(told[0], 1) && expected(told[1], 5), "{out}");
    assert!(
        out.ends_with("6 files checked, 0 broken; nothing new to say of 4 of a recording (--all shows them)\n"),
        "{out}"
    );
}

#[test]
fn a_snapshot_of_version_1_stays_readable() {
    let out = run("list -z golden-1.alloctag").clean();
    assert_eq!(out, run("list -z crafted-2.0.txt").clean());
    // That with the numbers that only some kernels count.
    let fields = "-z -f bytes,calls,slack,allocs,frees,allocated,failed,site,flags --include-backing";
    assert_eq!(
        run(&format!("list golden-2.alloctag {fields}")).clean(),
        run(&format!("list sites-1.0.txt {fields}")).clean()
    );
}
