// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Alloctag's directory in debugfs, and why it cannot be used if it cannot.

use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::mounts;
use crate::error::{describe, Error};

/// Its name among filesystems.
const DEBUGFS: &str = "debugfs";

/// Where it is mounted by default.
const USUAL: &str = "/sys/kernel/debug";

/// The directory, wherever debugfs is mounted by the procfs at `procfs`; where it would be if it is not.
pub fn directory(procfs: &Path) -> PathBuf {
    mounts::first(procfs, DEBUGFS).unwrap_or_else(|| USUAL.into()).join("alloctag")
}

/// Why a file of the directory cannot be used, and what to do.
pub fn explain(file: &Path, error: &io::Error, procfs: &Path) -> Error {
    let failed = |problem: &str| Error::failed(file.display(), problem);
    match Errno::from_io_error(error) {
        Some(Errno::NODEV) => {
            failed("this kernel does not profile: it was booted with sysctl.vm.mem_profiling=never, or has shut it down (see dmesg)")
        }
        Some(Errno::PERM) => failed("the kernel is locked down, and so is debugfs"),
        _ if error.kind() == io::ErrorKind::PermissionDenied => failed("is for root only; run this as root"),
        _ if error.kind() != io::ErrorKind::NotFound => failed(&describe(error)),
        _ if mounts::first(procfs, DEBUGFS).is_none() => failed("debugfs is not mounted; mount -t debugfs none /sys/kernel/debug"),
        _ => failed("does not exist: this kernel tells no contexts apart; one with Alloctag's core and CONFIG_DEBUG_FS does"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn debugfs_is_where_it_is_mounted() {
        let procfs = tempfile::tempdir().unwrap();
        assert_eq!(directory(procfs.path()), Path::new("/sys/kernel/debug/alloctag"));
        for (mounts, expected) in [
            ("proc /proc proc rw 0 0\n", "/sys/kernel/debug/alloctag"),
            ("none /d\\040d debugfs rw 0 0\n", "/d d/alloctag"),
            ("debugfs\n\nx\n", "/sys/kernel/debug/alloctag"),
        ] {
            fs::write(procfs.path().join("mounts"), mounts).unwrap();
            assert_eq!(directory(procfs.path()), Path::new(expected), "{mounts}");
        }
    }

    #[test]
    fn every_obstacle_is_told_with_what_to_do() {
        let procfs = tempfile::tempdir().unwrap();
        let told = |errno: Errno| explain(Path::new("/d/f"), &errno.into(), procfs.path()).to_string();
        for (errno, expected) in [
            (Errno::NODEV, "mem_profiling=never"),
            (Errno::PERM, "locked down"),
            (Errno::ACCESS, "run this as root"),
            (Errno::NOENT, "mount -t debugfs"),
            (Errno::IO, "input/output error"),
        ] {
            let told = told(errno);
            assert!(told.starts_with("/d/f: ") && told.contains(expected), "{told}");
        }
        fs::write(procfs.path().join("mounts"), "none /d debugfs rw 0 0\n").unwrap();
        assert!(told(Errno::NOENT).contains("CONFIG_DEBUG_FS"));
    }
}
