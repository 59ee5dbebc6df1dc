// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Options that several commands have: that each of these heeds them.

use std::fs;

use crate::harness::{directory, run};

#[test]
fn a_path_is_a_file() {
    for (line, same) in [
        ("tree --path crafted-2.0.txt", "tree crafted-2.0.txt"),
        ("summary --path crafted-2.0.txt", "summary crafted-2.0.txt"),
        ("snap --path crafted-2.0.txt -o -", "snap crafted-2.0.txt -o -"),
        ("treemap --path crafted-2.0.txt", "treemap crafted-2.0.txt"),
        ("flame --path crafted-2.0.txt", "flame crafted-2.0.txt"),
        ("export --path crafted-2.0.txt --format json", "export crafted-2.0.txt --format json"),
    ] {
        let (by_path, by_file) =
            (crate::harness::tool(line).output().unwrap(), crate::harness::tool(same).output().unwrap());
        assert!(by_path.status.success(), "{line}: {by_path:?}");
        assert!(by_path.stdout == by_file.stdout && !by_path.stdout.is_empty(), "{line}");
    }
    assert!(run("serve --path /no/such/file").failed(1).contains("/no/such/file: no such file"));
}

#[test]
fn an_interface_that_the_kernel_lacks_is_missed() {
    let procfs = directory(&[
        ("allocinfo", "allocinfo - version: 2.0\n 8192 1 mm/a.c:1 func:f \n"),
        ("cmdline", ""),
        ("modules", ""),
    ]);
    let at = procfs.path().display();
    for line in [
        "top --once --source",
        "tree --source",
        "summary --source",
        "snap -o - --source",
        "report --source",
        "treemap --source",
        "flame --source",
        "export --format json --source",
    ] {
        let error = run(&format!("{line} ioctl --procfs {at}")).failed(1);
        assert!(error.contains("has no ioctls in this kernel; use --source text"), "{line}: {error}");
        let text = crate::harness::tool(&format!("{line} text --procfs {at}")).output().unwrap();
        assert!(text.status.success() && !text.stdout.is_empty(), "{line}: {text:?}");
    }
    assert!(run(&format!("serve --source ioctl --procfs {at}")).failed(1).contains("has no ioctls"));
    // It tries again a few times: a recorder outlives what lasts for a moment.
    let ran = run(&format!("record --source ioctl -i 10ms --procfs {at} {at}/recording"));
    assert!(ran.status == 1 && ran.err.contains("has no ioctls"), "{}", ran.err);
    assert_eq!(run(&format!("record --source text -n 1 --procfs {at} {at}/recording")).status, 0);
}

#[test]
fn subsystems_of_ones_own_come_first() {
    let files = directory(&[
        ("own.toml", "[\"All my own\"]\nfiles = ['mm/']\n"),
        ("allocinfo", "8192 2 mm/a.c:1 func:f \n4096 1 fs/b.c:1 func:g \n"),
        ("before", "4096 1 mm/a.c:1 func:f \n4096 1 fs/b.c:1 func:g \n"),
        ("cmdline", ""),
        ("modules", ""),
    ]);
    let at = files.path().display();
    let own = format!("--subsystems {at}/own.toml");
    for line in [
        format!("top --once -g subsystem --procfs {at} {own} # top --subsystems"),
        format!("tree --by subsystem {at}/allocinfo {own} # tree --subsystems"),
        format!("treemap --by subsystem {at}/allocinfo {own} # treemap --subsystems"),
        format!("flame --by subsystem {at}/allocinfo {own} # flame --subsystems"),
        format!("report {at}/allocinfo {own} # report --subsystems"),
        format!("export --format openmetrics -g subsystem {at}/allocinfo {own} # export --subsystems"),
    ] {
        let out = run(line.split(" #").next().unwrap()).clean();
        assert!(out.contains("All my own"), "{line}: {out}");
    }
    let condition = "-w 'subsystem=\"All my own\"'";
    // diff --subsystems, leak --subsystems
    let diff = run(&format!("diff {at}/before {at}/allocinfo {own} {condition} --format tsv -n 9")).clean();
    assert!(diff.contains("mm/a.c") && !diff.contains("fs/b.c"), "{diff}");
    let leak = run(&format!("leak --every 1h {at}/before {at}/allocinfo {own} {condition} --all --format tsv")).clean();
    assert!(leak.contains("mm/a.c") && !leak.contains("fs/b.c"), "{leak}");
    assert!(run(&format!("serve --subsystems {at}/nowhere.toml crafted-2.0.txt")).failed(1).contains("nowhere.toml"));
}

#[test]
fn sizes_come_in_the_units_asked_for() {
    let line = |command: &str, unit: &str| format!("{command} {unit}");
    for (command, sizes) in [
        // top tree summary check diff leak report treemap flame, each with --iec --si --raw-bytes
        ("top --once --procfs PROCFS", ["30.6Mi", "32.1M", "32064720"]),
        ("tree c-7.3.4.txt", ["30.6Mi", "32.1M", "32064720"]),
        ("summary c-7.3.4.txt", ["30.6Mi", "32.1M", "32064720"]),
        ("check c-7.3.4.txt", ["30.6Mi", "32.1M", "32064720"]),
        ("diff crafted-2.0.txt c-7.3.4.txt -s change -n 1", ["30.0Mi", "31.5M", "31457280"]),
        ("leak --every 1h --available 31457280 c-7.3.4.txt", ["30.0Mi", "31.5M", "31457280"]),
        ("report c-7.3.4.txt", ["\"units\":\"iec\"", "\"units\":\"si\"", "\"units\":\"raw\""]),
        ("treemap c-7.3.4.txt", ["30.6Mi of", "32.1M of", "32064720 of"]),
        ("flame c-7.3.4.txt", ["30.6Mi of", "32.1M of", "32064720 of"]),
    ] {
        let procfs = directory(&[("cmdline", ""), ("modules", "")]);
        let capture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/c-7.3.4.txt");
        fs::copy(capture, procfs.path().join("allocinfo")).unwrap();
        let command = command.replace("PROCFS", &procfs.path().display().to_string());
        for (unit, size) in ["--iec", "--si", "--raw-bytes"].iter().zip(sizes) {
            let out = run(&line(&command, unit)).out;
            assert!(out.contains(size), "{command} {unit}: {out}");
        }
        assert_eq!(run(&line(&command, "--si --raw-bytes")).status, 2, "{command}");
    }
}

#[test]
fn pictures_and_exports_show_what_the_condition_lets_through() {
    for line in [
        "treemap -w 'file~^mm/shmem' c-7.3.4.txt",
        "flame -w 'file~^mm/shmem' c-7.3.4.txt",
        "export --format folded -w 'file~^mm/shmem' c-7.3.4.txt",
    ] {
        let out = run(line).clean();
        assert!(out.contains("shmem_alloc_inode") && !out.contains("__kernfs_new_node"), "{line}");
    }
    assert!(run("serve -w 'bytes>' crafted-2.0.txt").failed(2).contains("bytes>"));
}

#[test]
fn pages_that_back_other_rows_are_counted_on_demand() {
    for line in [
        "report c-7.3.4.txt --include-backing",
        "treemap c-7.3.4.txt --include-backing",
        "flame c-7.3.4.txt --include-backing",
        "export --format folded c-7.3.4.txt --include-backing",
    ] {
        let without = run(line.trim_end_matches(" --include-backing")).clean();
        assert!(!without.contains("alloc_slab_page:") && !without.contains("alloc_slab_page\""), "{line}");
        assert!(run(line).clean().contains("alloc_slab_page"), "{line}");
    }
}

#[test]
fn a_flame_graph_is_as_wide_as_asked() {
    assert!(run("flame --width 800 c-7.3.4.txt").clean().contains("width=\"800\""));
    assert_eq!(run("flame --width 10 c-7.3.4.txt").status, 2);
}

#[test]
fn a_header_has_the_same_name_wherever_it_is_shown() {
    // The kernel calls it ./include/linux/io_uring.h.
    for line in [
        "list crafted-2.0.txt",
        "list -f site crafted-2.0.txt",
        "tree -m 0 crafted-2.0.txt",
        "summary -n 50 --since crafted-1.0.txt crafted-2.0.txt",
        "diff crafted-1.0.txt crafted-2.0.txt",
        "leak -a --every 1h crafted-2.0.txt",
        "export --format csv crafted-2.0.txt",
    ] {
        let out = run(line).clean();
        assert!(out.contains("include/linux") && !out.contains("./include/linux"), "{line}: {out}");
    }
}
