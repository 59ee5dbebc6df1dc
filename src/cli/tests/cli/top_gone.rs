// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag top` when its terminal goes away, and when it is told to end at a bad moment.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::process::{kill_process, Pid, Signal};
use rustix::pty::{grantpt, openpt, ptsname, unlockpt, OpenptFlags};
use rustix::termios::{tcgetattr, tcsetwinsize, LocalModes, Winsize};
use tempfile::TempDir;

use crate::harness::directory;

/// How long anything may take on a machine that has other work: what hangs, hangs for ever.
const PATIENCE: Duration = Duration::from_secs(120);

/// A terminal with `alloctag top` on it. Whatever becomes of a test, the process ends with it.
struct Top {
    master: Option<File>,
    /// Keeps the modes of the terminal readable, if the test looks at them.
    slave: Option<OwnedFd>,
    child: Child,
    _procfs: TempDir,
}

impl Drop for Top {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Top {
    /// With `controlling`, the kernel sends signals when the terminal goes away; without, it says nothing.
    fn new(controlling: bool, options: &str) -> Top {
        let procfs = directory(&[
            ("allocinfo", "allocinfo - version: 2.0\n 4096 16 fs/inode.c:10 func:f \n"),
            ("modules", ""),
            ("cmdline", ""),
        ]);
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        tcsetwinsize(&master, Winsize { ws_row: 12, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let slave: OwnedFd = File::options().read(true).write(true).open(name).unwrap().into();
        let mut command = Command::new("setsid");
        if controlling {
            command.arg("--ctty");
        }
        command.arg(env!("CARGO_BIN_EXE_alloctag")).args(["top", "--procfs"]).arg(procfs.path());
        command
            .args(options.split_ascii_whitespace())
            .env("TERM", "xterm")
            .env("LC_ALL", "C.UTF-8")
            .env("XDG_CONFIG_HOME", procfs.path());
        let end = || Stdio::from(slave.try_clone().unwrap());
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("setsid is there");
        let mut top = Top { master: Some(File::from(master)), slave: Some(slave), child, _procfs: procfs };
        top.wait_for("inode.c");
        top
    }

    /// Reads the screen until something is on it.
    fn wait_for(&mut self, text: &str) {
        let (start, mut seen) = (Instant::now(), Vec::new());
        let master = self.master.as_mut().unwrap();
        while !String::from_utf8_lossy(&seen).contains(text) {
            let shown = || String::from_utf8_lossy(&seen);
            assert!(start.elapsed() < PATIENCE, "no {text}: {}", shown());
            assert!(self.child.try_wait().unwrap().is_none(), "it has ended: {}", shown());
            let within = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
            if poll(&mut [PollFd::new(master, PollFlags::IN)], Some(&within)).unwrap() > 0 {
                let mut part = [0; 4096];
                let length = master.read(&mut part).unwrap();
                seen.extend_from_slice(&part[..length]);
            }
        }
    }

    fn press(&mut self, keys: &[u8]) {
        self.master.as_mut().unwrap().write_all(keys).unwrap();
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Makes the terminal go away.
    fn hang_up(&mut self) {
        (self.slave, self.master) = (None, None);
    }

    /// Waits until it ends.
    #[track_caller]
    fn ends(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "it goes on");
            sleep(Duration::from_millis(10));
        }
    }

    /// Whether the terminal is as a shell wants it.
    fn cooked(&self) -> bool {
        let modes = tcgetattr(self.slave.as_ref().unwrap()).unwrap().local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }
}

#[test]
fn it_ends_when_its_terminal_goes_away() {
    for controlling in [true, false] {
        for keys in ["", "p", "/x", "\r"] {
            let mut top = Top::new(controlling, "-d 0.2");
            top.press(keys.as_bytes());
            // Long enough for a page after the key, and one after that.
            sleep(Duration::from_millis(300));
            top.hang_up();
            let status = top.ends();
            assert!(!status.success(), "{controlling} {keys:?}: {status}");
        }
    }
}

#[test]
fn it_dies_of_the_hangup_however_long_its_interval() {
    for controlling in [true, false] {
        let mut top = Top::new(controlling, "-d 3600");
        top.hang_up();
        let status = top.ends();
        assert_eq!(status.signal(), Some(1), "{controlling}: {status}");
    }
}

#[test]
fn signals_end_it_whatever_keys_have_come() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        // Half a key, half a character, a pause.
        for keys in [&b""[..], b"\x1b[", b"\x1b[1;", b"\xe2\x82", b"p"] {
            let mut top = Top::new(false, "-d 3600");
            assert!(!top.cooked());
            top.press(keys);
            sleep(Duration::from_millis(20));
            top.signal(signal);
            assert_eq!(top.ends().signal(), Some(signal.as_raw()), "{keys:?}");
            assert!(top.cooked(), "{signal:?} {keys:?}");
        }
    }
}

#[test]
fn what_comes_after_a_signal_does_not_hide_it() {
    let mut top = Top::new(false, "-d 3600");
    // All at once, as far as the process can tell: what the kernel sends at a hangup, and a window that changes its size.
    top.signal(Signal::STOP);
    for signal in [Signal::HUP, Signal::WINCH, Signal::CONT] {
        top.signal(signal);
    }
    assert_eq!(top.ends().signal(), Some(1));
    assert!(top.cooked());
}

#[test]
fn a_terminal_that_takes_no_more_cannot_keep_it() {
    let mut top = Top::new(false, "-d 0.1 --zeros");
    // Nobody reads the screen any more: once the terminal is full, writing to it waits.
    for _ in 0..200 {
        top.press(b"\x0c");
        sleep(Duration::from_millis(5));
    }
    for _ in 0..3 {
        top.signal(Signal::TERM);
        sleep(Duration::from_millis(100));
    }
    assert_eq!(top.ends().signal(), Some(15));
}
