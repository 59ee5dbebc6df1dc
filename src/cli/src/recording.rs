// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A recording: a directory of snapshots, each a file of its own, whose names sort by their order.
//!
//! ```text
//! 00000041-20261121T070000Z.alloctag
//! 00000042-20261121T070100Z.alloctag
//! ```
//!
//! A snapshot is there whole or not at all ([`crate::storage`]), so that a recorder may die at any moment. The number
//! in front keeps the order when somebody sets the clock.

mod order;
mod ring;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{describe, Error, Result};
use crate::snapshot::EXTENSION;

pub use ring::{Retention, Ring};

/// A snapshot of a recording, by what its name and its inode say.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its number.
    pub number: u64,
    /// Its file.
    pub path: PathBuf,
    /// Bytes it takes.
    pub size: u64,
}

/// The snapshots of the recording in `directory`, in their order. Other files are passed over.
///
/// # Errors
///
/// If the directory cannot be read.
pub fn entries(directory: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let Some(number) = entry.file_name().to_str().and_then(number) else { continue };
        match entry.metadata() {
            Ok(metadata) => entries.push(Entry { number, path: entry.path(), size: metadata.len() }),
            // The recorder has removed it meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    entries.sort_unstable();
    Ok(entries)
}

/// The files that `paths` mean: snapshots of directories, and other files themselves.
///
/// # Errors
///
/// If a directory cannot be read or is no recording.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = entries(path).map_err(|error| Error::failed(path.display(), describe(&error)))?;
        if entries.is_empty() {
            return Err(Error::failed(path.display(), "holds no snapshots; `alloctag record` makes them"));
        }
        files.extend(entries.into_iter().map(|entry| entry.path));
    }
    Ok(files)
}

/// What [`files`] gives, in the order of time: the files that `paths` name are put in it, directories have theirs. With it comes
/// how many files were out of order.
///
/// # Errors
///
/// As [`files`].
pub fn by_time(paths: &[PathBuf]) -> Result<(Vec<PathBuf>, usize)> {
    let mut files = files(paths)?;
    // Numbers keep a recording in order, be it on its own.
    let moved = if paths.len() > 1 { order::sort(&mut files) } else { 0 };
    Ok((files, moved))
}

/// The number in the name of a snapshot; `None` for any other name.
pub fn number(name: &str) -> Option<u64> {
    let (stem, extension) = name.rsplit_once('.')?;
    let (number, _) = stem.split_once('-')?;
    let digits = number.len() >= NUMBER_WIDTH && number.bytes().all(|byte| byte.is_ascii_digit());
    (extension == EXTENSION && digits).then(|| number.parse().ok())?
}

/// Digits of the number: enough for three years of a snapshot a second, and more are no harm.
const NUMBER_WIDTH: usize = 8;

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn only_snapshots_have_numbers() {
        for (name, expected) in [
            ("00000042-20261121T070100Z.alloctag", Some(42)),
            ("123456789-x.alloctag", Some(123_456_789)),
            (".00000042-x.alloctag.7.alloctag-tmp", None),
            ("42-x.alloctag", None),
            ("00000042.alloctag", None),
            ("00000042-x.txt", None),
            ("0000004x-x.alloctag", None),
            ("99999999999999999999999-x.alloctag", None),
        ] {
            assert_eq!(number(name), expected, "{name}");
        }
    }
}
