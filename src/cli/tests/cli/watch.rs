// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag watch`.

use crate::harness::{lines, run};
use crate::rules::Kernel;

#[test]
fn rules_are_listed_with_what_they_have_and_what_was_lost() {
    let kernel = Kernel::new("7 2 40 0 func f +c by=stack\n8 1 16384 3 * +c by=comm,pid\n");
    for option in ["", "--list", "-l"] {
        let out = run(&format!("watch {option} {}", kernel.procfs())).clean();
        assert_eq!(
            lines(&out),
            [
                "RULE  SITES  CONTEXTS  LOST  COMMAND",
                "   7      2        40     0  func f +c by=stack",
                "   8      1     16384     3  * +c by=comm,pid",
                "3 allocations found no room for a context, and are charged to their call sites alone",
            ]
        );
    }
    let value = run(&format!("watch --format json {}", kernel.procfs())).json();
    assert_eq!(value["schema"], "alloctag.watch/1");
    assert_eq!((&value["rows"][1]["rule"], &value["rows"][1]["lost"]), (&8.into(), &3.into()));
}

#[test]
fn a_rule_is_handed_on_and_shown_as_the_kernel_lists_it() {
    for words in ["'file fs/inode.c +c by=stack depth=8'", "file fs/inode.c +c by=stack depth=8"] {
        let kernel = Kernel::new("1 2 40 0 func f +c by=stack\n");
        // Somebody else adds one at the same time.
        let after = "1 2 40 0 func f +c by=stack\n2 9 0 0 func g +c by=pid\n3 0 0 0 file fs/inode.c +c by=stack\n";
        let (ran, written) = kernel.asked(after, &format!("watch {words} {}", kernel.procfs()));
        assert_eq!(written, "file fs/inode.c +c by=stack depth=8");
        assert_eq!((ran.status, ran.err.as_str()), (0, "alloctag: rule 3 is about no call site that there is now\n"));
        assert_eq!(
            lines(&ran.out),
            ["RULE  SITES  CONTEXTS  LOST  COMMAND", "   3      0         0     0  file fs/inode.c +c by=stack"]
        );
    }
}

#[test]
fn a_kernel_that_lists_rules_in_other_words_is_understood() {
    let kernel = Kernel::new("");
    let line = format!("watch func f +c by=stack {}", kernel.procfs());
    let (ran, _) = kernel.asked("1 2 0 0 func f +c by=stack colour=none\n", &line);
    assert!(ran.clean().ends_with("   1      2         0     0  func f +c by=stack colour=none\n"));
}

#[test]
fn rules_are_taken_back_by_their_numbers_or_all() {
    for (option, expected) in [("--stop 2 17", "-2\n-17"), ("--stop", "=_")] {
        let kernel = Kernel::new("");
        // Behind `--stop` numbers are meant.
        let (ran, written) = kernel.written(&format!("watch {} {option}", kernel.procfs()));
        assert_eq!((ran.clean().as_str(), written.as_str()), ("", expected));
    }
    assert_eq!(run("watch --stop x").status, 2);
    assert_eq!(run("watch --stop 1 --list").status, 2);
}

#[test]
fn slips_are_told_before_the_kernel_is_asked() {
    for (words, expected) in [
        ("file fs/inode.c", "fs/inode.c: no letters"),
        ("'* +c'", "+c: by= must say what contexts are told apart by"),
        ("'file a +c by=stack; line 9-7 +c by=comm'", "9-7: not a range of lines"),
        ("''", "is empty; a rule is"),
    ] {
        let error = run(&format!("watch {words} --procfs /no/such")).failed(2);
        assert!(error.starts_with("alloctag: RULE ") && error.contains(expected), "{words}: {error}");
    }
}

#[test]
fn a_kernel_without_rules_is_explained() {
    let error = run("watch --procfs /no/such").failed(1);
    assert!(error.starts_with("alloctag: /sys/kernel/debug/alloctag/control: "), "{error}");
}
