// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The page about continuous integration: that its commands make sense, and its test does what it says.

use std::fs;
use std::path::Path;
use std::process::Command;

use alloctag::cli::Cli;
use clap::Parser;

use crate::harness::{directory, install, words};

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Documentation/tools/alloctag-ci.rst");
    fs::read_to_string(path).unwrap()
}

#[test]
fn every_command_of_the_page_makes_sense() {
    let page = page();
    let mut commands = 0;
    // A command ends with its line, or, folded in YAML, with the next one.
    let text = page.replace("markdown\n              --", "markdown --").replace("junit\n              --", "junit --");
    for line in text.lines().map(|line| line.trim().trim_start_matches("$ ")) {
        let Some(line) =
            line.strip_prefix("alloctag ").filter(|line| line.contains(".alloctag") || line.contains(" recording/"))
        else {
            continue;
        };
        let end = line.find(" >").unwrap_or(line.len());
        let line = line[..end].replace('"', "'");
        if let Err(error) = Cli::try_parse_from(["alloctag".to_owned()].into_iter().chain(words(&line))) {
            panic!("{line}: {error}");
        }
        commands += usize::from(!line.starts_with("--fail-if"));
    }
    assert!(commands >= 8, "{commands}");
}

/// Runs the page's kselftest where `alloctag` reads that directory and `modprobe` does `workload` there.
fn kselftest(procfs: &Path, workload: &str) -> (i32, String) {
    let page = page();
    let (_, script) = page.split_once(".. code-block:: sh\n\n").unwrap();
    let script: Vec<&str> =
        script.lines().take_while(|line| line.is_empty() || line.starts_with("    ")).map(str::trim_end).collect();
    let script: String = script.iter().map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(""))).collect();
    let programs = directory(&[
        ("test.sh", &script),
        (
            "alloctag.sh",
            &format!("#!/bin/sh\nexec {} --procfs {} \"$@\"\n", env!("CARGO_BIN_EXE_alloctag"), procfs.display()),
        ),
        ("modprobe.sh", &format!("#!/bin/sh\ncd {}\n{workload}\n", procfs.display())),
    ]);
    for name in ["alloctag", "modprobe"] {
        install(&programs.path().join(format!("{name}.sh")), &programs.path().join(name));
    }
    let path = format!("{}:/usr/bin:/bin", programs.path().display());
    let ran = Command::new("sh").arg(programs.path().join("test.sh")).env_clear().env("PATH", path).output().unwrap();
    assert!(ran.stderr.is_empty(), "{}", String::from_utf8_lossy(&ran.stderr));
    (ran.status.code().unwrap(), String::from_utf8(ran.stdout).unwrap())
}

#[test]
fn the_kselftest_of_the_page_passes_fails_and_skips() {
    let row = "4096 1 drivers/x.c:1 [test_thing] func:f \n";
    let procfs = directory(&[("allocinfo", row), ("cmdline", ""), ("modules", "")]);
    let (status, out) = kselftest(procfs.path(), "true");
    assert_eq!((status, out.lines().last()), (0, Some("ok 1 keeps nothing")), "{out}");
    let grow = "echo '8192 2 drivers/x.c:9 [test_thing] func:g ' >>allocinfo";
    let (status, out) = kselftest(procfs.path(), grow);
    assert_eq!((status, out.lines().last()), (1, Some("not ok 1 keeps nothing")), "{out}");
    assert!(
        out.contains("# alloctag: --fail-if \"module=test_thing delta>0\": drivers/x.c:9 [test_thing] func:g"),
        "{out}"
    );
    let (status, out) = kselftest(procfs.path(), "echo no such module >&2; false");
    assert_eq!((status, out.lines().last()), (4, Some("ok 1 keeps nothing # SKIP no such module")), "{out}");
}
