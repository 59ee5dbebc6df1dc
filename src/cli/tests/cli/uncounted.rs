// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the kernel could not count, wherever it is told; nothing is said for a kernel that does not say.

use std::process::Command;

use tempfile::TempDir;

use crate::harness::{directory, run};

/// A kernel's procfs, with that in `vm.mem_profiling_uncounted`.
fn procfs(uncounted: Option<&str>) -> TempDir {
    let mut files = vec![
        ("allocinfo", "8 1 a.c:1 func:f \n"),
        ("cmdline", "\n"),
        ("sys/vm/mem_profiling", "1\n"),
        ("sys/vm/mem_profiling_compressed", "0\n"),
    ];
    files.extend(uncounted.map(|number| ("sys/vm/mem_profiling_uncounted", number)));
    directory(&files)
}

fn of(procfs: &TempDir, command: &str) -> String {
    run(&format!("{command} --procfs {}", procfs.path().display())).clean()
}

#[test]
fn summary_ctl_metrics_and_check_tell_how_many() {
    let procfs = procfs(Some("3\n"));
    let summary = of(&procfs, "summary");
    assert!(
        summary.ends_with("Accuracy\n3 allocations since boot uncounted: vm.mem_profiling_uncounted\n"),
        "{summary}"
    );
    let ctl = of(&procfs, "ctl");
    assert!(ctl.contains("\npage refs   in page extensions\nuncounted   3 allocations\nallocinfo"), "{ctl}");
    assert!(of(&procfs, "export --format openmetrics").contains("\nkernel_alloc_uncounted 3\n"));

    let snapshot = procfs.path().join("kept.alloctag");
    of(&procfs, &format!("snap -o {}", snapshot.display()));
    let check = run(&format!("check {}", snapshot.display())).clean();
    assert!(check.contains("  3 allocations uncounted\n"), "{check}");
    let json = run(&format!("summary --format json {}", snapshot.display())).json();
    assert_eq!((&json["doubts"]["uncounted"], &json["meta"]["profiling"]["uncounted"]), (&3.into(), &3.into()));
}

#[test]
fn none_is_told_too_and_is_no_doubt() {
    let procfs = procfs(Some("0\n"));
    let summary = of(&procfs, "summary");
    let expected = "nothing is doubtful\nno allocation since boot uncounted: vm.mem_profiling_uncounted\n";
    assert!(summary.ends_with(expected), "{summary}");
    assert!(of(&procfs, "ctl").contains("\nuncounted   0 allocations\n"));
    assert!(of(&procfs, "export --format openmetrics").contains("\nkernel_alloc_uncounted 0\n"));
}

#[test]
fn other_cores_do_not_say_and_nor_does_the_tool() {
    for procfs in [procfs(None), procfs(Some("many\n"))] {
        assert!(of(&procfs, "summary").ends_with("Accuracy\nnothing is doubtful\n"));
        assert!(of(&procfs, "summary --format json").contains("\"uncounted\": null"));
        assert!(!of(&procfs, "ctl").contains("uncounted"));
        assert!(!of(&procfs, "export --format openmetrics").contains("uncounted"));
    }
}

#[test]
fn a_bundle_has_it_where_it_is() {
    for (number, expected) in [(Some("3\n"), true), (None, false)] {
        let procfs = procfs(number);
        let archive = procfs.path().join("b.tar.gz");
        of(&procfs, &format!("bundle -o {}", archive.display()));
        let tar = |arguments: [&str; 2]| {
            let output =
                Command::new("tar").arg(arguments[0]).arg(&archive).arg("--wildcards").arg(arguments[1]).output();
            String::from_utf8(output.expect("there is a tar").stdout).unwrap()
        };
        assert_eq!(tar(["-xzOf", "*/mem_profiling_uncounted.txt"]), number.unwrap_or_default());
        assert_eq!(tar(["-xzOf", "*/manifest.txt"]).contains("uncounted"), expected);
    }
}
