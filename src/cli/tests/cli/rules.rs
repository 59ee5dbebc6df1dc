// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A kernel's rules without a kernel.

use std::fs;
use std::path::PathBuf;

use rustix::fs::{mknodat, FileType, Mode, CWD};
use tempfile::TempDir;

use crate::harness::{directory, run, Ran};

const HEAD: &str = "control - version: 1.0\n# rule sites contexts lost command\n";

/// A procfs and a debugfs whose rules are those of a text.
pub struct Kernel {
    root: TempDir,
    rules: String,
}

impl Kernel {
    /// One that lists these rules.
    pub fn new(rules: &str) -> Kernel {
        let rules = format!("{HEAD}{rules}");
        let root = directory(&[("debug/alloctag/control", &rules), ("proc/meminfo", "")]);
        let mounts = format!("none {}/debug debugfs rw 0 0\n", root.path().display());
        fs::write(root.path().join("proc/mounts"), mounts).unwrap();
        Kernel { root, rules }
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
        let control = self.pipe();
        std::thread::scope(|scope| {
            let written = scope.spawn(|| {
                fs::write(&control, &self.rules).unwrap();
                let written = fs::read_to_string(&control).unwrap();
                fs::write(&control, format!("{HEAD}{after}")).unwrap();
                written
            });
            (run(line), written.join().unwrap())
        })
    }

    /// The same of one that only writes.
    pub fn written(&self, line: &str) -> (Ran, String) {
        let control = self.pipe();
        std::thread::scope(|scope| {
            let written = scope.spawn(|| fs::read_to_string(&control).unwrap());
            (run(line), written.join().unwrap())
        })
    }

    /// Puts a pipe in place of the rules: what is written to it is not what is read from it.
    fn pipe(&self) -> PathBuf {
        let control = self.directory().join("control");
        fs::remove_file(&control).unwrap();
        mknodat(CWD, &control, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        control
    }
}
