// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Puts files in place whole or not at all.
//!
//! A file is written under another name, synced, and renamed over the final name; then its directory is synced. Whoever
//! looks, be it after `kill -9` or a power cut, finds the old state or the new one.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{renameat_with, RenameFlags, CWD};
use rustix::io::Errno;

/// What unfinished files are called by: `.NAME.PID.alloctag-tmp`, so that no reader takes them for finished ones.
pub const UNFINISHED: &str = ".alloctag-tmp";

/// Only the owner and the group may read: a profile tells what a machine does.
const MODE: u32 = 0o640;

/// Writes `bytes` to `path`, replacing what was there.
///
/// # Errors
///
/// Those of the file system. The old file is intact then, and nothing is left of the new one.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let unfinished = unfinished(path)?;
    let done = write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, path));
    if done.is_err() {
        let _ = fs::remove_file(&unfinished);
        return done;
    }
    sync_directory(path)
}

/// The same, but fails with [`io::ErrorKind::AlreadyExists`] if there is such a file.
///
/// # Errors
///
/// As [`replace`].
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let unfinished = unfinished(path)?;
    let done = write(&unfinished, bytes).and_then(|()| put(&unfinished, path));
    if done.is_err() {
        let _ = fs::remove_file(&unfinished);
        return done;
    }
    sync_directory(path)
}

/// Renames without replacing.
fn put(unfinished: &Path, path: &Path) -> io::Result<()> {
    match renameat_with(CWD, unfinished, CWD, path, RenameFlags::NOREPLACE) {
        // Not every file system can (NFS cannot); a link replaces nothing either.
        Err(Errno::INVAL | Errno::NOSYS) => {
            fs::hard_link(unfinished, path)?;
            fs::remove_file(unfinished)
        }
        renamed => Ok(renamed?),
    }
}

/// Removes what writers that died have left in `directory`; returns how many files.
///
/// # Errors
///
/// If the directory cannot be read or a file not be removed.
pub fn sweep(directory: &Path) -> io::Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().ends_with(UNFINISHED) {
            fs::remove_file(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}

fn unfinished(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::other("is no name of a file"))?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}{UNFINISHED}", std::process::id()));
    Ok(path.with_file_name(hidden))
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(MODE).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn sync_directory(path: &Path) -> io::Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(directory)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn names(directory: &TempDir) -> Vec<String> {
        fs::read_dir(directory.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn files_are_replaced_or_created_and_nothing_else_is_left() {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("f");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(create(&path, b"three").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!((fs::read(&path).unwrap().as_slice(), names(&directory)), (&b"two"[..], vec!["f".to_owned()]));
        assert!(replace(&directory.path().join("no/such"), b"").is_err());
        assert!(replace(Path::new("/"), b"").is_err());
    }

    #[test]
    fn what_the_dead_left_is_swept_away() {
        let directory = TempDir::new().unwrap();
        fs::write(directory.path().join(".f.1.alloctag-tmp"), "half").unwrap();
        fs::write(directory.path().join("f"), "whole").unwrap();
        assert_eq!(sweep(directory.path()).unwrap(), 1);
        assert_eq!(names(&directory), ["f"]);
    }
}
