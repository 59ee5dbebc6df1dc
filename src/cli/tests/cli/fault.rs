// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag fault`, as far as it needs no kernel; in the guest it is run as it is meant.

use crate::harness::{directory, run};

#[test]
fn slips_are_told_before_the_kernel_is_asked() {
    for (line, expected) in [
        ("fault func -- true", "a value must follow"),
        ("fault 'func f; *' -- true", "by one rule"),
        ("fault func f +f -- true", "without letters"),
        ("fault func f --probability 101 -- true", "101"),
        ("fault func f --times x -- true", "--times"),
        ("fault func f --skip x -- true", "--skip"),
        ("fault func f", "COMMAND"),
        ("fault -- true", "RULE"),
    ] {
        let error = run(line).failed(2);
        assert!(error.contains(expected), "{line}: {error}");
    }
}

#[test]
fn a_kernel_that_has_nothing_fail_is_explained() {
    let error = run("fault func f --procfs /no/such -- true").failed(1);
    assert!(error.starts_with("alloctag: /no/such: procfs is not mounted here"), "{error}");
    let rows = "allocinfo - version: 2.0\n#     <size>  <calls> <tag info>\n  4096  1 mm/slub.c:1 func:f \n";
    let procfs = directory(&[("allocinfo", rows), ("cmdline", ""), ("sys/vm/mem_profiling", "1\n")]);
    let error = run(&format!("fault func f --procfs {} -- true", procfs.path().display())).failed(1);
    assert!(error.contains("CONFIG_ALLOCTAG_FAULTS"), "{error}");
}
