// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A kernel's rules without a kernel.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::fs::{mknodat, FileType, Mode, CWD};
use tempfile::TempDir;

use crate::harness::{directory, run, Ran};

const HEAD: &str = "control - version: 1.0\n# rule sites contexts lost command\n";

/// A procfs and a debugfs whose rules are those of a text.
pub struct Kernel {
    root: TempDir,
    rules: String,
    /// How many steps it has done.
    done: AtomicUsize,
}

impl Kernel {
    /// One that lists these rules.
    pub fn new(rules: &str) -> Kernel {
        let rules = format!("{HEAD}{rules}");
        let root = directory(&[("debug/alloctag/control", &rules), ("proc/meminfo", "")]);
        let mounts = format!("none {}/debug debugfs rw 0 0\n", root.path().display());
        fs::write(root.path().join("proc/mounts"), mounts).unwrap();
        Kernel { root, rules, done: AtomicUsize::new(0) }
    }

    /// The option that names it.
    pub fn procfs(&self) -> String {
        format!("--procfs {}/proc", self.root.path().display())
    }

    /// The directory of contexts and rules.
    pub fn directory(&self) -> PathBuf {
        self.root.path().join("debug/alloctag")
    }

    /// What a command line does that lists rules, writes something, and lists them once more; and what it writes.
    pub fn asked(&self, after: &str, line: &str) -> (Ran, String) {
        let after = format!("{HEAD}{after}");
        let steps = [Step::Says("control", &self.rules), Step::Hears, Step::Says("control", &after)];
        let (ran, mut heard) = self.plays(&steps, || run(line));
        (ran, heard.remove(0))
    }

    /// Waits until it has done so many steps.
    pub fn wait_for(&self, steps: usize) {
        while self.done.load(Ordering::Acquire) < steps {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The same of one that only writes.
    pub fn written(&self, line: &str) -> (Ran, String) {
        let (ran, mut heard) = self.plays(&[Step::Hears], || run(line));
        (ran, heard.remove(0))
    }

    /// Does these steps while `user` is busy; returns what it has heard as well. No file is to speak twice in a row: the listener
    /// would take both for one.
    pub fn plays<T>(&self, steps: &[Step<'_>], user: impl FnOnce() -> T) -> (T, Vec<String>) {
        for file in ["control", "contexts"].map(|name| self.directory().join(name)) {
            let _ = fs::remove_file(&file);
            // What is written to a pipe is not what is read from it.
            mknodat(CWD, &file, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        }
        let step = |step: &Step<'_>| match step {
            Step::Says(file, text) => fs::write(self.directory().join(file), text).map(|()| None).unwrap(),
            Step::Hears => Some(fs::read_to_string(self.directory().join("control")).unwrap()),
        };
        let step = |one: &Step<'_>| {
            let heard = step(one);
            self.done.fetch_add(1, Ordering::Release);
            heard
        };
        std::thread::scope(|scope| {
            let heard = scope.spawn(|| steps.iter().filter_map(step).collect());
            (user(), heard.join().unwrap())
        })
    }
}

/// What a kernel does.
pub enum Step<'s> {
    /// Gives out the text of that file.
    Says(&'static str, &'s str),
    /// Takes in what is written to its rules.
    Hears,
}

/// A list of these rules.
pub fn list(rules: &str) -> String {
    format!("{HEAD}{rules}")
}
