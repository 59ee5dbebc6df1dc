// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Adds snapshots to a recording, and removes the oldest.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{flock, FlockOperation};
use rustix::io::Errno;

use super::directory::{entries, Entry, NUMBER_WIDTH};
use crate::error::{describe, Error, Result};
use crate::render::time;
use crate::snapshot::EXTENSION;
use crate::storage;

/// What to keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// At most so many bytes.
    pub size: Option<u64>,
    /// Nothing that was written longer ago.
    pub age: Option<Duration>,
    /// At most so many snapshots.
    pub count: Option<usize>,
}

/// A recording open for adding to. One process at a time has it: the directory is locked.
#[derive(Debug)]
pub struct Ring {
    directory: PathBuf,
    retention: Retention,
    next: u64,
    /// How many files of dead recorders were removed on opening.
    pub swept: usize,
    /// Holds the lock until it is dropped, be it by the kernel after `kill -9`.
    _lock: File,
}

impl Ring {
    /// Opens the recording in `directory`, which is made if it is missing.
    ///
    /// # Errors
    ///
    /// If the directory cannot be used, or somebody else records there.
    pub fn open(directory: &Path, retention: Retention) -> Result<Ring> {
        let failed = |error: io::Error| Error::failed(directory.display(), describe(&error));
        fs::create_dir_all(directory).map_err(failed)?;
        let lock = File::open(directory).map_err(failed)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive).map_err(|error| match error {
            Errno::WOULDBLOCK => {
                Error::failed(directory.display(), "another alloctag records here; name another place")
            }
            error => failed(error.into()),
        })?;
        let swept = storage::sweep(directory).map_err(failed)?;
        let next = entries(directory).map_err(failed)?.last().map_or(1, |last| last.number.saturating_add(1));
        Ok(Ring { directory: directory.to_owned(), retention, next, swept, _lock: lock })
    }

    /// Adds a snapshot that was taken at `time_ms` (milliseconds since 1970) and removes what is not to be kept.
    ///
    /// # Errors
    ///
    /// If the snapshot cannot be written; the recording is what it was then.
    pub fn add(&mut self, snapshot: &[u8], time_ms: u64) -> Result<PathBuf> {
        let width = NUMBER_WIDTH;
        let path = self.directory.join(format!("{:0width$}-{}.{EXTENSION}", self.next, time::compact(time_ms)));
        storage::create(&path, snapshot).map_err(|error| Error::failed(path.display(), describe(&error)))?;
        self.next += 1;
        self.prune().map_err(|error| Error::failed(self.directory.display(), describe(&error)))?;
        Ok(path)
    }

    fn prune(&self) -> io::Result<()> {
        let entries = entries(&self.directory)?;
        let now = SystemTime::now();
        let age = |entry: &Entry| {
            let written = fs::metadata(&entry.path).and_then(|metadata| metadata.modified()).unwrap_or(now);
            now.duration_since(written).unwrap_or_default()
        };
        for entry in &entries[..superfluous(&entries, &self.retention, age)] {
            fs::remove_file(&entry.path)?;
        }
        Ok(())
    }
}

/// How many of the oldest are not to be kept. The newest always is.
fn superfluous(entries: &[Entry], retention: &Retention, age: impl Fn(&Entry) -> Duration) -> usize {
    let Some((_, older)) = entries.split_last() else { return 0 };
    let mut size: u64 = entries.iter().map(|entry| entry.size).sum();
    let mut count = entries.len();
    for (index, entry) in older.iter().enumerate() {
        let keep = retention.size.is_none_or(|limit| size <= limit)
            && retention.count.is_none_or(|limit| count <= limit)
            && retention.age.is_none_or(|limit| age(entry) <= limit);
        if keep {
            return index;
        }
        (size, count) = (size - entry.size, count - 1);
    }
    older.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go_first_and_the_newest_stays() {
        let entries: Vec<Entry> = (1..=5).map(|number| Entry { number, path: "".into(), size: 10 }).collect();
        // The first is 50 s old, the last 10.
        let age = |entry: &Entry| Duration::from_secs(60 - 10 * entry.number);
        let seconds = |s| Some(Duration::from_secs(s));
        for (size, old, count, expected) in [
            (None, None, None, 0),
            (Some(50), None, None, 0),
            (Some(49), None, None, 1),
            (Some(20), None, None, 3),
            (Some(0), None, None, 4),
            (None, seconds(50), None, 0),
            (None, seconds(35), None, 2),
            (None, seconds(0), None, 4),
            (None, None, Some(2), 3),
            (None, None, Some(0), 4),
            (Some(40), seconds(35), Some(5), 2),
        ] {
            let retention = Retention { size, age: old, count };
            assert_eq!(superfluous(&entries, &retention, age), expected, "{retention:?}");
        }
        assert_eq!(superfluous(&[], &Retention::default(), age), 0);
    }
}
