// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The running kernel, of which a directory of files stands in here. (The real one is read in the guest.)

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::harness::{directory, install, lines, run, words, Ran};

const ROWS: &str =
    "allocinfo - version: 2.0\n#     <size>  <calls> <tag info>\n     1048576      256 mm/a.c:1 func:f \n\
                    \x20     524288      128 mm/slub.c:3345 func:alloc_slab_page \n";

fn procfs(enabled: &str) -> TempDir {
    directory(&[
        ("allocinfo", ROWS),
        ("cmdline", "quiet sysctl.vm.mem_profiling=1,compressed\n"),
        ("meminfo", "MemTotal:  8192 kB\nMemFree:   4096 kB\nSlab:       600 kB\n"),
        ("modules", "ext4 1 0 - Live 0x0\n"),
        ("sys/vm/mem_profiling", enabled),
        ("sys/vm/mem_profiling_compressed", "1\n"),
        ("sys/kernel/random/boot_id", "0b9f1e1c-0000-4000-8000-000000000000\n"),
        ("stat", "cpu 1\ncpu0 1\n"),
    ])
}

#[test]
fn the_sum_is_set_against_meminfo() {
    let procfs = procfs("1\n");
    let out = run(&format!("--procfs {} -f bytes,func", procfs.path().display())).clean();
    assert_eq!(
        lines(&out),
        [
            "BYTES  FUNC",
            "1.0Mi  f",
            "1.0Mi in 1 site",
            "not in the total: 512.0Ki of pages for slab objects, which have rows of their own",
            "in use by /proc/meminfo: 4.0Mi, of which 1.0Mi charged to sites and 3.0Mi not",
        ]
    );
}

#[test]
fn the_circumstances_are_recorded() {
    let procfs = procfs("1\n");
    let value = run(&format!("list --format json --procfs {}", procfs.path().display())).json();
    let meta = &value["meta"];
    assert_eq!(meta["origin"]["live"], procfs.path().join("allocinfo").to_str().unwrap());
    assert_eq!(meta["boot_id"], "0b9f1e1c-0000-4000-8000-000000000000");
    assert_eq!(meta["memory"]["MemTotal"], 8 << 20);
    assert_eq!((&meta["profiling"]["enabled"], &meta["profiling"]["compressed"]), (&true.into(), &true.into()));
    assert_eq!((&meta["source"], &meta["torn"]), (&"text".into(), &false.into()));
    for field in ["time_ms", "uptime_ms", "cpus", "page_size"] {
        assert!(meta[field].as_u64().is_some_and(|value| value > 0), "{field}: {meta}");
    }
    assert!(!meta["uname"]["release"].as_str().unwrap().is_empty());
}

#[test]
fn numbers_of_a_kernel_that_does_not_count_come_with_a_warning() {
    let procfs = procfs("0\n");
    let ran = run(&format!("list --procfs {}", procfs.path().display()));
    assert_eq!(ran.status, 0);
    assert!(ran.err.contains("profiling is off, so these numbers are old"), "{}", ran.err);
}

#[test]
fn ioctls_are_missed_only_where_they_are_insisted_on() {
    let procfs = procfs("1\n");
    let at = procfs.path().display();
    let error = run(&format!("list --source ioctl --procfs {at}")).failed(1);
    assert_eq!(error, format!("alloctag: {at}/allocinfo: has no ioctls in this kernel; use --source text"));
    for source in ["auto", "text"] {
        assert_eq!(run(&format!("list --source {source} -w func=f --procfs {at}")).status, 0, "{source}");
    }
}

#[test]
fn a_kernel_without_the_file_is_explained() {
    let procfs = procfs("1\n");
    std::fs::remove_file(procfs.path().join("allocinfo")).unwrap();
    let error = run(&format!("list --procfs {}", procfs.path().display())).failed(1);
    assert!(error.contains("do not fit into page flags"), "{error}");
    let at = procfs.path().display();
    assert_eq!(run(&format!("list --procfs {at} {at}/allocinfo")).failed(1), error);
    let error = run("list --procfs /no/procfs").failed(1);
    assert_eq!(error, "alloctag: /no/procfs: procfs is not mounted here; mount it, or name its place by --procfs");
}

/// Whoever is neither root nor anybody else.
const NOBODY: u32 = 65534;

#[test]
fn who_may_read_the_rows_but_no_contexts_gets_the_rows() {
    let root = directory(&[("proc/allocinfo", ROWS), ("debug/alloctag/contexts", "contexts - version: 1.0\n")]);
    let at = root.path();
    fs::write(at.join("proc/mounts"), format!("none {}/debug debugfs rw 0 0\n", at.display())).unwrap();
    // A user who may not enter debugfs might not get to where the tool was built either.
    install(Path::new(env!("CARGO_BIN_EXE_alloctag")), &at.join("alloctag"));
    let all = Permissions::from_mode(0o755);
    fs::set_permissions(at, all).unwrap();
    let (debug, kept) = (at.join("debug"), at.join("everybodys"));
    fs::create_dir(&kept).unwrap();
    fs::set_permissions(&kept, Permissions::from_mode(0o777)).unwrap();
    fs::set_permissions(&debug, Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::metadata(at).unwrap().uid() == 0;
    let run = |line: &str| -> Ran {
        let mut tool = Command::new(at.join("alloctag"));
        tool.args(words(&format!("{line} --procfs {}/proc", at.display()))).env_clear();
        if is_root {
            tool.uid(NOBODY).gid(NOBODY);
        }
        tool.output().expect("the tool starts").into()
    };
    assert_eq!(run("list -n 1").status, 0);
    let ran = run(&format!("snap -o {}/kept", kept.display()));
    assert_eq!(ran.status, 0, "{}", ran.err);
    for line in ["contexts", "watch --list"] {
        let error = run(line).failed(1);
        assert!(error.contains("run this as root"), "{line}: {error}");
    }
    fs::set_permissions(&debug, Permissions::from_mode(0o755)).unwrap();
}
