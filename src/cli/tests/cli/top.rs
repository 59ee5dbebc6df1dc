// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag top` as pages.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use crate::harness::{directory, lines, run, tool};

const PROFILE: &str = "allocinfo - version: 2.0\n\
    #     <size>  <calls> <tag info>\n\
    4194304 4 fs/ext4/inode.c:10 [ext4] func:ext4_alloc \n\
    1048576 256 mm/util.c:20 func:kstrdup \n\
    2048 2 mm/util.c:30 func:kmemdup accurate:no \n\
    1048576 256 mm/slub.c:40 func:alloc_slab_page \n\
    0 0 init/main.c:50 func:idle \n";

/// What `top --once` prints of it, the head (with date and kernel) left out.
fn once(options: &str) -> String {
    let procfs = directory(&[("allocinfo", PROFILE)]);
    let out = run(&format!("top --once --procfs {} {options}", procfs.path().display())).clean();
    let (head, rest) = out.split_once('\n').unwrap();
    assert!(head.starts_with("alloctag top  20") && head.contains("UTC"), "{head}");
    rest.to_owned()
}

#[test]
fn once_prints_one_page() {
    assert_eq!(
        lines(&once("")),
        [
            "5.0Mi in 3 sites, 262 calls",
            "pages for slab objects: 1.0Mi",
            "    BYTES  %TOTAL       CALLS        AVG  NAME",
            "    4.0Mi   80.0%           4      1.0Mi  fs/ext4/inode.c:10 [ext4] ext4_alloc",
            "    1.0Mi   20.0%         256      4.0Ki  mm/util.c:20 kstrdup",
            "    2.0Ki    0.0%           2      1.0Ki  mm/util.c:30 kmemdup accurate:no",
        ]
        .map(|line| line.replace("3 sites", "4 sites"))
    );
}

#[test]
fn every_option_does_what_it_says() {
    let names = |options: &str| -> Vec<String> {
        let page = once(options);
        let rows = page.lines().skip_while(|line| !line.contains("NAME")).skip(1);
        rows.map(|line| line.split_whitespace().skip(4).collect::<Vec<_>>().join(" ")).collect()
    };
    let (inode, dup, mem) =
        ("fs/ext4/inode.c:10 [ext4] ext4_alloc", "mm/util.c:20 kstrdup", "mm/util.c:30 kmemdup accurate:no");
    for (options, expected) in [
        ("-n 1", vec![inode]),
        ("-m 1M", vec![inode, dup]),
        ("--min 1.5M", vec![inode]),
        ("-s c", vec![dup, inode, mem]),
        ("-s t", vec![inode, dup, mem]),
        ("-s -bytes", vec![mem, dup, inode]),
        ("-s avg", vec![inode, dup, mem]),
        ("-w dup", vec![dup, mem]),
        ("-w 'calls>100 module=-'", vec![dup]),
        ("-g module", vec!["ext4", "(built-in) accurate:no"]),
        ("-g dir:1", vec!["fs", "mm accurate:no"]),
        ("-t -w dup", vec!["- mm/util.c accurate:no", "kstrdup:20", "kmemdup:30 accurate:no"]),
        ("-z -n 9 -w idle", vec!["init/main.c:50 idle"]),
        ("--include-backing -w slab", vec!["mm/slub.c:40 alloc_slab_page"]),
        ("-w nothing", vec![]),
    ] {
        assert_eq!(names(options), expected, "{options}");
    }
    assert!(once("--raw-bytes").contains("4194304"));
    assert!(once("--si").contains("4.2M"));
}

#[test]
fn a_batch_shows_what_has_changed() {
    let procfs = directory(&[("allocinfo", PROFILE)]);
    let child = tool(&format!("top -b -i 2 -d 1500ms -n 2 -s delta --procfs {}", procfs.path().display()))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The first page is there after milliseconds, the second after the interval.
    sleep(Duration::from_millis(700));
    fs::write(procfs.path().join("allocinfo"), PROFILE.replace("1048576 256 mm/util", "3145728 768 mm/util")).unwrap();
    let out = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let (first, second) = out.split_once("\n\n").expect("there are two pages");
    assert!(!first.contains("DELTA"), "{first}");
    let row = second.lines().find(|line| line.contains("mm/util.c:20")).expect("it has the largest change");
    let cells: Vec<_> = row.split_whitespace().collect();
    assert_eq!((cells[0], cells[2], cells[4]), ("3.0Mi", "+2.0Mi", "768"), "{row}");
    assert!(cells[3].starts_with('+'), "{row}");
    assert!(second.contains("; +2.0Mi in 1."), "{second}");
}

#[test]
fn mistakes_are_told_in_one_line() {
    let no_terminal = match cfg!(feature = "tui") {
        true => "standard output is no terminal; --once and --batch need none",
        false => "built without its terminal view; use --once or --batch",
    };
    for (line, status, part) in [
        ("top", 1, no_terminal),
        ("top --once -w 'bytes>lots'", 2, "`lots` is no number"),
        ("top --once --procfs /no/such", 1, "/no/such: procfs is not mounted here"),
    ] {
        assert!(run(line).failed(status).contains(part), "{line}");
    }
    for line in [
        "top -d 0",
        "top -d x",
        "top -d -1",
        "top -d 99ms",
        "top -d 2d",
        "top -s colour -o",
        "top -o -b",
        "top -i 3",
        "top -m x -o",
    ] {
        assert_eq!(run(line).status, 2, "{line}");
    }
}

#[test]
fn rows_that_cannot_be_read_are_told_and_the_rest_is_shown() {
    let procfs = directory(&[("allocinfo", "allocinfo - version: 2.0\n1 1 a.c:1 func:f \nnonsense\n")]);
    let ran = run(&format!("top -o --procfs {}", procfs.path().display()));
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("left out 1 row that cannot be read") && ran.out.contains("a.c:1 f"), "{}", ran.err);
}
