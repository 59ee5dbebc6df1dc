// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag diff`, flag by flag.

use tempfile::TempDir;

use crate::harness::{directory, lines, run, Ran};

fn files() -> TempDir {
    directory(&[
        (
            "a",
            "4096 1 a.c:1 func:grown \n8192 2 a.c:2 func:shrunk \n100 1 a.c:3 func:gone \n50 1 a.c:4 func:same \n\
             70 7 b.c:10 func:moved \n900 9 mm/slub.c:9 func:alloc_slab_page \n0 0 a.c:9 func:empty \n",
        ),
        (
            "b",
            "1048576 3 a.c:1 func:grown \n4096 1 a.c:2 func:shrunk \n6 1 a.c:5 [m] func:new \n50 1 a.c:4 func:same \n\
             75 8 b.c:17 func:moved \n1900 9 mm/slub.c:9 func:alloc_slab_page \n0 0 a.c:9 func:empty \n",
        ),
    ])
}

fn diff(files: &TempDir, flags: &str) -> Ran {
    let at = |name| files.path().join(name).display().to_string();
    run(&format!("diff {} {} {flags}", at("a"), at("b")))
}

#[test]
fn changes_are_listed_from_the_largest_on() {
    let out = diff(&files(), "").clean();
    assert_eq!(
        lines(&out),
        [
            "   DELTA    DELTA%  CALLS      A      B  KIND    MATCH  SITE                WAS",
            "1020.0Ki  25500.0%      2  4.0Ki  1.0Mi  grown   exact  a.c:1 func:grown    -",
            "  -4.0Ki    -50.0%     -1  8.0Ki  4.0Ki  shrunk  exact  a.c:2 func:shrunk   -",
            "    -100   -100.0%     -1    100      0  gone    -      a.c:3 func:gone     -",
            "       6         -      1      0      6  new     -      a.c:5 [m] func:new  -",
            "       5      7.1%      1     70     75  grown   high   b.c:17 func:moved   b.c:10",
            "+1015.9Ki in all: 1 new (+6), 1 gone (-100), 2 grown (+1020.0Ki), 1 shrunk (-4.0Ki)",
            "matched although the line has moved: 1, as sure as MATCH says",
        ]
    );
}

#[test]
fn a_condition_sets_the_exit_status() {
    let files = files();
    for (condition, status) in [
        ("delta>1M", 0),
        ("delta>1000k", 3),
        ("total>1000k", 3),
        ("total>1M", 0),
        ("kind=new", 3),
        ("kind=new delta>6", 0),
        ("match=high calls>=1", 3),
        ("kind=new match=exact", 0),
        ("func=shrunk percent=-50", 3),
        ("module=m", 3),
        ("module=- kind=new", 0),
        ("file~^b delta>4", 3),
        ("before>8k or after>1M", 0),
        ("site~alloc_slab_page", 0),
    ] {
        let ran = diff(&files, &format!("--fail-if '{condition}'"));
        assert_eq!((ran.status, ran.err.as_str()), (status, ""), "{condition}");
    }
    for (condition, expected) in [
        ("dleta>1", "there is no field `dleta`"),
        ("kind=grew", "`grew` is no kind; there are new gone grown shrunk same"),
        ("match!=good", "`good` is no match; there are exact high fair low"),
    ] {
        let error = diff(&files, &format!("--fail-if '{condition}'")).failed(2);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn sites_are_selected() {
    let files = files();
    let count = |flags: &str| diff(&files, &format!("{flags} --format ndjson")).clean().lines().count();
    assert_eq!(count(""), 5);
    assert_eq!(count("-n 2"), 2);
    assert_eq!(count("--include-backing"), 6);
    assert_eq!(count("--exact"), 6, "what moved is gone and new");
    assert_eq!(count("-w func=gone"), 1);
    assert_eq!(count("-w module=m"), 1);
    assert!(diff(&files, "-n 2").clean().contains("not shown: 3 by -n"));
}

#[test]
fn machines_get_every_number() {
    let json = diff(&files(), "--format json").json();
    assert_eq!((&json["schema"], &json["total"]), (&"alloctag.diff/1".into(), &1_040_295.into()));
    assert_eq!(json["kinds"]["grown"], serde_json::json!({"sites": 2, "delta": 1_044_485}));
    assert_eq!(json["rows"][4]["was"], "b.c:10");
    assert_eq!(json["before"]["unreadable"]["count"], 0);
}

#[test]
fn equal_profiles_do_not_differ() {
    let out = run("diff crafted-2.0.txt crafted-2.0.txt").clean();
    assert!(out.contains("0 in all: no site differs"), "{out}");
    assert_eq!(run("diff - -").failed(2), "alloctag: only one of the profiles can come from standard input");
    assert!(run("diff crafted-2.0.txt nowhere.txt").failed(1).contains("nowhere.txt: no such file"));
}

#[test]
fn the_running_kernel_is_the_later_one() {
    let procfs = directory(&[("allocinfo", "100 1 a.c:1 func:f \n"), ("old", "90 1 a.c:1 func:f \n")]);
    let at = procfs.path().display();
    let out = run(&format!("diff {at}/old --procfs {at}")).clean();
    assert!(out.contains("+10 in all: 1 grown (+10)"), "{out}");
}
