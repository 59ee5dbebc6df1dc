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
fn growth_is_listed_from_the_largest_on_and_then_shrinkage() {
    let out = diff(&files(), "").clean();
    assert_eq!(
        lines(&out),
        [
            "   DELTA    DELTA%  CALLS      A      B  KIND    MATCH  SITE                WAS",
            "1020.0Ki  25500.0%      2  4.0Ki  1.0Mi  grown   exact  a.c:1 func:grown    -",
            "       6         -      1      0      6  new     -      a.c:5 [m] func:new  -",
            "       5      7.1%      1     70     75  grown   high   b.c:17 func:moved   b.c:10",
            "  -4.0Ki    -50.0%     -1  8.0Ki  4.0Ki  shrunk  exact  a.c:2 func:shrunk   -",
            "    -100   -100.0%     -1    100      0  gone    -      a.c:3 func:gone     -",
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
        ("total>1000k not delta>0 not delta<=0", 0),
        ("total>1000k not kind=grown", 3),
        ("kind=new", 3),
        ("kind=new delta>6", 0),
        ("match=high calls>=1", 3),
        ("kind=new match=exact", 0),
        ("func=shrunk percent=-50", 3),
        ("func=moved percent>7", 3),
        ("func=moved percent=7", 3),
        ("func=moved percent>7.1 percent<7.2", 3),
        ("func=moved percent>=7.2", 0),
        ("module=m", 3),
        ("module=- kind=new", 0),
        ("file~^b delta>4", 3),
        ("before>8k or after>1M", 0),
        ("site~alloc_slab_page", 0),
    ] {
        let ran = diff(&files, &format!("--fail-if '{condition}'"));
        assert_eq!((ran.status, ran.err.is_empty()), (status, status == 0), "{condition}: {}", ran.err);
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
fn changes_are_added_up_by_group() {
    let files = files();
    let lines =
        |flags: &str| -> Vec<String> { lines(&diff(&files, flags).clean()).into_iter().map(str::to_owned).collect() };
    assert_eq!(
        lines("-g module"),
        [
            "   DELTA   DELTA%  CALLS       A      B  KIND   SITES  MODULE",
            "1015.9Ki  8317.0%      1  12.2Ki  1.0Mi  grown      6  (built-in)",
            "       6        -      1       0      6  new        1  m",
            "+1015.9Ki in all: 1 new (+6), 1 gone (-100), 2 grown (+1020.0Ki), 1 shrunk (-4.0Ki)",
            "matched although the line has moved: 1; -g site says how sure",
        ]
    );
    assert!(lines("-g func")[1].ends_with("  grown a.c"), "{:?}", lines("-g func"));
    for (flags, field, value) in [
        ("-g file", "file", "a.c"),
        ("-g dir", "dir", "."),
        ("-g dir:1", "dir", "."),
        ("-g subsystem", "subsystem", "(none)"),
        ("-g func", "func", "grown"),
    ] {
        let json = diff(&files, &format!("{flags} --format json")).json();
        assert_eq!(json["rows"][0][field], value, "{flags}");
        assert_eq!(json["group"], &flags[3..]);
        let sum: i64 = json["rows"].as_array().unwrap().iter().map(|row| row["delta"].as_i64().unwrap()).sum();
        assert_eq!(json["total"], sum, "{flags}: the groups add up to the whole");
    }
}

#[test]
fn the_order_is_as_asked_for() {
    let files = files();
    let order = |flags: &str| -> String {
        let out = diff(&files, &format!("{flags} --format ndjson")).clean();
        let func =
            |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["func"].as_str().unwrap().to_owned();
        out.lines().map(func).collect::<Vec<_>>().join(" ")
    };
    for (flags, expected) in [
        ("", "grown new moved shrunk gone"),
        ("-s delta", "grown new moved gone shrunk"),
        ("-s -delta", "shrunk gone moved new grown"),
        ("-s change", "grown shrunk gone new moved"),
        ("-s percent", "new grown moved shrunk gone"),
        ("-s calls,name", "grown new moved gone shrunk"),
        ("-s before -n 2", "shrunk grown"),
        ("-s after -n 2", "grown shrunk"),
        ("-s -name", "moved shrunk new grown gone"),
    ] {
        assert_eq!(order(flags), expected, "{flags}");
    }
    assert!(diff(&files, "-s size").failed(2).contains("`size` is nothing to sort by; there are delta, change"));
}

#[test]
fn a_condition_asks_for_what_was_found_out() {
    let files = files();
    let funcs = |flags: &str| -> String {
        let out = diff(&files, &format!("{flags} --format ndjson")).clean();
        let func =
            |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["func"].as_str().unwrap().to_owned();
        out.lines().map(func).collect::<Vec<_>>().join(" ")
    };
    for (flags, expected) in [
        ("-w 'delta>0'", "grown new moved"),
        ("-w 'kind=new or kind=gone'", "new gone"),
        ("-w 'percent<0 before>1k'", "shrunk"),
        ("-w 'match=high line=17'", "moved"),
        ("-w 'after=0'", "gone"),
        ("-w 'calls=2'", "grown"),
        ("-w 'bytes>=4k not delta<0'", "grown"),
        ("-m 100", "grown shrunk gone"),
        ("-m 101 -w 'delta<0'", "shrunk"),
    ] {
        assert_eq!(funcs(flags), expected, "{flags}");
    }
    assert!(diff(&files, "-m 1k").clean().contains("not shown: 3 by --min"));
    assert!(diff(&files, "-w 'total>0'").failed(2).contains("`total` is no field; there are kind match delta"));
    assert!(diff(&files, "-w 'kind=grew'").failed(2).contains("`grew` is no kind"));
}

#[test]
fn machines_get_every_number() {
    let json = diff(&files(), "--format json").json();
    assert_eq!((&json["schema"], &json["total"]), (&"alloctag.diff/1".into(), &1_040_295.into()));
    assert_eq!(json["kinds"]["grown"], serde_json::json!({"sites": 2, "delta": 1_044_485}));
    let row = |at: usize| &json["rows"][at];
    assert_eq!((&row(2)["func"], &row(2)["was"], &row(2)["line"]), (&"moved".into(), &"b.c:10".into(), &17.into()));
    assert_eq!((&row(1)["file"], &row(1)["module"]), (&"a.c".into(), &"m".into()));
    assert_eq!((&row(0)["module"], &row(0)["subsystem"]), (&serde_json::Value::Null, &"(none)".into()));
    let csv = diff(&files(), "--format csv").clean();
    let head = "delta,percent,calls,before,after,kind,match,site,was,file,line,func,module,subsystem,extra";
    assert_eq!(lines(&csv)[0], head);
    assert!(lines(&csv)[2].starts_with("6,,1,0,6,new,,a.c:5 [m] func:new,,a.c,5,new,m,"), "{csv}");
    assert_eq!(json["before"]["unreadable"]["count"], 0);
}

#[test]
fn what_is_told_below_is_about_what_is_listed() {
    let files = directory(&[
        (
            "a",
            "4096 1 a.c:1 func:grown \n50 1 a.c:4 func:same \n50 5 a.c:14 func:calls \n70 7 b.c:10 func:moved \n\
             80 7 b.c:20 func:still \n90 7 c.c:30 func:still \n",
        ),
        (
            "b",
            "8192 3 a.c:1 func:grown \n50 1 a.c:4 func:same \n50 6 a.c:14 func:calls \n75 8 b.c:17 func:moved \n\
             80 7 b.c:27 func:still \n90 7 c.c:37 func:still \n",
        ),
    ]);
    let all = "+4.0Ki in all: 2 grown (+4.0Ki), 1 same (0)";
    let moved = |number: usize| format!("matched although the line has moved: {number}, as sure as MATCH says");
    let added_up = |number: usize| format!("matched although the line has moved: {number}; -g site says how sure");
    for (flags, listed, told) in [
        // What has moved and is the same is not listed, and so not among them.
        ("", 3, vec![all.to_owned(), moved(1)]),
        ("-n 1", 1, vec![all.to_owned(), "not shown: 2 by -n".to_owned()]),
        ("-n 2", 2, vec![all.to_owned(), moved(1), "not shown: 1 by -n".to_owned()]),
        ("-w kind=grown", 2, vec!["+4.0Ki in all: 2 grown (+4.0Ki)".to_owned(), moved(1)]),
        ("-w kind=same", 1, vec!["0 in all: 1 same (0)".to_owned(), "not shown: 3 that have not changed".to_owned()]),
        (
            "-w kind=same -n 0",
            0,
            vec!["0 in all: 1 same (0)".to_owned(), "not shown: 3 that have not changed, 1 by -n".to_owned()],
        ),
        (
            "-w 'kind=same func=still'",
            0,
            vec!["0 in all: no site differs".to_owned(), "not shown: 2 that have not changed".to_owned()],
        ),
        ("-w func=still", 0, vec!["0 in all: no site differs".to_owned()]),
        (
            "-w 'kind!=new' -g file",
            2,
            vec![all.to_owned(), added_up(2), "not shown: 1 that have not changed".to_owned()],
        ),
        ("-g file -n 1", 1, vec![all.to_owned(), "not shown: 1 by -n".to_owned()]),
    ] {
        let out = diff(&files, flags).clean();
        assert_eq!(lines(&out)[1 + listed..], told, "{flags}: {out}");
    }
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

#[test]
fn everything_that_a_condition_holds_for_is_named_whatever_is_shown() {
    let files = files();
    let ran = diff(&files, "-n 1 --fail-if 'delta>0 kind!=same'");
    assert_eq!(ran.status, 3);
    assert_eq!(
        lines(&ran.err),
        [
            "alloctag: --fail-if \"delta>0 kind!=same\": a.c:1 func:grown: delta=1044480 kind=grown",
            "alloctag: --fail-if \"delta>0 kind!=same\": a.c:5 [m] func:new: delta=6 kind=new",
            "alloctag: --fail-if \"delta>0 kind!=same\": b.c:17 func:moved: delta=5 kind=grown",
        ]
    );
    // One that is true of all together is not said of each.
    let ran = diff(&files, "--fail-if 'total>1000k or delta>1M' --fail-if func=gone");
    assert_eq!(
        lines(&ran.err),
        [
            "alloctag: --fail-if \"total>1000k or delta>1M\": all together: total=1040295",
            "alloctag: --fail-if \"func=gone\": a.c:3 func:gone",
        ]
    );
}

#[test]
fn programs_are_told_what_a_condition_holds_for() {
    let files = files();
    let json = diff(&files, "-n 2 --fail-if 'delta>4 calls>0' --fail-if 'delta>1M' --format json").json();
    let first = &json["fail_if"][0];
    assert_eq!((&first["condition"], &first["holds"]), (&"delta>4 calls>0".into(), &true.into()));
    assert_eq!(first["for"][1], serde_json::json!({"subject": "a.c:5 [m] func:new", "delta": 6, "calls": 1}));
    assert_eq!(first["for"].as_array().unwrap().len(), 3, "also what -n leaves out");
    assert_eq!(json["fail_if"][1], serde_json::json!({"condition": "delta>1M", "holds": false, "for": []}));
    let marks: Vec<_> = json["rows"].as_array().unwrap().iter().map(|row| row["fails"].clone()).collect();
    assert_eq!(marks, [true, true]);
    let csv = diff(&files, "--fail-if func=gone --format csv").out;
    let fails: Vec<_> = csv.lines().filter(|line| line.ends_with(",yes")).collect();
    assert!(
        csv.lines().next().unwrap().ends_with(",fails") && fails.len() == 1 && fails[0].contains("func:gone"),
        "{csv}"
    );
    assert!(!diff(&files, "--format csv").clean().contains("fails"));
}

#[test]
fn conditions_can_be_about_sums() {
    let at = |size: i64, other: i64| {
        format!(
            "{size} 1 fs/ext4/a.c:1 [ext4] func:a \n{size} 1 fs/ext4/b.c:1 [ext4] func:b \n\
             {other} 1 fs/xfs/a.c:1 [xfs] func:a \n800000 1 mm/util.c:1 func:dup \n"
        )
    };
    let files = directory(&[("a", &at(100_000, 900_000)), ("b", &at(700_000, 100_000))]);
    for (flags, status, told) in [
        ("--fail-if 'delta>1M'", 0, ""),
        ("--fail-if 'subsystem=ext4 delta>1M'", 3, "EXT4 FILE SYSTEM: subsystem"),
        ("--fail-if 'subsystem=ext4 delta>2M'", 0, ""),
        ("--fail-if 'subsystem~. delta<-700k'", 3, "XFS FILESYSTEM: delta=-800000"),
        ("-g module --fail-if 'delta>1M'", 3, "ext4: delta=1200000"),
        ("-g module --fail-if 'module=ext4 kind=grown after>=1.3M'", 3, "ext4: kind=grown after=1400000"),
        ("-g module --fail-if 'module=- delta!=0'", 0, ""),
        ("-g module --fail-if 'module=- before>0'", 3, "(built-in): before=800000"),
        ("-g dir:1 --fail-if 'dir=fs total>1'", 3, "fs: total=400000"),
        ("-g dir --fail-if 'dir=fs/ext4 delta>0'", 3, "fs/ext4: delta=1200000"),
    ] {
        let told = told.replace(": subsystem", ": delta=1200000");
        let ran = diff(&files, flags);
        assert_eq!(ran.status, status, "{flags}: {}", ran.err);
        assert!(ran.err.contains(&told) && ran.err.lines().count() <= 1, "{flags}: {}", ran.err);
    }
    for (flags, expected) in [
        ("--fail-if 'subsystem=nonsense'", "`nonsense` is no subsystem"),
        ("--fail-if 'subsystem=ext4 func=a'", "sums by subsystem have no field `func`"),
        ("-g module --fail-if 'match=exact'", "sums by module have no field `match`"),
        ("-g dir --fail-if 'file=x'", "sums by dir have no field `file`"),
    ] {
        let error = diff(&files, flags).failed(2);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn pull_requests_and_runners_are_told_in_their_formats() {
    let files = files();
    let ran = diff(&files, "--format markdown -n 2 --fail-if 'delta>1000k'");
    assert_eq!(ran.status, 3);
    assert_eq!(
        ran.out,
        "| DELTA | DELTA% | CALLS | A | B | KIND | MATCH | SITE | WAS |\n\
         | ---: | ---: | ---: | ---: | ---: | --- | --- | --- | --- |\n\
         | 1020.0Ki | 25500.0% | 2 | 4.0Ki | 1.0Mi | **grown** | `exact` | `a.c:1 func:grown` | - |\n\
         | 6 | - | 1 | 0 | 6 | **new** | - | `a.c:5 [m] func:new` | - |\n\
         \n+1015.9Ki in all: 1 new (+6), 1 gone (-100), 2 grown (+1020.0Ki), 1 shrunk (-4.0Ki)\n\
         \nnot shown: 3 by -n\n"
    );
    let ran = diff(&files, "--format junit --fail-if 'delta>1000k' --fail-if 'delta>1M'");
    assert_eq!(ran.status, 3);
    let cases: Vec<_> = ran.out.lines().filter(|line| line.contains("<testcase")).collect();
    assert_eq!(
        cases,
        [
            "<testcase classname=\"alloctag diff\" name=\"delta&gt;1000k\"><failure message=\"holds 1 time\">\
             a.c:1 func:grown: delta=1044480</failure></testcase>",
            "<testcase classname=\"alloctag diff\" name=\"delta&gt;1M\"/>",
        ]
    );
    assert!(ran.out.contains("tests=\"2\" failures=\"1\""), "{}", ran.out);
    assert!(diff(&files, "--format junit").failed(2).contains("give one"));
    let list = run("list crafted-1.0.txt -n 1 --format markdown").clean();
    assert!(list.contains("| 121.8Mi | 31168 |") && list.contains("\n\n196.9Mi in 12 sites\n"), "{list}");
    let check = run("check crafted-1.0.txt nowhere.txt --format junit");
    assert!(
        check.status == 1 && check.out.contains("<testcase classname=\"alloctag check\" name=\"crafted-1.0.txt\"/>")
    );
    assert!(check.out.contains("<failure message=\"broken\">no such file or directory</failure>"), "{}", check.out);
    assert!(run("check crafted-1.0.txt --format markdown").clean().contains("| `ok` |"));
}

#[test]
fn what_a_kernel_counts_besides_is_compared_too() {
    let directory = directory(&[
        ("a", "100 1 a.c:1 func:f requested:90 note:x\n50 1 b.c:1 func:g requested:5 allocs:2\n"),
        ("b", "200 2 a.c:1 func:f requested:170 note:y allocs:9\n60 1 b.c:1 func:g requested:5 allocs:7\n8 1 c.c:1 func:h requested:8\n"),
    ]);
    let (a, b) = (directory.path().join("a"), directory.path().join("b"));
    let line = format!("diff {} {}", a.display(), b.display());
    let json = run(&format!("{line} --format json")).json();
    let also: Vec<_> = json["rows"].as_array().unwrap().iter().map(|row| row["extra"].to_string()).collect();
    // Of what was not counted before nothing is known.
    assert_eq!(also, [r#"{"requested":80}"#, r#"{"allocs":5}"#, r#"{"requested":8}"#]);
    let table = run(&line).clean();
    assert!(table.contains("ALSO") && table.contains("requested:+80") && table.contains("allocs:+5"), "{table}");
    assert!(run(&format!("{line} --format csv")).clean().contains(",requested:+80\n"));
    let kept = run(&format!("{line} -w 'extra.requested>=170' --format json")).json();
    assert_eq!(kept["rows"].as_array().unwrap().len(), 1);
    assert!(!run(&line).clean().contains("EXTRA") && !run("diff c-7.3.4.txt c-7.3.4.txt").clean().contains("ALSO"));
    assert!(run(&format!("list {} -w 'extra.requested>100'", b.display())).clean().contains("200 in 1 site"));
}
