// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is written where the disk is full, and what is recorded of rows that cannot be read.

use std::fs;
use std::process::{Command, Stdio};

use crate::harness::{directory, patiently, run, Ran};

/// A kernel of some thousand call sites.
const KERNEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/rust-7.3.4-modules.txt");

/// Runs a script in a directory that is a small disk of its own, with `alloctag` as a command and `$PROCFS` of a kernel. `None`, and
/// the reason on standard error, where nobody may mount one.
fn on_a_disk(options: &str, script: &str) -> Option<Ran> {
    let procfs = directory(&[("cmdline", "\n"), ("allocinfo", &fs::read_to_string(KERNEL).unwrap())]);
    let disk = directory(&[]);
    let mount = format!("mount -t tmpfs -o {options} none {}", disk.path().display());
    let script = format!(
        "{mount} || exit 125\ncd {} || exit 125\nalloctag() {{ {} \"$@\"; }}\nPROCFS={}\n\
         fill() {{ dd if=/dev/zero of=filler bs=512 2>&1 | grep -q 'No space'; }}\n{script}\n",
        disk.path().display(),
        env!("CARGO_BIN_EXE_alloctag"),
        procfs.path().display()
    );
    let mut problem = String::new();
    for namespaces in ["-m", "-rm"] {
        let mut shell = Command::new("unshare");
        shell
            .args([namespaces, "timeout", "60", "sh", "-c", &script])
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        let output = shell.env("TZ", "UTC").env("LC_ALL", "C").stdin(Stdio::null()).output().expect("there is unshare");
        // It has no way to run anything, or the shell none to mount.
        if output.status.success() || (output.status.code() != Some(125) && !output.stderr.starts_with(b"unshare: ")) {
            return Some(output.into());
        }
        problem = String::from_utf8_lossy(&output.stderr).into_owned();
    }
    eprintln!("skipped: no disk can be mounted here: {problem}");
    None
}

#[test]
fn a_full_disk_ends_what_is_written_to_it_with_one_line_and_leaves_no_half_of_it() {
    for line in [
        "snap -o new.alloctag",
        "record -n 1 new",
        "report -o new.html",
        "treemap -o new.svg",
        "export --format pprof -o new.pb.gz",
        "export --format openmetrics -o new.prom",
        "bundle -o new.tar.gz",
    ] {
        let script = format!("fill && alloctag {line} --procfs $PROCFS; status=$?; find . -type f; exit $status");
        let Some(ran) = on_a_disk("size=64k", &script) else { return };
        assert_eq!((ran.status, ran.out.as_str()), (1, "./filler\n"), "{line}: {}", ran.err);
        let lines: Vec<&str> = ran.err.lines().collect();
        let told = |line: &str| line.starts_with("alloctag: ") && line.ends_with(": no space left on device");
        assert!(lines.len() == 1 && told(lines[0]), "{line}: {}", ran.err);
    }
}

#[test]
fn a_disk_that_fills_takes_nothing_from_the_last_snapshot() {
    let script = "alloctag record -n 1 r --procfs $PROCFS && fill && alloctag record -n 1 r --procfs $PROCFS; status=$?
        ls -A r; alloctag check --all r; exit $status";
    let Some(ran) = on_a_disk("size=256k", script) else { return };
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.err.ends_with(".alloctag: no space left on device\n") && ran.err.lines().count() == 1, "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[0].starts_with("00000001-") && lines[1].starts_with("VERDICT"), "{}", ran.out);
    assert!(lines[2].starts_with("ok") && lines[3] == "1 file checked, 0 broken", "{}", ran.out);
}

#[test]
fn where_the_disk_is_full_the_oldest_make_room_and_all_that_stay_are_whole() {
    for (options, before) in [
        ("size=160k", ""),
        ("size=4m,nr_inodes=12", ""),
        // Somebody else fills it meanwhile.
        ("size=256k", "alloctag record -i 1ms -n 20 --keep-size 0 r --procfs $PROCFS && fill &&"),
    ] {
        let script = format!(
            "{before} alloctag record -i 1ms -n 100 --keep-size 0 r --procfs $PROCFS || exit
             find r -name '.*' -type f; alloctag check r; echo $(ls r | tail -n 1)"
        );
        let Some(ran) = on_a_disk(options, &script) else { return };
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{options}: {}", ran.out);
        let last = if before.is_empty() { "00000100-" } else { "00000120-" };
        let lines: Vec<&str> = ran.out.lines().collect();
        assert!(lines.len() >= 2 && lines[lines.len() - 1].starts_with(last), "{options}: {}", ran.out);
        assert!(lines[lines.len() - 2].contains(" checked, 0 broken"), "{options}: {}", ran.out);
        assert!(!ran.out.contains(".alloctag-tmp") && !ran.out.contains("BROKEN"), "{options}: {}", ran.out);
    }
}

/// Fills the disk beside a recorder that has made its first snapshot, which is never given up, and waits until it has said so.
const FILLED_BESIDE: &str = "alloctag record -i INTERVAL -n 3 r --procfs $PROCFS 2>$PROCFS/told & recorder=$!
    until ls r/*.alloctag >/dev/null 2>&1; do sleep 0.01; done
    fill; until grep -q . $PROCFS/told; do sleep 0.01; done";

#[test]
fn a_recorder_goes_on_once_there_is_room_again() {
    patiently(|wait| {
        let begin = FILLED_BESIDE.replace("INTERVAL", &format!("{}ms", wait.as_millis() / 4));
        let script =
            format!("{begin}; rm filler; wait $recorder; status=$?; cat $PROCFS/told; alloctag check r; exit $status");
        let Some(ran) = on_a_disk("size=512k", &script) else { return Ok(()) };
        let (told, checked): (Vec<&str>, Vec<&str>) = ran.out.lines().partition(|line| line.starts_with("alloctag: "));
        assert!(told.iter().all(|line| line.ends_with(".alloctag: no space left on device")), "{}", ran.out);
        // It may have given up by then.
        let is_whole = checked.last().is_some_and(|line| line.starts_with("3 files checked, 0 broken"));
        if ran.status == 0 && is_whole && (1..5).contains(&told.len()) {
            Ok(())
        } else {
            Err(format!("{}{}", ran.out, ran.err))
        }
    });
}

#[test]
fn a_recorder_gives_up_where_the_disk_stays_full_and_what_it_has_recorded_is_whole() {
    let begin = FILLED_BESIDE.replace("INTERVAL", "100ms");
    let script =
        format!("{begin}; wait $recorder; status=$?; cat $PROCFS/told; ls -A r; alloctag check r; exit $status");
    let Some(ran) = on_a_disk("size=512k", &script) else { return };
    assert_eq!(ran.status, 1, "{}", ran.out);
    let (told, rest): (Vec<&str>, Vec<&str>) = ran.out.lines().partition(|line| line.starts_with("alloctag: "));
    assert!(
        told.len() == 5 && told.iter().all(|line| line.ends_with(".alloctag: no space left on device")),
        "{told:?}"
    );
    let last = rest.last().unwrap();
    assert!(last.contains("1 file checked, 0 broken") && !ran.out.contains("alloctag-tmp"), "{}", ran.out);
}

#[test]
fn rows_that_cannot_be_read_are_told_once_and_the_others_are_recorded_and_judged() {
    for (row, problem) in [
        ("junk\n", "line 2: it has no size"),
        ("77 1 b.c:2 func:", "line 2: it does not end: the text was cut off here"),
    ] {
        let text = format!("8192 1 a.c:1 func:still \n{row}");
        let procfs = directory(&[("cmdline", "\n"), ("allocinfo", &text)]);
        let at = procfs.path().display();
        let told = format!("left out 1 row that cannot be read (first: {problem})");
        let ran = run(&format!("record -i 1ms -n 9 --procfs {at} {at}/r"));
        assert_eq!((ran.status, fs::read_dir(procfs.path().join("r")).unwrap().count()), (1, 9));
        assert!(ran.err.contains("/r/00000001-") && ran.err.ends_with(&format!(".alloctag: {told}\n")), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1);
        // What is left of the kernel's rows is judged, as it runs and as it was recorded.
        for line in [format!("leak -i 5ms --for 100ms --procfs {at}"), format!("leak {at}/r")] {
            let ran = run(&format!("{line} --all --format json"));
            let lines: Vec<&str> = ran.err.lines().filter(|line| line.contains("cannot be read")).collect();
            assert!(ran.status == 1 && lines.len() == 1 && lines[0].ends_with(&told), "{line}: {}", ran.err);
            assert_eq!(ran.json()["rows"][0]["func"], "still");
        }
        // Each of them says it again.
        let ran = run(&format!("check {at}/r"));
        assert!(ran.status == 1 && ran.out.contains("9 files checked, 9 broken"), "{}", ran.out);
    }
}
