// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag bundle`, opened by the system's tar.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

use crate::harness::{directory, run, tool, words};

fn procfs() -> TempDir {
    directory(&[
        ("allocinfo", "100 1 a.c:1 func:f \n"),
        ("cmdline", "quiet\n"),
        ("meminfo", "MemTotal: 8 kB\n"),
        ("slabinfo", "slabinfo - version: 2.1\n"),
        ("modules", "ext4 1 0 - Live 0x0\n"),
        ("saved.txt", "90 1 a.c:1 func:f \n"),
    ])
}

fn unpack(archive: &std::path::Path, to: &TempDir) -> std::path::PathBuf {
    let status =
        Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(to.path()).status().expect("there is a tar");
    assert!(status.success());
    let mut entries = fs::read_dir(to.path()).unwrap();
    let only = entries.next().unwrap().unwrap().path();
    assert!(entries.next().is_none(), "everything is in one directory");
    only
}

#[test]
fn everything_that_was_asked_for_is_in_it_and_what_is_not_is_said() {
    let (procfs, out, to) = (procfs(), directory(&[]), directory(&[]));
    let (at, archive) = (procfs.path().display(), out.path().join("b.tar.gz"));
    let said = run(&format!("bundle {at}/saved.txt {at}/saved.txt --procfs {at} -o {}", archive.display())).clean();
    assert_eq!(said, format!("{}\n", archive.display()));
    let directory = unpack(&archive, &to);
    let text = |name: &str| fs::read_to_string(directory.join(name)).unwrap();
    assert_eq!(text("meminfo.txt"), "MemTotal: 8 kB\n");
    assert_eq!(text("slabinfo.txt"), "slabinfo - version: 2.1\n");
    assert_eq!(text("modules.txt"), "ext4 1 0 - Live 0x0\n");
    assert!(text("uname.txt").starts_with("Linux "));
    assert_eq!(text("profiles/0000-saved.txt"), text("profiles/0001-saved.txt"));
    let manifest = text("manifest.txt");
    assert!(manifest.contains("now.alloctag: the running kernel's profile, 1 site\n"), "{manifest}");
    assert!(manifest.contains("buddyinfo.txt: missing: ") && manifest.contains("no such file"), "{manifest}");
    let list = run(&format!("list {}", directory.join("now.alloctag").display())).clean();
    assert!(list.contains("100"), "{list}");
}

#[test]
fn its_manifest_is_read_as_the_help_says() {
    let (procfs, out) = (procfs(), directory(&[]));
    let archive = out.path().join("report.tar.gz");
    run(&format!("bundle --procfs {} -o {}", procfs.path().display(), archive.display())).clean();
    let help = run("bundle --help").clean();
    let shown = help.lines().find_map(|line| line.trim().strip_prefix("tar ")).expect("the last example");
    let (line, _) = shown.split_once("  ").expect("it is explained");
    let output = Command::new("tar").args(words(line)).current_dir(out.path()).output().expect("there is a tar");
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("Made by alloctag "), "{line}");
}

#[test]
fn the_table_of_sites_is_in_it_where_debugfs_has_one() {
    let (procfs, debugfs) = (procfs(), directory(&[("alloctag/sites", "sites - version: 1.0\n")]));
    let mount = format!("proc /proc proc rw 0 0\nnone {} debugfs rw 0 0\n", debugfs.path().display());
    for (mounts, expected) in [(mount.as_str(), true), ("none /nowhere debugfs rw 0 0\n", false), ("", false)] {
        fs::write(procfs.path().join("mounts"), mounts).unwrap();
        let (out, to) = (directory(&[]), directory(&[]));
        let archive = out.path().join("b.tar.gz");
        run(&format!("bundle --procfs {} -o {}", procfs.path().display(), archive.display())).clean();
        let unpacked = unpack(&archive, &to);
        let sites = fs::read_to_string(unpacked.join("sites.txt")).ok();
        assert_eq!(sites.as_deref(), expected.then_some("sites - version: 1.0\n"));
        let manifest = fs::read_to_string(unpacked.join("manifest.txt")).unwrap();
        assert_eq!(manifest.contains("sites.txt: "), expected, "{manifest}");
    }
}

#[test]
fn saved_profiles_can_be_bundled_where_there_is_no_kernel_to_read() {
    let (procfs, out) = (procfs(), directory(&[]));
    fs::remove_file(procfs.path().join("allocinfo")).unwrap();
    let (at, archive) = (procfs.path().display(), out.path().join("b.tar.gz"));
    let ran = run(&format!("bundle {at}/saved.txt --procfs {at} -o {}", archive.display()));
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.lines().count() == 1 && archive.exists());
    let again = run(&format!("bundle {at}/saved.txt --procfs {at} -o {}", archive.display()));
    assert!(again.err.contains("is there already; --force replaces it"), "{}", again.err);
    assert_eq!(run(&format!("bundle {at}/saved.txt --force --procfs {at} -o {}", archive.display())).status, 0);
    assert_eq!(run(&format!("bundle --procfs {at}")).status, 1);
    assert_eq!(run(&format!("bundle {at}/nowhere --procfs {at}")).status, 1);
}

#[test]
fn it_goes_to_standard_output_or_into_a_pipe() {
    let procfs = procfs();
    let at = procfs.path().display();
    for options in ["-o -", "-o /dev/stdout", "-o /dev/stdout --force"] {
        let to = directory(&[]);
        let ran = tool(&format!("bundle --procfs {at} {options}")).current_dir(to.path()).output().unwrap();
        assert!(ran.status.success() && fs::read_dir(to.path()).unwrap().next().is_none(), "{options}");
        let archive = procfs.path().join("b");
        fs::write(&archive, ran.stdout).unwrap();
        assert!(unpack(&archive, &to).join("manifest.txt").exists(), "{options}");
    }
}
