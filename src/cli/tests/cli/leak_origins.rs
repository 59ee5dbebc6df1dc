// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Snapshots that carry contexts, and what `alloctag leak` and others make of them.

use std::fs;

use alloctag::model::{Meta, Names, Origin};
use alloctag::snapshot::encode;
use alloctag::source::{contexts, file};
use tempfile::TempDir;

use crate::harness::{directory, run};

/// Hourly snapshots of a site that leaks by one of its two callers, with contexts in the first and the last one.
fn leaking() -> (TempDir, String) {
    let directory = directory(&[]);
    for hour in 0..20i64 {
        let text = format!("{} {} a.c:1 [m] func:leaks \n8 1 b.c:2 func:still \n", 4096 * (10 + hour), 10 + hour);
        let mut names = Names::new();
        let mut profile = file::decode(text.as_bytes(), Origin::Stdin, &mut names).unwrap();
        let context = |number: i64, calls: i64, caller: &str| {
            format!(
                "{} {calls} a.c:1 [m] func:leaks ctx:{number} slack:0 allocs:{calls} frees:0 allocated:{} comm:my\\040task\n  \
                 leaks+0x1/0x2 [m]\n  {caller}+0x3/0x4 [m]\n",
                4096 * calls,
                4096 * calls
            )
        };
        let text = format!("contexts - version: 1.0\n{}{}", context(3, hour, "guilty"), context(4, 10, "innocent"));
        if hour == 0 || hour == 19 {
            profile.contexts = contexts::parse(text.as_bytes(), &mut names).unwrap();
        }
        let hour = u64::try_from(hour).unwrap();
        profile.meta = Meta {
            time_ms: Some(1_795_244_400_000 + hour * 3_600_000),
            uptime_ms: Some(1000 + hour * 3_600_000),
            boot_id: Some("x".to_owned()),
            ..Meta::default()
        };
        fs::write(directory.path().join(format!("{hour:02}.alloctag")), encode(&profile)).unwrap();
    }
    let files: Vec<String> =
        (0..20).map(|hour| directory.path().join(format!("{hour:02}.alloctag")).display().to_string()).collect();
    (directory, files.join(" "))
}

#[test]
fn a_leak_is_told_with_where_it_comes_from() {
    let (_directory, files) = leaking();
    let out = run(&format!("leak {files}")).clean();
    let (_, told) = out.split_once("this leak comes from here: a.c:1 [m] func:leaks\n").expect(&out);
    assert!(
        told.starts_with(
            "  +76.0Ki, now 76.0Ki in 19 calls comm:my task\n      leaks+0x1/0x2 [m]\n      guilty+0x3/0x4 [m]\n  \
             +0, now 40.0Ki in 10 calls comm:my task\n      leaks+0x1/0x2 [m]\n      innocent+0x3/0x4 [m]\n2 sites: 1 LEAK"
        ),
        "{told}"
    );
    let value = run(&format!("leak --format json {files}")).json();
    let first = &value["contexts"][0];
    assert_eq!((&first["growth"], &first["bytes"]), (&77_824.into(), &77_824.into()));
    assert_eq!((&first["keys"]["comm"], &first["stack"][1]), (&"my task".into(), &"guilty+0x3/0x4 [m]".into()));
    // Without contexts nothing of the kind is said.
    let early: Vec<&str> = files.split(' ').take(19).collect();
    let out = run(&format!("leak {}", early.join(" "))).clean();
    assert!(out.contains("1 LEAK") && !out.contains("comes from"), "{out}");
}

#[test]
fn contexts_of_two_moments_are_compared() {
    let (directory, _) = leaking();
    let (first, last) = (directory.path().join("00.alloctag"), directory.path().join("19.alloctag"));
    let files = format!("{} {}", first.display(), last.display());
    let out = run(&format!("diff {files} --contexts")).clean();
    assert_eq!(
        crate::harness::lines(&out),
        [
            " DELTA  BEFORE   AFTER  CALLS  ALLOCS  SITE                  COMM",
            "76.0Ki       0  76.0Ki     19      19  a.c:1 [m] func:leaks  my task",
            "    leaks+0x1/0x2 [m]",
            "    guilty+0x3/0x4 [m]",
            "76.0Ki in 2 contexts",
        ]
    );
    let value = run(&format!("diff {files} --by stack --format json --min 1k -n 1 -w stack=guilty")).json();
    assert_eq!((&value["schema"], &value["delta"]), (&"alloctag.diff.contexts/1".into(), &77_824.into()));
    assert_eq!(value["rows"][0]["stack"][1], "guilty+0x3/0x4 [m]");
    // From the later one to the earlier one it is gone.
    let out = run(&format!("diff {} {} --by comm --format tsv", last.display(), first.display())).clean();
    assert_eq!(out.lines().nth(1), Some("-77824\t118784\t40960\t-19\t10\tmy task"));
    for option in ["--fail-if delta>0", "--sort delta", "--format junit", "--group file", "--exact"] {
        assert_eq!(run(&format!("diff {files} --contexts {option}")).status, 2, "{option}");
    }
    for option in ["--group file", "--exact"] {
        assert_eq!(run(&format!("diff {files} --by comm {option}")).status, 2, "{option}");
    }
    assert!(run("diff - - --by comm").failed(2).contains("only one of the profiles can come from standard input"));
    assert!(run("diff crafted-2.0.txt contexts-1.0.txt --contexts")
        .failed(1)
        .contains("crafted-2.0.txt: has no contexts"));
}

#[test]
fn what_is_not_shown_of_changed_contexts_is_counted() {
    let text = |rows: &str| format!("contexts - version: 1.0\n{rows}");
    let row = |bytes: u32, calls: u32, comm: &str| {
        format!("{bytes} {calls} a.c:1 func:f ctx:1 allocs:9 frees:1 allocated:99 comm:{comm}\n")
    };
    let files = directory(&[
        ("a", &text(&[row(64, 1, "pieces"), row(64, 1, "same"), row(64, 1, "grows")].concat())),
        ("b", &text(&[row(64, 2, "pieces"), row(64, 1, "same"), row(96, 1, "grows")].concat())),
    ]);
    let at = files.path().display();
    let told = |options: &str| run(&format!("diff {at}/a {at}/b --by comm {options}")).clean();
    let all = told("");
    assert!(all.contains("grows") && all.contains("pieces") && !all.contains("same"), "{all}");
    assert!(all.ends_with("32 in 3 contexts\n"), "{all}");
    assert!(told("-n 1").ends_with("32 in 3 contexts\nnot shown: 1 by -n\n"), "{}", told("-n 1"));
    assert!(told("-m 1").ends_with("32 in 3 contexts\nnot shown: 1 by --min\n"), "{}", told("-m 1"));
}

#[test]
fn snapshots_carry_contexts_wherever_they_are_shown() {
    let (directory, _) = leaking();
    let last = directory.path().join("19.alloctag");
    let at = last.display();
    assert!(run(&format!("contexts {at} --by stack -n 1")).clean().contains("guilty+0x3/0x4 [m]"));
    assert!(run(&format!("export {at} --contexts --format folded"))
        .clean()
        .starts_with("guilty [m];leaks:1 [m] 77824\n"));
    // What call sites have is shown as ever.
    assert!(run(&format!("list {at}")).clean().contains("leaks"));
    assert!(run(&format!("export {at} --format folded")).clean().contains("a.c;leaks:1 [m] "));
    let again = directory.path().join("again.alloctag");
    run(&format!("snap {at} -o {}", again.display())).clean();
    assert!(run(&format!("contexts {} --by stack -n 1", again.display())).clean().contains("guilty+0x3/0x4 [m]"));
    // A text of contexts may be kept, too.
    run(&format!("snap contexts-1.0.txt -o {} --force", again.display())).clean();
    assert!(run(&format!("contexts {} --by func -n 1", again.display())).clean().contains("fills"));
    assert!(run(&format!("list {}", again.display())).failed(1).contains("`alloctag contexts` shows it"));
}

#[test]
fn a_report_has_a_flame_graph_of_contexts_where_there_are_some() {
    let (directory, _) = leaking();
    let report = |name: &str| run(&format!("report {}", directory.path().join(name).display())).clean();
    let html = report("19.alloctag");
    assert!(
        html.contains("<details class=\"stacks\"><summary>116.0Ki of watched call sites by who called"),
        "no summary"
    );
    assert!(html.contains("<title>guilty [m] › leaks:1 [m]\n76.0Ki"), "no flame graph");
    assert!(!report("18.alloctag").contains("<details"), "there is none without contexts");
}
