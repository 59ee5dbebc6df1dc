// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Tells whether modules came or went while a profile was being read.

use std::fs::File;
use std::path::Path;

use super::ioctl;

/// What changes when the list of call sites does. Take one before and one after; equal means whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The kernel's own number for it.
    ContentId(u64),
    /// On kernels without that number: the names in `/proc/modules`.
    Modules(Vec<String>),
    /// There is neither: a kernel without modules, or no procfs.
    None,
}

impl Guard {
    /// The state now. `file` is the open `allocinfo`.
    pub fn take(file: &File, procfs: &Path) -> Guard {
        if let Ok(id) = ioctl::content_id(file) {
            return Guard::ContentId(id);
        }
        match std::fs::read_to_string(procfs.join("modules")) {
            Ok(modules) => Guard::Modules(names(&modules)),
            Err(_) => Guard::None,
        }
    }

    /// The kernel's number, if it has one.
    pub fn content_id(&self) -> Option<u64> {
        match self {
            Guard::ContentId(id) => Some(*id),
            _ => None,
        }
    }
}

/// The names alone: use counts change all the time.
fn names(modules: &str) -> Vec<String> {
    modules.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn use_counts_of_modules_do_not_matter_and_their_names_do() {
        let before = "nvme 65536 3 - Live 0x0\next4 1048576 1 - Live 0x0\n";
        let used = before.replace(" 3 ", " 4 ");
        let fewer = "ext4 1048576 1 - Live 0x0\n";
        assert_eq!(names(before), names(&used));
        assert_ne!(names(before), names(fewer));
    }
}
