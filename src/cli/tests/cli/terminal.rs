// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Colours, widths, closed pipes, full disks.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::Stdio;

use rustix::pty::{grantpt, openpt, ptsname, unlockpt, OpenptFlags};
use rustix::termios::{tcsetwinsize, Winsize};

use crate::harness::{run, tool};

/// Runs the tool on a terminal of 60 columns.
fn on_terminal(line: &str, variables: &[(&str, &str)]) -> String {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    tcsetwinsize(&master, Winsize { ws_row: 24, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let slave: OwnedFd = File::options().read(true).write(true).open(name).unwrap().into();
    let mut command = tool(line);
    command.env("TERM", "xterm").envs(variables.iter().copied()).stdout(Stdio::from(slave)).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    // The child has the only slave left: when it ends, reading ends, by an error.
    drop(command);
    let mut out = Vec::new();
    let _ = File::from(master).read_to_end(&mut out);
    assert!(child.wait().unwrap().success());
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
fn a_full_disk_is_told() {
    for line in ["list c-7.3.4.txt", "--help", "man"] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let out = tool(line).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let err = String::from_utf8(out.stderr).unwrap();
        let expected = "alloctag: writing the output: no space left on device\n";
        assert_eq!((out.status.code(), err.as_str()), (Some(1), expected), "{line}");
    }
}
