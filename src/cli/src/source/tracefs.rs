// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The directory of the kernel's tracer, and why it cannot be used if it cannot.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::mounts;
use crate::error::{describe, Error};

/// Its name among filesystems.
const TRACEFS: &str = "tracefs";

/// Where it is mounted by default.
const USUAL: &str = "/sys/kernel/tracing";

/// Where alloctag's events are in it.
pub const EVENTS: &str = "events/alloctag";

/// The directory, wherever tracefs is mounted by the procfs at `procfs`; where it would be if it is not.
pub fn directory(procfs: &Path) -> PathBuf {
    mounts::first(procfs, TRACEFS).unwrap_or_else(|| USUAL.into())
}

/// Room for more than the kernel writes into such a file.
const LONGEST: usize = 1 << 16;

/// What a file says that the kernel gives once: whoever reads a part of it is not given the rest.
pub fn read_once(path: &Path) -> io::Result<String> {
    let mut text = vec![0; LONGEST];
    let length = File::open(path)?.read(&mut text)?;
    text.truncate(length);
    String::from_utf8(text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Why a file of the directory cannot be used, and what to do.
pub fn explain(file: &Path, error: &io::Error, procfs: &Path) -> Error {
    let failed = |problem: &str| Error::failed(file.display(), problem);
    match Errno::from_io_error(error) {
        Some(Errno::PERM) => failed("the kernel is locked down, and so is tracefs"),
        _ if error.kind() == io::ErrorKind::PermissionDenied => failed("is for root only; run this as root"),
        _ if error.kind() != io::ErrorKind::NotFound => failed(&describe(error)),
        _ if mounts::first(procfs, TRACEFS).is_none() => {
            failed("tracefs is not mounted; mount -t tracefs none /sys/kernel/tracing")
        }
        _ => failed(
            "does not exist: this kernel has no such events; one with Alloctag's core and CONFIG_ALLOCTAG_EVENTS does",
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_obstacle_is_told_with_what_to_do() {
        let procfs = tempfile::tempdir().unwrap();
        let told = |errno: Errno| explain(Path::new("/t/f"), &errno.into(), procfs.path()).to_string();
        assert_eq!(directory(procfs.path()), Path::new("/sys/kernel/tracing"));
        for (errno, expected) in [
            (Errno::PERM, "locked down"),
            (Errno::ACCESS, "run this as root"),
            (Errno::NOENT, "mount -t tracefs"),
            (Errno::IO, "input/output error"),
        ] {
            let told = told(errno);
            assert!(told.starts_with("/t/f: ") && told.contains(expected), "{told}");
        }
        fs::write(procfs.path().join("mounts"), "none /t tracefs rw 0 0\n").unwrap();
        assert_eq!(directory(procfs.path()), Path::new("/t"));
        assert!(told(Errno::NOENT).contains("CONFIG_ALLOCTAG_EVENTS"));
    }
}
