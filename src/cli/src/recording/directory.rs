// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is in a recording.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::order;
use crate::error::{describe, Error, Result};
use crate::snapshot::EXTENSION;
use crate::source::base::LEFT_BEHIND;
use crate::time::compact;

/// A snapshot of a recording, by what its name and its inode say.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its number.
    pub number: u64,
    /// Its file.
    pub path: PathBuf,
    /// Bytes it takes.
    pub size: u64,
    /// The number of the snapshot that it rests on, if it does.
    pub base: Option<u64>,
    /// Whether it is only there for others, which rest on it.
    pub left_behind: bool,
}

/// The snapshots of the recording in `directory` by their numbers, with those that are only there for others. Other files are
/// passed over.
///
/// # Errors
///
/// If the directory cannot be read.
pub fn entries(directory: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let left_behind = name.ends_with(LEFT_BEHIND);
        let Some(number) = number(name.strip_suffix(LEFT_BEHIND).unwrap_or(name)) else { continue };
        match entry.metadata() {
            Ok(metadata) => {
                let (path, size, base) = (entry.path(), metadata.len(), base(name));
                entries.push(Entry { number, path, size, base, left_behind });
            }
            // The recorder has removed it meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    entries.sort_unstable();
    Ok(entries)
}

/// The snapshots of the recording in `directory`, in their order: by their numbers, or by their times if one has no number.
///
/// # Errors
///
/// If the directory cannot be read or is no recording.
pub fn snapshots(directory: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error: io::Error| Error::failed(directory.display(), describe(&error));
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let Some(name) = name.to_str().filter(|name| is_snapshot(name)) else { continue };
        files.push((number(name), directory.join(name)));
    }
    if files.is_empty() {
        return Err(Error::failed(
            directory.display(),
            "holds no snapshots; `alloctag record` and `alloctag snap` make them",
        ));
    }
    files.sort_unstable();
    let numbered = files.iter().all(|(number, _)| number.is_some());
    let mut files: Vec<PathBuf> = files.into_iter().map(|(_, path)| path).collect();
    if !numbered {
        order::sort(&mut files);
    }
    Ok(files)
}

/// The files of which the recording in `directory` is made: its snapshots, and what is only there because some rest on it.
///
/// # Errors
///
/// As [`snapshots`].
pub fn parts(directory: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error: io::Error| Error::failed(directory.display(), describe(&error));
    let mut files = snapshots(directory)?;
    let entries = entries(directory).map_err(failed)?;
    files.extend(entries.into_iter().filter(|entry| entry.left_behind).map(|entry| entry.path));
    Ok(files)
}

/// Whether a file of that name is a snapshot. Hidden ones are nobody's business.
fn is_snapshot(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(stem, extension)| extension == EXTENSION && !stem.is_empty() && !stem.starts_with('.'))
}

/// The number in the name of a snapshot; `None` for any other name.
pub fn number(name: &str) -> Option<u64> {
    let (stem, extension) = name.rsplit_once('.')?;
    let (number, _) = stem.split_once('-')?;
    let digits = number.len() >= NUMBER_WIDTH && number.bytes().all(|byte| byte.is_ascii_digit());
    (extension == EXTENSION && digits).then(|| number.parse().ok())?
}

/// The name of a snapshot that was taken at `time_ms`, and may rest on another one.
pub(super) fn name(number: u64, time_ms: u64, base: Option<u64>) -> String {
    let width = NUMBER_WIDTH;
    let rest = base.map(|base| format!("{ON}{base:0width$}")).unwrap_or_default();
    format!("{number:0width$}-{}{rest}.{EXTENSION}", compact(time_ms))
}

/// The number of the snapshot that the one of this name rests on.
fn base(name: &str) -> Option<u64> {
    let (stem, _) = name.rsplit_once('.')?;
    stem.rsplit_once(ON)?.1.parse().ok()
}

/// Stands in names between a snapshot's time and the number of the one that it rests on.
const ON: char = '+';

/// Digits of the number: enough for three years of a snapshot a second, and more are no harm.
pub(super) const NUMBER_WIDTH: usize = 8;

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
            ("00000042-20261121T070100Z+00000041.alloctag", Some(42)),
            ("00000042.alloctag", None),
            ("00000042-x.txt", None),
            ("0000004x-x.alloctag", None),
            ("99999999999999999999999-x.alloctag", None),
        ] {
            assert_eq!(number(name), expected, "{name}");
        }
    }
}
