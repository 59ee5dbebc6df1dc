// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Adds snapshots to a recording, and removes the oldest.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{flock, FlockOperation};
use rustix::io::Errno;

use super::directory::{entries, name, Entry};
use crate::error::{describe, Error, Result};
use crate::model::Profile;
use crate::snapshot::{self, Base};
use crate::source::base::left_behind;
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
    /// What the next snapshots may rest on. A recording that is continued begins with one that stands alone.
    ground: Option<Ground>,
    /// How many files of dead recorders were removed on opening.
    pub swept: usize,
    /// Holds the lock until it is dropped, be it by the kernel after `kill -9`.
    lock: File,
}

impl Drop for Ring {
    /// A child that is just being started has the file as well, until it is another program; nobody is to wait for that.
    fn drop(&mut self) {
        let _ = flock(&self.lock, FlockOperation::Unlock);
    }
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
        let ring = Ring { directory: directory.to_owned(), retention, next, ground: None, swept, lock };
        // What is not to be kept may take the room that the first one needs.
        ring.prune(&ring.retention).map_err(failed)?;
        Ok(ring)
    }

    /// Adds a snapshot of `profile` and removes what is not to be kept. Where there is no room for it, the oldest make some.
    ///
    /// # Errors
    ///
    /// If the snapshot cannot be written; the recording is what it was then, but for what has made room.
    pub fn add(&mut self, profile: &Profile) -> Result<PathBuf> {
        let time_ms = profile.meta.time_ms.unwrap_or_default();
        let differences = self.ground.as_ref().and_then(|ground| ground.differences(profile, &self.directory));
        let base = self.ground.as_ref().filter(|_| differences.is_some()).map(|ground| ground.number);
        let name = name(self.next, time_ms, base);
        let path = self.directory.join(&name);
        let whole = differences.is_none();
        let bytes = differences.unwrap_or_else(|| snapshot::encode(profile));
        let created = match storage::create(&path, &bytes) {
            Err(error) if is_full(&error) && self.make_room(bytes.len()).unwrap_or(false) => {
                storage::create(&path, &bytes)
            }
            created => created,
        };
        created.map_err(|error| Error::failed(path.display(), describe(&error)))?;
        match &mut self.ground {
            Some(ground) if !whole => ground.carried += 1,
            ground => *ground = Some(Ground::new(self.next, name, &bytes, profile)),
        }
        self.next += 1;
        self.prune(&self.retention).map_err(|error| Error::failed(self.directory.display(), describe(&error)))?;
        Ok(path)
    }

    /// Removes as many of the oldest as take so many bytes, but not the newest. Whether any was removed.
    fn make_room(&self, bytes: usize) -> io::Result<bool> {
        let taken = || Ok::<u64, io::Error>(entries(&self.directory)?.iter().map(|entry| entry.size).sum());
        let before = taken()?;
        let size = before.saturating_sub(u64::try_from(bytes).unwrap_or(u64::MAX));
        self.prune(&Retention { size: Some(size), ..Retention::default() })?;
        Ok(taken()? < before)
    }

    fn prune(&self, retention: &Retention) -> io::Result<()> {
        let (behind, entries): (Vec<Entry>, Vec<Entry>) =
            entries(&self.directory)?.into_iter().partition(|entry| entry.left_behind);
        let now = SystemTime::now();
        let age = |entry: &Entry| {
            let written = fs::metadata(&entry.path).and_then(|metadata| metadata.modified()).unwrap_or(now);
            now.duration_since(written).unwrap_or_default()
        };
        let (old, kept) = entries.split_at(superfluous(&entries, &behind, retention, age));
        let needed: HashSet<u64> = kept.iter().filter_map(|entry| entry.base).collect();
        for entry in old {
            if needed.contains(&entry.number) {
                gone(fs::rename(&entry.path, left_behind(&entry.path)))?;
            } else {
                gone(fs::remove_file(&entry.path))?;
            }
        }
        for entry in behind.iter().filter(|entry| !needed.contains(&entry.number)) {
            gone(fs::remove_file(&entry.path))?;
        }
        Ok(())
    }
}

/// Whether there is no room for a file.
fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// What somebody else has removed meanwhile has gone as well.
fn gone(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// The last snapshot that stands alone: the next ones rest on it.
#[derive(Debug)]
struct Ground {
    number: u64,
    /// Bytes that it takes.
    size: usize,
    /// How many rest on it.
    carried: u32,
    base: Base,
}

/// So many snapshots rest on one, at most: if it is lost, they are.
const CARRIED: u32 = 120;

/// One that saves less than this part of what it would take alone had better stand alone.
const SAVING: usize = 2;

impl Ground {
    fn new(number: u64, name: String, bytes: &[u8], profile: &Profile) -> Ground {
        let base = Base { name, checksum: snapshot::checksum(bytes), rows: profile.rows().to_vec() };
        Ground { number, size: bytes.len(), carried: 0, base }
    }

    /// A snapshot that rests on it, if that is worth while.
    fn differences(&self, profile: &Profile, directory: &Path) -> Option<Vec<u8>> {
        let path = directory.join(&self.base.name);
        // Nothing may rest on what somebody has removed.
        let is_there = path.exists() || left_behind(&path).exists();
        let bytes = (is_there && self.carried < CARRIED).then(|| snapshot::encode_on(profile, &self.base))?;
        (bytes.len() <= self.size / SAVING).then_some(bytes)
    }
}

/// How many of the oldest are not to be kept. The newest always is. What others rest on stays with them, be it `behind` already, and
/// takes room.
fn superfluous(entries: &[Entry], behind: &[Entry], retention: &Retention, age: impl Fn(&Entry) -> Duration) -> usize {
    let sizes: HashMap<u64, u64> = entries.iter().chain(behind).map(|entry| (entry.number, entry.size)).collect();
    // Bytes that are taken if the first to be kept is this one.
    let mut taken = vec![0; entries.len()];
    let (mut sum, mut counted) = (0u64, HashSet::new());
    for (place, entry) in entries.iter().enumerate().rev() {
        for number in [Some(entry.number), entry.base].into_iter().flatten() {
            if counted.insert(number) {
                sum = sum.saturating_add(sizes.get(&number).copied().unwrap_or_default());
            }
        }
        taken[place] = sum;
    }
    let keeps = |(place, entry): (usize, &Entry)| {
        retention.size.is_none_or(|limit| taken[place] <= limit)
            && retention.count.is_none_or(|limit| entries.len() - place <= limit)
            && retention.age.is_none_or(|limit| age(entry) <= limit)
    };
    let older = entries.len().saturating_sub(1);
    entries.iter().enumerate().take(older).position(|(place, entry)| keeps((place, entry))).unwrap_or(older)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: u64, size: u64, base: Option<u64>) -> Entry {
        Entry { number, path: "".into(), size, base, left_behind: false }
    }

    #[test]
    fn what_somebody_else_has_removed_is_no_trouble() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("missing");
        assert!(gone(fs::remove_file(&missing)).is_ok() && gone(fs::rename(&missing, left_behind(&missing))).is_ok());
        assert!(gone(fs::remove_file(directory.path())).is_err());
    }

    #[test]
    fn what_is_not_to_be_kept_goes_when_a_recording_is_opened_and_the_oldest_when_there_is_no_room() {
        let directory = tempfile::tempdir().unwrap();
        let numbers = || entries(directory.path()).unwrap().iter().map(|entry| entry.number).collect::<Vec<_>>();
        for number in 1..=6 {
            fs::write(directory.path().join(name(number, 0, None)), [0; 100]).unwrap();
        }
        let retention = Retention { count: Some(5), ..Retention::default() };
        let ring = Ring::open(directory.path(), retention).unwrap();
        assert_eq!(numbers(), [2, 3, 4, 5, 6]);
        for (bytes, made, left) in
            [(1, true, &[3, 4, 5, 6][..]), (101, true, &[5, 6]), (500, true, &[6]), (1, false, &[6])]
        {
            assert_eq!(ring.make_room(bytes).unwrap(), made);
            assert_eq!(numbers(), left);
        }
        assert!(is_full(&io::Error::from_raw_os_error(28)) && !is_full(&io::Error::from_raw_os_error(2)));
    }

    #[test]
    fn the_oldest_go_first_and_the_newest_stays() {
        let entries: Vec<Entry> = (1..=5).map(|number| entry(number, 10, None)).collect();
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
            assert_eq!(superfluous(&entries, &[], &retention, age), expected, "{retention:?}");
        }
        assert_eq!(superfluous(&[], &[], &Retention::default(), age), 0);
    }

    #[test]
    fn what_others_rest_on_takes_room_until_the_last_of_them_has_gone() {
        // Two grounds of 100 bytes, each with three of 10 that rest on it.
        let entries: Vec<Entry> = (1..=8)
            .map(|number| match number {
                1 | 5 => entry(number, 100, None),
                2..=4 => entry(number, 10, Some(1)),
                _ => entry(number, 10, Some(5)),
            })
            .collect();
        for (from, size, expected) in [
            (0, 260, 0),
            // The first is left behind and takes what it took: that saves nothing, and so the next ones have to go.
            (0, 259, 2),
            (0, 249, 3),
            (0, 239, 4),
            (0, 130, 4),
            (0, 129, 6),
            (0, 1, 7),
            // It is behind already.
            (1, 260, 0),
            (1, 259, 1),
            (2, 249, 1),
            (3, 239, 1),
        ] {
            let (behind, kept) = entries.split_at(from);
            let retention = Retention { size: Some(size), age: None, count: None };
            let found = superfluous(kept, &behind[..from.min(1)], &retention, |_| Duration::ZERO);
            assert_eq!(found, expected, "{size} bytes from {from}");
        }
    }
}
