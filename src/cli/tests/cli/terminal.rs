// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Colours, widths, closed pipes, full disks.

use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::Stdio;

use rustix::pty::{grantpt, openpt, ptsname, unlockpt, OpenptFlags};
use rustix::termios::{tcsetwinsize, Winsize};

use crate::harness::{directory, run, tool};
use crate::sweep::swept;

/// Runs the tool on a terminal of 60 columns.
fn on_terminal(line: &str, variables: &[(&str, &str)]) -> String {
    on_columns(60, line, variables)
}

/// Runs the tool on a terminal of so many columns.
fn on_columns(columns: u16, line: &str, variables: &[(&str, &str)]) -> String {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    tcsetwinsize(&master, Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let slave: OwnedFd = File::options().read(true).write(true).open(name).unwrap().into();
    let mut command = tool(line);
    command.env("TERM", "xterm").envs(variables.iter().copied()).stdout(Stdio::from(slave)).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    // The child has the only slave left: when it ends, reading ends, by an error.
    drop(command);
    let mut out = Vec::new();
    let _ = File::from(master).read_to_end(&mut out);
    // A table of what is broken is a table.
    assert!(matches!(child.wait().unwrap().code(), Some(0 | 1)));
    String::from_utf8(out).unwrap()
}

#[test]
fn a_terminal_gets_colours_and_lines_that_fit() {
    let out = on_terminal("list crafted-2.0.txt -n 3", &[]);
    assert!(out.contains("\x1b[1m"), "{out:?}");
    assert!(
        out.lines().take(4).all(|line| line.replace("\x1b[1m", "").replace("\x1b[0m", "").chars().count() <= 60),
        "{out}"
    );
    assert!(out.contains('…'), "{out}");
}

/// Compares with a file in `tests/data/narrow`. To write them anew: `GOLDEN=write cargo test -p alloctag terminal`.
#[track_caller]
fn golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/narrow").join(name);
    if env::var_os("GOLDEN").is_some_and(|value| value == "write") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(found, expected, "{}\nfound:\n{found}", path.display());
}

/// Hourly texts of a few sites with long names, two of which leak.
fn long_names() -> tempfile::TempDir {
    let directory = directory(&[]);
    for hour in 0..12 {
        let text = format!(
            "allocinfo - version: 2.0\n\
             {} {} drivers/net/ethernet/mellanox/mlx5/core/en_main.c:1234 [mlx5_core] func:mlx5e_alloc_rq_descriptors \n\
             {} {} fs/ext4/inode.c:1402 [ext4] func:ext4_alloc_inode \n\
             {} 3 mm/util.c:7 func:kstrdup accurate:no \n\
             81920 20 kernel/fork.c:194 func:alloc_task_struct_node \n",
            (100 + 10 * hour) << 20,
            (100 + 10 * hour) << 8,
            (1 + hour) << 19,
            (1 + hour) << 9,
            if hour < 6 { 65_536 } else { 1_048_576 },
        );
        fs::write(directory.path().join(format!("{hour:02}")), text).unwrap();
    }
    directory
}

#[test]
fn tables_lose_columns_before_names_where_there_is_little_room() {
    let files = long_names();
    let at = files.path().display();
    for (name, line) in [
        ("list", format!("list {at}/11")),
        ("list-sorted", format!("list {at}/11 -s -avg")),
        ("list-asked", format!("list {at}/11 -f bytes,calls,site")),
        ("modules", format!("list {at}/11 -g module")),
        ("diff", format!("diff {at}/00 {at}/11")),
        ("leak", format!("leak --every 1h --available 1G {at}/0* {at}/1*")),
        ("stalls", "stalls stalls-1.0.txt -w 'not func=no_histogram_left' -n 3 --histogram".to_owned()),
        ("lifetimes", "lifetimes lifetimes-1.0.txt".to_owned()),
        ("tree", format!("tree {at}/11 -m 0")),
        ("check", "check crafted-1.0.txt c-7.3.4-modules.txt golden-1.alloctag nowhere.txt".to_owned()),
    ] {
        let files: Vec<String> = (0..12).map(|hour| format!("{at}/{hour:02}")).collect();
        let line = line.replace(&format!("{at}/0* {at}/1*"), &files.join(" "));
        for columns in [80, 50] {
            let out = on_columns(columns, &line, &[("NO_COLOR", "1")]).replace('\r', "");
            let out = out.replace(&at.to_string(), "DIR");
            // What stands below a table is prose, which a terminal breaks.
            let mut rows = out.lines().filter(|line| line.contains(".c:"));
            assert!(rows.all(|line| line.chars().count() <= columns.into()), "{name} {columns}:\n{out}");
            golden(&format!("{name}-{columns}.txt"), &out);
        }
    }
}

#[test]
fn nobody_gets_colours_who_does_not_want_them() {
    for (line, name, value) in [
        ("list crafted-2.0.txt", "NO_COLOR", "1"),
        ("list crafted-2.0.txt", "TERM", "dumb"),
        ("list crafted-2.0.txt --color never", "X", "1"),
        ("list crafted-2.0.txt --no-color", "X", "1"),
    ] {
        let out = on_terminal(line, &[(name, value)]);
        assert!(!out.contains('\x1b'), "{line} {name}={value}: {out:?}");
    }
    let out = on_terminal("list crafted-2.0.txt", &[("NO_COLOR", "")]);
    assert!(out.contains('\x1b'), "an empty NO_COLOR is none");
}

#[test]
fn a_pipe_gets_colours_only_on_demand() {
    assert!(!run("list crafted-2.0.txt").clean().contains('\x1b'));
    assert!(!run("list crafted-2.0.txt --color auto").clean().contains('\x1b'));
    assert!(run("list crafted-2.0.txt --color always").clean().contains("\x1b[1m"));
    assert!(run("--color always tree crafted-2.0.txt").clean().contains("\x1b[1m"));
}

#[test]
fn ascii_is_enough_where_the_locale_says_so() {
    for (name, value) in [("LC_ALL", "C"), ("LC_ALL", "POSIX")] {
        let out = tool("tree crafted-2.0.txt").env(name, value).output().unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(text.contains("####") && text.is_ascii(), "{text}");
    }
}

#[test]
fn a_closed_pipe_ends_the_tool_in_silence() {
    for line in [
        "list c-7.3.4.txt -z --format json",
        "tree c-7.3.4.txt -m 0",
        "summary c-7.3.4.txt -n 1000",
        "completions zsh",
        "man list",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let out = tool(line).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        let err = String::from_utf8(out.stderr).unwrap();
        assert_eq!((out.status.code(), err.as_str()), (Some(0), ""), "{line}");
    }
}

#[test]
fn a_closed_pipe_does_not_change_the_verdict() {
    let swept = swept("1/1");
    let texts: String = (0..12).map(|_| " crafted-2.0.txt").collect();
    let mut many = String::new();
    for _ in 0..500 {
        // More than is collected before it is written.
        many.push_str(" nowhere.txt crafted-2.0.txt");
    }
    for (line, status, named) in [
        ("diff crafted-1.0.txt c-7.3.4.txt --fail-if 'delta>1M'", 3, true),
        ("diff crafted-1.0.txt c-7.3.4.txt --fail-if 'delta>1M' --format json", 3, true),
        ("diff crafted-1.0.txt c-7.3.4.txt --fail-if 'delta>1M' --format junit", 3, true),
        (&*format!("leak --all --every 1h --fail-if verdict=NOISE{texts}"), 3, true),
        ("leak --every 1h --fail-if verdict=SHORT --format junit crafted-2.0.txt", 3, true),
        ("check crafted-1.0.txt nowhere.txt", 1, false),
        (&*format!("check{many}"), 1, false),
        (&*format!("sweep --report {}", swept.path().display()), 3, false),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let out = tool(line).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        let err = String::from_utf8(out.stderr).unwrap();
        assert_eq!((out.status.code(), !err.is_empty()), (Some(status), named), "{line}: {err}");
        assert!(!err.contains("writing the output"), "{err}");
    }
}

#[test]
fn a_full_disk_is_told() {
    for line in ["list c-7.3.4.txt", "--help", "man"] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let out = tool(line).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let err = String::from_utf8(out.stderr).unwrap();
        let expected = "alloctag: writing the output: no space left on device\n";
        assert_eq!((out.status.code(), err.as_str()), (Some(1), expected), "{line}");
    }
}
