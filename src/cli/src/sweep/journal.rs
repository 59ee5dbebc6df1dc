// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a sweep has done so far, in a file: an entry a line, as JSON, each of which is on the disk before the next thing is done.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use rustix::fs::{flock, FlockOperation};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::found::Found;
use super::settings::Settings;
use super::trial::Trial;
use crate::error::{describe, Error, Result};
use crate::model::Site;

/// The file's name in the directory of a sweep.
pub const FILE: &str = "journal.jsonl";

/// The version of what is in it.
const VERSION: u32 = 1;

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Entry {
    /// What is to be done; the first one.
    Sweep {
        version: u32,
        #[serde(flatten)]
        settings: Settings,
    },
    /// Somebody goes on, on a kernel that was booted then.
    Boot(String),
    /// The call sites that are to be tried.
    Plan(Vec<Site>),
    /// A trial begins.
    Begin(Trial),
    /// What came of a trial.
    End { trial: Trial, found: Found },
    /// It was stopped on its way, and nothing is known of it.
    Abandoned,
    /// What a kernel's console said when it went down, by who looked after it.
    Console(Vec<String>),
    /// All is done.
    Done,
}

/// What was done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// The call sites that are to be tried, once that is known.
    pub plan: Option<Vec<Site>>,
    /// What came of trials, in their order.
    pub ended: Vec<(Trial, Found)>,
    /// Whether all is done.
    pub done: bool,
    settings: Option<Settings>,
    boot: Option<String>,
    begun: Option<Trial>,
    /// Whether the last trial has left the kernel that was booted last in a bad state.
    is_spent: bool,
    console: Vec<String>,
}

impl Past {
    /// What was to be done; nothing, if not even that came to be written.
    pub fn settings(&self) -> Option<&Settings> {
        self.settings.as_ref()
    }

    /// What came of a trial that was made.
    pub fn of(&self, trial: &Trial) -> Option<&Found> {
        self.ended.iter().find(|(ended, _)| ended == trial).map(|(_, found)| found)
    }

    fn add(&mut self, entry: Entry) {
        match entry {
            Entry::Sweep { settings, .. } => self.settings = Some(settings),
            Entry::Boot(boot) => {
                self.is_spent &= self.boot.as_ref() == Some(&boot);
                self.boot = Some(boot);
            }
            Entry::Plan(plan) => self.plan = Some(plan),
            Entry::Begin(trial) => self.begun = Some(trial),
            Entry::End { trial, found } => {
                self.is_spent |= found.has_spent_the_kernel();
                // The last one of each counts: something may have come to light later.
                match self.ended.iter_mut().find(|(ended, _)| *ended == trial) {
                    Some((_, earlier)) => *earlier = found,
                    None => self.ended.push((trial, found)),
                }
                self.begun = None;
                self.console.clear();
            }
            Entry::Abandoned => self.begun = None,
            Entry::Console(lines) => self.console.extend(lines),
            Entry::Done => self.done = true,
        }
    }
}

/// The journal of a sweep that goes on.
#[derive(Debug)]
pub struct Journal {
    /// Where it is kept; nowhere, if nobody wants it.
    file: Option<File>,
    /// Whether it is told on standard output, too.
    relays: bool,
    past: Past,
}

impl Journal {
    /// Begins or goes on, on a kernel that was booted as `boot` says. What was being tried when another kernel went down has
    /// brought it down.
    ///
    /// # Errors
    ///
    /// If the directory cannot be used, holds another sweep, or this kernel was spent by the last trial.
    pub fn open(directory: Option<&Path>, settings: &Settings, boot: &str, relays: bool) -> Result<Journal> {
        let mut journal = Journal { file: None, relays, past: Past::default() };
        if let Some(directory) = directory {
            journal.file = Some(journal.take(directory)?);
            let name = directory.display();
            if journal.past.settings.as_ref().is_some_and(|past| past != settings) {
                let problem = "holds another sweep; give the same COMMAND and options, or another directory";
                return Err(Error::failed(name, problem));
            }
            let is_same_boot = journal.past.boot.as_deref() == Some(boot);
            if is_same_boot && !journal.past.done && journal.past.is_spent {
                let problem = "the last trial has left this kernel in a bad state; boot it anew, and run this again";
                return Err(Error::failed(name, problem));
            }
        }
        if journal.past.settings.is_none() {
            journal.add(Entry::Sweep { version: VERSION, settings: settings.clone() })?;
        }
        if journal.past.boot.as_deref() == Some(boot) {
            // The tool went down, and not the kernel.
            journal.abandon()?;
        } else if let Some(trial) = journal.past.begun.clone() {
            let found = Found::went_down(&journal.past.console);
            journal.add(Entry::End { trial, found })?;
        }
        if !journal.past.done {
            journal.add(Entry::Boot(boot.to_owned()))?;
        }
        Ok(journal)
    }

    /// What was done so far.
    pub fn past(&self) -> &Past {
        &self.past
    }

    /// Writes down which call sites are to be tried.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn plan(&mut self, sites: Vec<Site>) -> Result<()> {
        self.add(Entry::Plan(sites))
    }

    /// Writes down that a trial begins.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn begin(&mut self, trial: Trial) -> Result<()> {
        self.add(Entry::Begin(trial))
    }

    /// Writes down what came of a trial.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn end(&mut self, trial: Trial, found: Found) -> Result<()> {
        self.add(Entry::End { trial, found })
    }

    /// Writes down what came of an earlier trial, of which more has come to light. What goes on goes on.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn end_again(&mut self, trial: Trial, found: Found) -> Result<()> {
        let begun = self.past.begun.clone();
        self.add(Entry::End { trial, found })?;
        match begun {
            Some(begun) => self.add(Entry::Begin(begun)),
            None => Ok(()),
        }
    }

    /// Writes down that a trial that has begun was not made, if there is one.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn abandon(&mut self) -> Result<()> {
        if self.past.begun.is_some() {
            self.add(Entry::Abandoned)?;
        }
        Ok(())
    }

    /// Writes down that all is done.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn done(&mut self) -> Result<()> {
        self.add(Entry::Done)
    }

    /// Takes a directory's file, makes it where there is none, and reads what is in it.
    fn take(&mut self, directory: &Path) -> Result<File> {
        let path = directory.join(FILE);
        let failed = |error: io::Error| Error::failed(path.display(), describe(&error));
        fs::create_dir_all(directory).map_err(|error| Error::failed(directory.display(), describe(&error)))?;
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => {
                return Err(Error::failed(directory.display(), "is being swept into by another alloctag"))
            }
            locked => locked.map_err(|error| failed(error.into()))?,
        }
        // Its name is to be there after a crash, too.
        File::open(directory).and_then(|directory| directory.sync_all()).map_err(failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let (past, whole) = parse(&bytes).map_err(|problem| Error::failed(path.display(), problem))?;
        // What was being written when the kernel went down was not done.
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
        self.past = past;
        Ok(file)
    }

    fn add(&mut self, entry: Entry) -> Result<()> {
        let failed = |error: io::Error| Error::failed(FILE, describe(&error));
        let mut line = serde_json::to_vec(&entry).map_err(|error| Error::failed(FILE, error))?;
        line.push(b'\n');
        if let Some(file) = &mut self.file {
            file.write_all(&line).and_then(|()| file.sync_data()).map_err(failed)?;
        }
        if self.relays {
            let mut out = io::stdout();
            out.write_all(&line).and_then(|()| out.flush())?;
        }
        self.past.add(entry);
        Ok(())
    }
}

impl Drop for Journal {
    /// A child that is just being started has the file as well, until it is another program; nobody is to wait for that.
    fn drop(&mut self) {
        let _ = self.file.as_ref().map(|file| flock(file, FlockOperation::Unlock));
    }
}

/// What was done so far, of a directory that nobody may be writing to.
///
/// # Errors
///
/// If it cannot be read.
pub fn read(directory: &Path) -> Result<Past> {
    let path = directory.join(FILE);
    let bytes = fs::read(&path).map_err(|error| Error::failed(path.display(), describe(&error)))?;
    parse(&bytes).map(|(past, _)| past).map_err(|problem| Error::failed(path.display(), problem))
}

/// Reads entries, and how many bytes of them are whole lines.
fn parse(bytes: &[u8]) -> std::result::Result<(Past, usize), String> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let mut past = Past::default();
    for (at, line) in bytes[..whole].split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        let entry: Entry = serde_json::from_slice(line).map_err(|_| match at {
            0 => "is no journal of a sweep".to_owned(),
            _ => format!("line {} is no entry of a sweep", at + 1),
        })?;
        match (at, &entry) {
            (0, Entry::Sweep { version: VERSION, .. }) => {}
            (0, Entry::Sweep { version, .. }) => {
                return Err(format!("is of version {version}, which this alloctag does not know; update it"))
            }
            (0, _) => return Err("is no journal of a sweep".to_owned()),
            _ => {}
        }
        past.add(entry);
    }
    Ok((past, whole))
}

#[cfg(test)]
#[path = "journal/tests.rs"]
mod tests;
