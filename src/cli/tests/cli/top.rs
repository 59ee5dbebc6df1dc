// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag top` as pages.

use std::fs;
use std::io::{BufRead, BufReader};

use alloctag::model::Meta;
use tempfile::TempDir;

use crate::harness::{directory, lines, run, snapshot, tool};

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

/// A recording of a site that grows by 100 bytes a minute; the third snapshot is damaged, and the machine was booted before the
/// fifth.
fn recording() -> TempDir {
    let directory = directory(&[]);
    for number in 1..=5u64 {
        let boot = number / 5;
        let meta = Meta {
            time_ms: Some(1_795_244_400_000 + 60_000 * number),
            uptime_ms: Some(60_000 * number - 200_000 * boot),
            boot_id: Some(format!("boot {boot}")),
            ..Meta::default()
        };
        let path = directory.path().join(format!("{number:08}-x.alloctag"));
        snapshot(&path, &format!("{} 1 a.c:1 func:grows \n", 100 * number), meta);
        if number == 3 {
            fs::write(&path, b"\x89ALTAG\r\n").unwrap();
        }
    }
    directory
}

#[test]
fn a_recording_is_replayed_without_waiting() {
    let recording = recording();
    let at = recording.path().display();
    let ran = run(&format!("top --batch {at}"));
    assert_eq!(ran.status, 1);
    assert_eq!(ran.err.lines().count(), 1);
    assert!(ran.err.starts_with("alloctag: left out: ") && ran.err.contains("00000003-x.alloctag"), "{}", ran.err);
    let pages: Vec<&str> = ran.out.split("\n\n").collect();
    let heads: Vec<&str> = pages.iter().map(|page| page.lines().next().unwrap()).collect();
    assert_eq!(
        heads,
        ["07:01:00", "07:02:00", "07:04:00", "07:05:00"].map(|time| format!("alloctag top  2026-11-21 {time} UTC"))
    );
    assert!(pages[1].contains("+100 in 1 min 0 s, now +1/s"), "{}", pages[1]);
    assert!(pages[2].contains("+300 in 3 min 0 s, now +1/s"), "{}", pages[2]);
    assert!(pages[3].contains("the machine booted: no rates for this interval"), "{}", pages[3]);
    assert_eq!(run(&format!("top --batch -i 2 {at}")).clean().split("\n\n").count(), 2);
    let latest = run(&format!("top --once {at}")).clean();
    assert!(latest.contains("07:05:00") && latest.contains("500 in 1 site"), "{latest}");
    assert!(run(&format!("top --once {at}@first")).clean().contains("07:01:00"));
    assert!(run("top --once /no/where").failed(1).contains("/no/where: no such file or directory"));
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
    let mut child = tool(&format!("top -b -d 100ms -n 2 -s delta --procfs {}", procfs.path().display()))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut pages = Pages(BufReader::new(child.stdout.take().unwrap()));
    let first = pages.next();
    assert!(!first.contains("DELTA"), "{first}");
    fs::write(procfs.path().join("new"), PROFILE.replace("1048576 256 mm/util", "3145728 768 mm/util")).unwrap();
    fs::rename(procfs.path().join("new"), procfs.path().join("allocinfo")).unwrap();
    let mut second = pages.next();
    while !second.contains("+2.0Mi") {
        second = pages.next();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let row = second.lines().find(|line| line.contains("mm/util.c:20")).expect("it has the largest change");
    let cells: Vec<_> = row.split_whitespace().collect();
    assert_eq!((cells[0], cells[2], cells[4]), ("3.0Mi", "+2.0Mi", "768"), "{row}");
    assert!(cells[3].starts_with('+'), "{row}");
    assert!(second.contains("; +2.0Mi in "), "{second}");
}

/// The pages of a batch, as they come.
struct Pages<R>(BufReader<R>);

impl<R: std::io::Read> Pages<R> {
    fn next(&mut self) -> String {
        let mut page = String::new();
        // An empty line stands between two of them, and the lines of these are known.
        while !page.ends_with("\n\n") && page.lines().filter(|line| line.contains(".c:")).count() < 2 {
            assert!(self.0.read_line(&mut page).unwrap() > 0, "it ends: {page}");
        }
        page
    }
}

#[test]
fn programs_are_given_an_object_a_page() {
    let recording = recording();
    let ran = run(&format!("top --batch --format json {}", recording.path().display()));
    let pages: Vec<serde_json::Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(pages.len(), 4);
    let page = &pages[2];
    assert_eq!((&page["schema"], &page["meta"]["time_ms"]), (&"alloctag.top/1".into(), &1_795_244_640_000_u64.into()));
    assert_eq!(
        (&page["since_ms"], &page["total"]["delta"], &page["hidden"]),
        (&180_000.into(), &300.into(), &0.into())
    );
    let row = &page["rows"][0];
    assert_eq!(
        (&row["bytes"], &row["delta"], &row["rate"], &row["calls"]),
        (&400.into(), &300.into(), &1.into(), &1.into())
    );
    assert_eq!(
        (&row["file"], &row["line"], &row["func"], &row["module"]),
        (&"a.c".into(), &1.into(), &"grows".into(), &().into())
    );
    assert_eq!((&pages[0]["rows"][0]["delta"], &pages[3]["rows"][0]["rate"]), (&().into(), &().into()));
    assert_eq!((&pages[2]["cut"], &pages[3]["cut"]), (&false.into(), &true.into()));

    let procfs = directory(&[("allocinfo", PROFILE)]);
    let at = procfs.path().display();
    let once = |options: &str| run(&format!("top --once --format json --procfs {at} {options}")).json();
    let modules = once("-g module -n 1");
    assert_eq!((&modules["rows"][0]["name"], &modules["rows"][0]["module"]), (&"ext4".into(), &"ext4".into()));
    assert_eq!((&modules["rows"][0]["file"], &modules["hidden"]), (&().into(), &1.into()));
    assert!(once("-t")["rows"].as_array().unwrap().iter().any(|row| row["depth"] == 1));
    assert!(run(&format!("top --format json --procfs {at}")).failed(2).contains("give --once or --batch"));
}

#[test]
fn a_page_has_the_columns_that_are_asked_for() {
    let page = once("--fields calls,bytes -n 1");
    assert!(page.contains("    BYTES       CALLS  NAME\n    4.0Mi           4  fs/ext4"), "{page}");
    assert!(once("-f trend -n 1").contains("TREND     NAME") || once("-f trend -n 1").contains("TREND  NAME"));
    assert!(run("top --once -f bytes,colour").failed(2).contains("there is no column `colour`"));
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
