// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag ctl` on procfs directories of every kind.

use std::fs;
use std::io::Write;

use crate::harness::{directory, lines, run};

const SWITCH: &str = "sys/vm/mem_profiling";

#[test]
fn the_state_is_shown() {
    let mut config = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    config.write_all(b"CONFIG_MEM_ALLOC_PROFILING=y\nCONFIG_MEM_ALLOC_PROFILING_DEBUG=y\n").unwrap();
    let procfs = directory(&[
        ("allocinfo", "8 1 a.c:1 func:f \n"),
        ("cmdline", "sysctl.vm.mem_profiling=0\n"),
        (SWITCH, "0\n"),
        ("sys/vm/mem_profiling_compressed", "0\n"),
    ]);
    fs::write(procfs.path().join("config.gz"), config.finish().unwrap()).unwrap();
    let out = run(&format!("ctl --procfs {}", procfs.path().display())).clean();
    assert_eq!(
        lines(&out)[1..],
        [
            "profiling   off: the counts stand still",
            "page refs   in page extensions",
            "allocinfo   readable, by text",
            "booted with sysctl.vm.mem_profiling=0",
            "built with  CONFIG_MEM_ALLOC_PROFILING, CONFIG_MEM_ALLOC_PROFILING_DEBUG",
        ]
    );
}

#[test]
fn what_is_not_available_is_explained_behind_the_state() {
    for (files, expected) in [
        (&[("cmdline", "sysctl.vm.mem_profiling=never\n"), (SWITCH, "0\n")][..], "sysctl.vm.mem_profiling=never is on"),
        (&[("cmdline", "\n"), (SWITCH, "0\n")], "boot with sysctl.vm.mem_profiling=1"),
        (&[("cmdline", "\n")], "CONFIG_MEM_ALLOC_PROFILING"),
        (&[], "procfs is not mounted"),
    ] {
        let procfs = directory(files);
        let ran = run(&format!("ctl --procfs {}", procfs.path().display()));
        assert_eq!((ran.status, ran.err.lines().count()), (1, 1), "{}", ran.err);
        assert!(ran.err.contains(expected), "{}", ran.err);
        assert!(ran.out.contains("allocinfo   not there"), "{}", ran.out);
    }
}

#[test]
fn profiling_is_turned_on_and_off() {
    let procfs = directory(&[("cmdline", "\n"), (SWITCH, "0\n")]);
    let switch = procfs.path().join(SWITCH);
    for (state, expected) in [("on", "1\n"), ("off", "0\n")] {
        assert_eq!(run(&format!("ctl {state} --procfs {}", procfs.path().display())).clean(), "");
        assert_eq!(fs::read_to_string(&switch).unwrap(), expected);
    }
    assert!(run("ctl perhaps").err.contains("possible values: on, off"));
}

#[test]
fn a_missing_switch_stays_missing() {
    let procfs = directory(&[("cmdline", "\n")]);
    let error = run(&format!("ctl on --procfs {}", procfs.path().display())).failed(1);
    assert!(error.contains("sys/vm/mem_profiling: it does not exist: "), "{error}");
    assert!(!procfs.path().join(SWITCH).exists());
}

#[test]
fn interfaces_are_timed_where_there_are_any() {
    let procfs = directory(&[("allocinfo", "8 1 a.c:1 func:f \n"), ("cmdline", "\n")]);
    let out = run(&format!("ctl --measure --procfs {}", procfs.path().display())).clean();
    assert_eq!(lines(&out).len(), 3, "{out}");
    assert!(lines(&out)[2].starts_with("text, read and parsed     1"), "{out}");
    assert!(run("ctl --measure --procfs /no/procfs").failed(1).contains("is not mounted"));
    assert!(run("ctl --measure on").err.contains("cannot be used with"));
}
