// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag profile`.

use std::fs;

use rustix::process::{kill_process, Pid, Signal};

use crate::harness::{directory, run, tool, Ran};
use crate::rules::{list, Kernel, Step};

const NONE: &str = "contexts - version: 1.0\n";

fn captured() -> String {
    fs::read_to_string("tests/data/contexts-1.0.txt").unwrap()
}

/// What a kernel does for `profile`, whose contexts before and after are these.
fn steps<'s>(before: &'s str, lists: &'s [String; 2], after: &'s str) -> [Step<'s>; 7] {
    [
        Step::Says("contexts", before),
        Step::Says("control", &lists[0]),
        Step::Hears,
        Step::Says("control", &lists[1]),
        Step::Says("contexts", after),
        Step::Says("control", &lists[1]),
        Step::Hears,
    ]
}

#[test]
fn one_command_leads_from_nothing_to_a_picture_and_leaves_nothing_behind() {
    let directory = directory(&[]);
    let after = captured();
    let lists =
        [list("4 1 0 0 func f +c by=comm\n"), list("4 1 0 0 func f +c by=comm\n5 900 18 2 * +c by=stack every=512K\n")];
    for (name, options, expected) in [
        ("k.folded", "", "tick [alloctag_leaky];leaks:73 [alloctag_leaky] 26112\n"),
        ("k.txt", "--cumulative", "tick [alloctag_leaky];shakes:98 [alloctag_leaky] 1164288\n"),
        ("k.svg", "--width 400", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400\""),
        ("k.html", "--invert", "<title>leaks:73 [alloctag_leaky] › tick [alloctag_leaky]"),
        ("k.pb.gz", "", ""),
    ] {
        let kernel = Kernel::new("");
        let file = directory.path().join(name);
        let line = format!("profile --for 10ms {options} -o {} {}", file.display(), kernel.procfs());
        let (ran, heard) = kernel.plays(&steps(NONE, &lists, &after), || run(&line));
        assert_eq!(heard, ["* +c by=stack every=512K", "-5"], "it takes its own rule back, and no other");
        assert_eq!(ran.err, "alloctag: 2 allocations found no room for a context, and are not in it\n");
        assert_eq!((ran.status, ran.out), (0, format!("{}: 18 contexts\n", file.display())));
        let written = fs::read(&file).unwrap();
        if name == "k.pb.gz" {
            assert!(written.starts_with(b"\x1f\x8b"));
        } else {
            let text = String::from_utf8(written).unwrap();
            assert!(text.contains(expected), "{name}: {text}");
        }
    }
}

#[test]
fn what_was_there_before_is_not_in_it_and_rules_may_be_given() {
    let directory = directory(&[]);
    let file = directory.path().join("k.folded");
    let all = captured();
    // All but the last one were there.
    let before = all.rsplit_once("\n0 0 fs/inode.c").unwrap().0.to_owned() + "\n";
    let lists = [list(""), list("1 1 1 0 func alloc_inode +c by=caller,comm\n")];
    let kernel = Kernel::new("");
    let line = format!(
        "profile --for 10ms --cumulative func alloc_inode +c by=caller,comm -o {} {}",
        file.display(),
        kernel.procfs()
    );
    let (ran, heard) = kernel.plays(&steps(&before, &lists, &all), || run(&line));
    assert_eq!(heard, ["func alloc_inode +c by=caller,comm", "-1"]);
    assert!(ran.clean().ends_with(": 1 context\n"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "create_pipe_files;alloc_inode:340 544\n");
}

#[test]
fn a_signal_ends_it_and_takes_the_rule_back() {
    let directory = directory(&[]);
    let after = captured();
    let lists = [list(""), list("1 900 18 0 * +c by=stack every=512K\n")];
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let kernel = Kernel::new("");
        let file = directory.path().join("k.folded");
        let line = format!("profile --for 10m -o {} {}", file.display(), kernel.procfs());
        let (ran, heard) = kernel.plays(&steps(NONE, &lists, &after), || {
            let mut child = tool(&line);
            let child =
                child.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
            // The rule is there.
            kernel.wait_for(4);
            kill_process(Pid::from_child(&child), signal).unwrap();
            Ran::from(child.wait_with_output().unwrap())
        });
        assert_eq!(heard[1], "-1");
        assert!(ran.status == 0 && ran.err.contains("ended by a signal"), "{}", ran.err);
        assert!(file.exists());
    }
}

#[test]
fn what_cannot_be_is_told_before_a_rule_is_made() {
    for (line, status, expected) in [
        ("profile -o k.gz", 2, "what to write is told by the name; there are .pb.gz .pprof"),
        ("profile --for 10m -o /no/such/dir/k.svg", 1, "/no/such/dir/k.svg: no such file or directory"),
        ("profile -o k.svg --procfs /no/such", 1, "/sys/kernel/debug/alloctag/control: "),
        ("profile -o k.svg func f --procfs /no/such", 2, "RULE \"func f\": f: no letters"),
    ] {
        assert!(run(line).failed(status).contains(expected), "{line}");
    }
    let off = directory(&[("sys/vm/mem_profiling", "0\n")]);
    let error = run(&format!("profile -o k.svg --procfs {}", off.path().display())).failed(1);
    assert!(error.contains("profiling is off"), "{error}");
    // Nothing comes of it, and the rule goes all the same.
    let lists = [list(""), list("1 900 0 0 * +c by=stack every=512K\n")];
    let kernel = Kernel::new("");
    let line = format!("profile --for 10ms -o {}/k.svg {}", off.path().display(), kernel.procfs());
    let (ran, heard) = kernel.plays(&steps(NONE, &lists, NONE), || run(&line));
    assert!(ran.failed(1).contains("have allocated nothing meanwhile") && heard[1] == "-1");
}
