// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `/sys/kernel/debug/alloctag/control`, version 1.x: which call sites are chosen.
//!
//! ```text
//! control - version: 1.0
//! # rule sites contexts lost command
//! 1 12 45 0 file fs/ext4/* +c by=stack
//! ```
//!
//! The line that begins with `#` names the columns. Where debugfs cannot be used, `/proc/allocinfo` shows and takes the same by
//! ioctl. Kernel side: `src/surface/control.rs`.

mod listing;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::kmsg::{Kmsg, LOG};
use super::{debugfs, records};
use crate::error::{describe, Error, Result};
use crate::model::Timed;
use crate::rule::{Rules, LONGEST};

pub use listing::{parse, Listed, ListingError};

/// What stands in front of why the kernel refused a rule, in its log.
const PREFIX: &str = "alloctag: control: ";

/// The rules of the running kernel.
#[derive(Clone, Debug)]
pub struct Control {
    file: PathBuf,
    procfs: PathBuf,
}

/// Rules that hold as long as this is there: the kernel takes them back with the open file that they belong to.
#[derive(Debug)]
#[must_use]
pub struct Owned(#[expect(dead_code, reason = "it is to be open, and nothing else")] File);

impl Control {
    /// Those that debugfs shows, which is where the procfs at `procfs` says.
    pub fn of(procfs: &Path) -> Control {
        Control { file: debugfs::directory(procfs).join("control"), procfs: procfs.to_owned() }
    }

    /// All rules.
    ///
    /// # Errors
    ///
    /// Why they cannot be read, and what to do.
    pub fn list(&self) -> Result<Vec<Listed>> {
        let text = match fs::read(&self.file) {
            Ok(text) => text,
            Err(error) => match self.allocinfo().map(records::rules::show) {
                Some(Ok(Some(text))) => text,
                _ => return Err(self.explain(&error)),
            },
        };
        parse(&text).map_err(|error| Error::failed(self.file.display(), error))
    }

    /// Adds rules; returns them as they are listed.
    ///
    /// # Errors
    ///
    /// Why the kernel does not take them: none of them holds then.
    pub fn add(&self, rules: &Rules) -> Result<Vec<Listed>> {
        let before: Vec<u32> = self.list()?.iter().map(|rule| rule.number).collect();
        self.write(rules.text(), rules.doubt())?;
        // They hold by now. Who cannot learn their numbers could not take them back: once more, then.
        let listed = self.list().or_else(|_| self.list()).map_err(|error| {
            Error::Failed(format!("{error}; the rules hold all the same, and `alloctag watch --stop` takes back all"))
        })?;
        let new: Vec<Listed> = listed.into_iter().filter(|rule| !before.contains(&rule.number)).collect();
        // Somebody else may have added one meanwhile. A kernel that lists rules in other words lists them all the same.
        let (own, others): (Vec<_>, Vec<_>) = new.into_iter().partition(|rule| rules.has(&rule.command));
        Ok(if own.is_empty() { others } else { own })
    }

    /// Takes the rules of these numbers back, or all.
    ///
    /// # Errors
    ///
    /// Why the kernel does not: none of them is taken back then.
    pub fn take_back(&self, numbers: Option<&[u32]>) -> Result<()> {
        let Some(numbers) = numbers else { return self.write("=_", None) };
        let commands: Vec<String> = numbers.iter().map(|number| format!("-{number}")).collect();
        self.write(&commands.join("\n"), None)
    }

    /// Has the kernel forget what it has measured of that.
    ///
    /// # Errors
    ///
    /// Why it does not.
    pub fn reset(&self, timed: Timed) -> Result<()> {
        self.write(&format!("reset {}", timed.name()), None)
    }

    /// Has rules hold as long as what this returns is there.
    ///
    /// # Errors
    ///
    /// Why the kernel does not take them: none of them holds then.
    pub fn own(&self, rules: &Rules) -> Result<Owned> {
        let path = self.procfs.join("allocinfo");
        let file = File::open(&path).map_err(|error| Error::failed(path.display(), describe(&error)))?;
        let log = Kmsg::open(Path::new(LOG));
        match records::rules::own(&file, rules.text()) {
            Ok(true) => Ok(Owned(file)),
            Ok(false) => {
                Err(Error::failed(path.display(), "takes no rules here; that of a kernel with Alloctag's core does"))
            }
            Err(Errno::PERM) if rustix::process::geteuid().is_root() => {
                Err(Error::Failed("the kernel is locked down, and has nothing fail".to_owned()))
            }
            Err(Errno::PERM) => {
                Err(Error::Failed("to have something fail is for root only; run this as root".to_owned()))
            }
            Err(error) => Err(self.refusal(&error.into(), log, rules.doubt())),
        }
    }

    fn write(&self, text: &str, doubt: Option<&str>) -> Result<()> {
        let log = Kmsg::open(Path::new(LOG));
        // Without O_CREAT: what is missing must stay missing.
        let refused = match OpenOptions::new().write(true).open(&self.file) {
            // In one piece: what is written is one list.
            Ok(mut file) => match file.write(text.as_bytes()) {
                Ok(length) if length == text.len() => return Ok(()),
                Ok(_) => return Err(Error::failed(self.file.display(), "the kernel has read only a part")),
                Err(error) => error,
            },
            Err(error) => match self.allocinfo().map(|file| records::rules::obey(file, text)) {
                Some(Ok(true)) => return Ok(()),
                // Who may not say it here may not there either, and there it is known why.
                Some(Ok(false) | Err(Errno::PERM)) | None => return Err(self.explain(&error)),
                Some(Err(error)) => error.into(),
            },
        };
        Err(self.refusal(&refused, log, doubt))
    }

    /// What answers where debugfs does not.
    fn allocinfo(&self) -> Option<File> {
        File::open(self.procfs.join("allocinfo")).ok()
    }

    /// Why the kernel did not take what was written.
    fn refusal(&self, error: &io::Error, log: Option<Kmsg>, doubt: Option<&str>) -> Error {
        match Errno::from_io_error(error) {
            Some(Errno::INVAL | Errno::NOSPC | Errno::NOENT) => {
                let reason = log.and_then(reason).or_else(|| doubt.map(str::to_owned));
                Error::Failed(match reason {
                    Some(reason) => format!("the kernel refuses it: {reason}"),
                    None => "the kernel refuses it, and says why in its log (dmesg)".to_owned(),
                })
            }
            Some(Errno::TOOBIG) => Error::Failed(format!("the kernel takes {LONGEST} bytes at a time")),
            Some(Errno::NOMEM) => Error::Failed("the kernel has no memory for the table of contexts".to_owned()),
            _ => self.explain(error),
        }
    }

    fn explain(&self, error: &io::Error) -> Error {
        debugfs::explain(&self.file, error, &self.procfs)
    }
}

/// Why the last thing was refused that was asked for since the log was opened.
fn reason(mut log: Kmsg) -> Option<String> {
    let lines = log.logged().lines.into_iter().rev();
    lines.filter_map(|line| line.strip_prefix(PREFIX).map(str::to_owned)).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_hold_and_cannot_be_listed_are_told_of() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("control");
        fs::write(&file, "control - version: 1.0\n# rule sites contexts lost command\n").unwrap();
        let control = Control { file, procfs: directory.path().to_owned() };
        // A plain file holds what was written to it, which is no list.
        let error = control.add(&Rules::parse("func f +c by=stack").unwrap()).unwrap_err().to_string();
        assert!(error.contains("the rules hold all the same, and `alloctag watch --stop` takes back all"), "{error}");
    }

    #[test]
    fn a_reason_is_the_last_one_among_other_records() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("kmsg");
        for (records, expected) in [
            ("4,1,2,-;alloctag: control: by=stac: no such value\n", Some("by=stac: no such value")),
            ("6,1,2,-;usb: alloctag: control: x\n", None),
            ("6,1,2,-;alloctag: 4000 call sites\n", None),
        ] {
            fs::write(&log, "").unwrap();
            let kmsg = Kmsg::open(&log).unwrap();
            OpenOptions::new().append(true).open(&log).unwrap().write_all(records.as_bytes()).unwrap();
            assert_eq!(reason(kmsg).as_deref(), expected, "{records}");
        }
    }
}
