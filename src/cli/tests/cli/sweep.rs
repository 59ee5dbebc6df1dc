// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag sweep`, as far as it needs no kernel; in the guest it is run as it is meant.

use tempfile::TempDir;

use crate::harness::{directory, run};

/// What a guest wrote down: a leak, a warning, an oops, and what was handled.
fn journal(part: &str) -> String {
    let (number, of) = part.split_once('/').unwrap();
    format!(
        r#"{{"sweep":{{"version":1,"command":["mount"],"cleanup":null,"condition":null,"nth":1,"timeout_ms":60000,"part":{{"number":{number},"of":{of}}}}}}}
{{"boot":"a"}}
{{"plan":[{{"file":"fs/a.c","line":1,"func":"f","module":null}}]}}
{{"begin":{{"site":{{"file":"fs/a.c","line":1,"func":"f","module":null}},"nth":1}}}}
{{"end":{{"trial":{{"site":{{"file":"fs/a.c","line":1,"func":"f","module":null}},"nth":1}},"found":{{"reached":true,"ending":{{"status":32}},"said":[],"gravity":null,"leaks":[{{"site":{{"file":"fs/b.c","line":2,"func":"g","module":"m"}},"bytes":4096,"calls":1}}],"stack":["f+0x1/0x2"]}}}}}}
{{"end":{{"trial":{{"site":{{"file":"fs/c.c","line":3,"func":"h","module":null}},"nth":1}},"found":{{"reached":true,"ending":{{"signal":9}},"said":["WARNING: fs/c.c:7"],"gravity":"warning","leaks":[],"stack":[]}}}}}}
{{"end":{{"trial":{{"site":{{"file":"fs/d.c","line":4,"func":"i","module":null}},"nth":1}},"found":{{"reached":true,"ending":null,"said":["Kernel panic"],"gravity":"oops","leaks":[],"stack":[]}}}}}}
{{"end":{{"trial":{{"site":{{"file":"fs/e.c","line":5,"func":"j","module":null}},"nth":1}},"found":{{"reached":true,"ending":{{"status":0}},"said":[],"gravity":null,"leaks":[],"stack":[]}}}}}}
"done"
"#
    )
}

/// A directory in which such a sweep was kept.
pub fn swept(part: &str) -> TempDir {
    directory(&[("journal.jsonl", &journal(part))])
}

#[test]
fn a_report_begins_with_the_worst_and_says_so() {
    let kept = swept("1/1");
    let table = run(&format!("sweep --report {}", kept.path().display()));
    assert_eq!((table.status, table.err.as_str()), (3, ""));
    let expected = "\
VERDICT  SITE             ENDED      WHAT
oopsed   fs/d.c:4 func:i  -          Kernel panic
warned   fs/c.c:3 func:h  signal 9   WARNING: fs/c.c:7
leaked   fs/a.c:1 func:f  status 32  leaked 4096 bytes at fs/b.c:2 [m] func:g
4 trials, 1 oopsed, 1 warned, 1 leaked, 1 handled
";
    assert_eq!(table.out, expected);
    let all = run(&format!("sweep --report {} --all", kept.path().display()));
    assert!(all.out.contains("\nhandled  fs/e.c:5 func:j  status 0"), "{}", all.out);
}

#[test]
fn a_report_is_for_programs_as_well() {
    let kept = swept("1/1");
    let json = run(&format!("sweep --report {} --format json", kept.path().display())).json();
    assert_eq!(
        (&json["schema"], &json["oopsed"], &json["unreached"]),
        (&"alloctag.sweep/1".into(), &1.into(), &0.into())
    );
    assert_eq!(json["rows"].as_array().map(Vec::len), Some(4));
    assert_eq!(json["rows"][2]["leaked"], 4096);
    // What is lost is told to the byte, whatever the units.
    for option in ["--iec", "--si", "--raw-bytes"] {
        let csv = run(&format!("sweep --report {} --format csv {option}", kept.path().display()));
        assert!(csv.out.contains(",status 32,4096,leaked 4096 bytes at "), "{option}: {}", csv.out);
    }
    let junit = run(&format!("sweep --report {} --format junit", kept.path().display()));
    assert!(junit.out.contains("<failure message=\"leaked\">"), "{}", junit.out);
}

#[test]
fn parts_are_one_sweep_if_they_are_all_there() {
    let (first, second) = (swept("1/2"), swept("2/2"));
    let both = run(&format!("sweep --report {} {}", first.path().display(), second.path().display()));
    assert_eq!((both.status, both.err.as_str()), (3, ""));
    let one = run(&format!("sweep --report {}", first.path().display()));
    assert_eq!(one.err, "alloctag: not all parts of the sweep are here, but 1/2\n");
    let other = directory(&[("journal.jsonl", &journal("2/2").replace("\"mount\"", "\"umount\""))]);
    let mixed = run(&format!("sweep --report {} {}", first.path().display(), other.path().display()));
    assert_eq!(mixed.err, "alloctag: these are of different sweeps\n");
    let fine = directory(&[("journal.jsonl", "")]);
    let undone = run(&format!("sweep --report {}", fine.path().display()));
    assert_eq!((undone.status, undone.err.as_str()), (1, "alloctag: 1 sweep not at its end\n"));
}

#[test]
fn slips_are_told_before_the_kernel_is_asked() {
    for (line, expected) in [
        ("sweep", "COMMAND"),
        ("sweep --nth 0 -- true", "--nth"),
        ("sweep --part 3/2 -- true", "a part is given as"),
        ("sweep --timeout x -- true", "--timeout"),
        ("sweep --report x --cleanup y", "cannot be used with"),
        ("sweep --report x -o y", "cannot be used with"),
        ("sweep --where 'file=' -- true", "file="),
    ] {
        let error = run(line).failed(2);
        assert!(error.contains(expected), "{line}: {error}");
    }
    let error = run("sweep --report /no/such").failed(1);
    assert_eq!(error, "alloctag: /no/such/journal.jsonl: no such file or directory");
}

#[test]
fn a_kernel_that_has_nothing_fail_is_explained() {
    let error = run("sweep --procfs /no/such --subsystems /dev/null --output /no/such -- true").failed(1);
    assert!(error.starts_with("alloctag: /no/such: procfs is not mounted here"), "{error}");
}
