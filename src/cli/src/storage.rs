// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Puts files in place whole or not at all.
//!
//! A file is written under another name, synced, and renamed over the final name; then its directory is synced. Whoever
//! looks, be it after `kill -9` or a power cut, finds the old state or the new one.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{fchown, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{renameat_with, RenameFlags, CWD};
use rustix::io::Errno;

use crate::error::{describe, Error, Result};

/// What unfinished files are called by: `.NAME.PID.alloctag-tmp`, so that no reader takes them for finished ones. Of a long name
/// they have the beginning.
pub const UNFINISHED: &str = ".alloctag-tmp";

/// The mode of files that only the owner and the group may read: a profile tells what a machine does.
pub const PRIVATE: u32 = 0o640;

/// The mode of files for others, before the umask: node_exporter runs as another user and has to read its own.
pub const SHARED: u32 = 0o666;

/// Writes `bytes` to `path`, a new file for the owner alone; with `force`, whether or not there is one. Pipes and devices are
/// written to as they are. Whether it is a file now.
///
/// # Errors
///
/// Those of the file system, with the file's name in front.
pub fn save(path: &Path, bytes: &[u8], force: bool) -> Result<bool> {
    let save = || match Target::of(path)? {
        Target::Other => OpenOptions::new().write(true).open(path)?.write_all(bytes).map(|()| false),
        Target::File(file, _) | Target::Missing(file) if force => replace(&file, bytes, PRIVATE).map(|()| true),
        _ => create(path, bytes).map(|()| true),
    };
    save().map_err(|error| explain(path, &error))
}

/// Begins a file that is written bit by bit: a new one for the owner alone; with `force`, whether or not there is one. Pipes and
/// devices are written to as they are.
///
/// # Errors
///
/// Those of the file system, with the file's name in front.
pub fn begin(path: &Path, force: bool) -> Result<File> {
    let open = || match Target::of(path)? {
        Target::Other => OpenOptions::new().write(true).open(path),
        Target::File(file, _) if force => {
            fs::remove_file(&file)?;
            new(&file, PRIVATE)
        }
        Target::Missing(file) if force => new(&file, PRIVATE),
        _ => new(path, PRIVATE),
    };
    open().map_err(|error| explain(path, &error))
}

/// That [`save`] and [`begin`] find no file there.
///
/// # Errors
///
/// As they say it.
pub fn require_new(path: &Path) -> Result<()> {
    let is_there = match Target::of(path) {
        Ok(Target::File(..)) => true,
        Ok(Target::Missing(_)) => fs::symlink_metadata(path).is_ok(),
        _ => false,
    };
    if is_there {
        return Err(explain(path, &io::ErrorKind::AlreadyExists.into()));
    }
    Ok(())
}

/// What a name stands for. A symbolic link stays one: what it points to is replaced or made.
#[derive(Debug)]
pub enum Target {
    /// A file, by its own name.
    File(PathBuf, Metadata),
    /// Nothing yet, by the name that it is to have.
    Missing(PathBuf),
    /// A pipe, a device, a directory.
    Other,
}

impl Target {
    /// What `path` stands for.
    ///
    /// # Errors
    ///
    /// Those of the file system; where the links of others are not to be followed, that, too.
    pub fn of(path: &Path) -> io::Result<Target> {
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => Ok(Target::Other),
            Ok(metadata) => Ok(Target::File(fs::canonicalize(path)?, metadata)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // The system has followed the links already, and so there is an end of them.
                let mut path = path.to_owned();
                while let Ok(next) = fs::read_link(&path) {
                    path = path.parent().unwrap_or(Path::new("")).join(next);
                }
                Ok(Target::Missing(path))
            }
            Err(error) => Err(error),
        }
    }
}

/// That a file can be made beside `path`, as [`replace`] does.
///
/// # Errors
///
/// Those of the file system.
pub fn require_place(path: &Path) -> io::Result<()> {
    let unfinished = unfinished(path)?;
    write(&unfinished, b"", PRIVATE).and_then(|_| fs::remove_file(&unfinished))
}

fn explain(path: &Path, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::AlreadyExists => Error::failed(path.display(), "is there already; --force replaces it"),
        _ => Error::failed(path.display(), describe(error)),
    }
}

/// Writes `bytes` to `path`, replacing what was there by a file of `mode`.
///
/// # Errors
///
/// Those of the file system. The old file is intact then, and nothing is left of the new one.
pub fn replace(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    put(path, bytes, mode, |file, _| fs::rename(file, path))
}

/// The same in place of a file that there is: the new one has its mode and, as far as this process may give it away, its owner.
///
/// # Errors
///
/// As [`replace`].
pub fn renew(path: &Path, bytes: &[u8], old: &Metadata) -> io::Result<()> {
    put(path, bytes, PRIVATE, |file, written| {
        // The mode last: a file that is given away loses parts of it.
        let _ = fchown(written, Some(old.uid()), Some(old.gid()));
        written.set_permissions(Permissions::from_mode(old.mode() & 0o777))?;
        fs::rename(file, path)
    })
}

/// The same with a [`PRIVATE`] file, but fails with [`io::ErrorKind::AlreadyExists`] if there is one.
///
/// # Errors
///
/// As [`replace`].
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    put(path, bytes, PRIVATE, |file, _| settle(file, path))
}

/// Writes `bytes` to an unfinished file beside `path`, and has `finish` put it in its place.
fn put(path: &Path, bytes: &[u8], mode: u32, finish: impl FnOnce(&Path, &File) -> io::Result<()>) -> io::Result<()> {
    let unfinished = unfinished(path)?;
    let done = write(&unfinished, bytes, mode).and_then(|written| finish(&unfinished, &written));
    if done.is_err() {
        let _ = fs::remove_file(&unfinished);
        return done;
    }
    sync_directory(path)
}

/// Renames without replacing.
fn settle(unfinished: &Path, path: &Path) -> io::Result<()> {
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

/// Characters of a file's name in that of the unfinished one: four bytes each, at most, and a name has up to 255.
const SHOWN: usize = 48;

fn unfinished(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::other("is no name of a file"))?;
    let name: String = name.to_string_lossy().chars().take(SHOWN).collect();
    Ok(path.with_file_name(format!(".{name}.{}{UNFINISHED}", std::process::id())))
}

fn write(path: &Path, bytes: &[u8], mode: u32) -> io::Result<File> {
    // Nothing of a dead process with our number, and no link that somebody laid out where everybody may write.
    let _ = fs::remove_file(path);
    let mut file = new(path, mode)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(file)
}

fn new(path: &Path, mode: u32) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
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
        replace(&path, b"one", PRIVATE).unwrap();
        replace(&path, b"two", PRIVATE).unwrap();
        assert_eq!(create(&path, b"three").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!((fs::read(&path).unwrap().as_slice(), names(&directory)), (&b"two"[..], vec!["f".to_owned()]));
        assert!(replace(&directory.path().join("no/such"), b"", PRIVATE).is_err());
        assert!(replace(Path::new("/"), b"", PRIVATE).is_err());
    }

    #[test]
    fn what_lies_where_a_file_is_made_is_removed_and_not_followed() {
        let directory = TempDir::new().unwrap();
        let (path, other) = (directory.path().join("f"), directory.path().join("other"));
        fs::write(&other, "precious").unwrap();
        for put in [create, |path: &Path, bytes: &[u8]| replace(path, bytes, PRIVATE)] {
            std::os::unix::fs::symlink(&other, unfinished(&path).unwrap()).unwrap();
            put(&path, b"new").unwrap();
            assert!(fs::symlink_metadata(&path).unwrap().is_file());
            assert_eq!((fs::read(&path).unwrap(), fs::read(&other).unwrap()), (b"new".to_vec(), b"precious".to_vec()));
        }
    }

    #[test]
    fn what_is_written_bit_by_bit_is_private_and_replaces_only_what_it_is_to() {
        let directory = TempDir::new().unwrap();
        let (path, link) = (directory.path().join("f"), directory.path().join("l"));
        let mode = || fs::metadata(&path).unwrap().mode() & 0o777;
        assert!(require_new(&path).is_ok());
        begin(&path, false).unwrap().write_all(b"one").unwrap();
        assert_eq!(mode() & !PRIVATE, 0, "{:o}", mode());
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        let told = format!("{}: is there already; --force replaces it", path.display());
        for refused in [require_new(&path), begin(&path, false).map(drop)] {
            assert_eq!(refused.unwrap_err().to_string(), told);
        }
        assert_eq!(fs::read(&path).unwrap(), b"one");
        std::os::unix::fs::symlink("f", &link).unwrap();
        begin(&link, true).unwrap().write_all(b"two").unwrap();
        assert_eq!((fs::read(&path).unwrap().as_slice(), mode() & !PRIVATE), (&b"two"[..], 0));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(require_new(Path::new("/dev/null")).is_ok() && begin(Path::new("/dev/null"), true).is_ok());
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        assert!(begin(directory.path(), true).unwrap_err().to_string().ends_with("is a directory"));
    }

    #[test]
    fn what_is_no_file_is_written_to_and_a_link_stays_one() {
        let directory = TempDir::new().unwrap();
        let at = |name: &str| directory.path().join(name);
        let (link, chain, pipe) = (at("l"), at("d/c"), at("p"));
        fs::create_dir(at("d")).unwrap();
        std::os::unix::fs::symlink("d/f", &link).unwrap();
        std::os::unix::fs::symlink("../l", &chain).unwrap();
        // Of a link that leads nowhere nothing is made unasked.
        for refused in [require_new(&link), save(&link, b"", false).map(drop), begin(&chain, false).map(drop)] {
            assert!(refused.unwrap_err().to_string().ends_with("is there already; --force replaces it"));
        }
        for text in ["one", "two"] {
            assert!(save(&chain, text.as_bytes(), true).unwrap());
            assert_eq!(fs::read_to_string(at("d/f")).unwrap(), text);
        }
        fs::remove_file(at("d/f")).unwrap();
        begin(&link, true).unwrap().write_all(b"three").unwrap();
        assert_eq!(fs::read_to_string(at("d/f")).unwrap(), "three");
        assert!([&link, &chain].iter().all(|link| fs::symlink_metadata(link).unwrap().is_symlink()));
        std::os::unix::fs::symlink("round", at("round")).unwrap();
        assert!(save(&at("round"), b"", true).is_err() && fs::symlink_metadata(at("round")).unwrap().is_symlink());

        rustix::fs::mknodat(CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR, 0)
            .unwrap();
        for force in [false, true] {
            let reader = std::thread::spawn({
                let pipe = pipe.clone();
                move || fs::read(pipe).unwrap()
            });
            assert!(!save(&pipe, b"through", force).unwrap());
            assert_eq!(reader.join().unwrap(), b"through");
            assert!(!save(Path::new("/dev/null"), b"x", force).unwrap());
        }
        assert!(save(directory.path(), b"", true).unwrap_err().to_string().ends_with("is a directory"));
    }

    #[test]
    fn a_name_may_be_as_long_as_a_name_may_be() {
        let directory = TempDir::new().unwrap();
        for name in ["x".repeat(255), "\u{10000}".repeat(63)] {
            create(&directory.path().join(&name), b"").unwrap();
            replace(&directory.path().join(&name), b"", PRIVATE).unwrap();
        }
        assert_eq!(names(&directory).len(), 2);
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
