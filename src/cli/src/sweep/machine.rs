// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What trials are made on: the running kernel.

use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use super::growth::Growth;
use super::process::{self, Ending};
use super::settings::Settings;
use super::trial::Trial;
use crate::error::{describe, Error, Result};
use crate::fault;
use crate::interrupt::Interrupt;
use crate::model::{Names, Number, Profile, Site};
use crate::source::control::Control;
use crate::source::debugfs;
use crate::source::kmsg::{Kmsg, LOG};
use crate::source::records;

/// A run of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub ending: Ending,
    /// How often the call site of the trial was made to fail.
    pub faults: i64,
}

/// What trials are made on.
pub trait Machine {
    /// Runs the command once, with a trial's call site failing if there is one, and what cleans up after it. `None` if an
    /// interrupt came first.
    ///
    /// # Errors
    ///
    /// If it cannot be run, or the kernel does not take the rule.
    fn run(&mut self, trial: Option<&Trial>) -> Result<Option<Ran>>;

    /// What is held now.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn held(&mut self) -> Result<Profile>;

    /// What is held once all is quiet.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn quiet(&mut self) -> Result<Profile>;

    /// What was logged since this was asked for last.
    fn logged(&mut self) -> Vec<String>;
}

/// How often one waits for the kernel to become quiet.
const WAITS: u32 = 12;

/// So many looks in succession at which nothing has changed are quiet: what a work item frees that another one has queued takes
/// more than one.
const STILL: u32 = 2;

/// How long after each look: the longer, the more there were.
const WAIT: Duration = Duration::from_millis(10);

/// The longest one, by how often the first one is doubled.
const DOUBLINGS: u32 = 5;

/// The page cache, dentries and inodes are dropped, and nothing is said of it (`Documentation/admin-guide/sysctl/vm.rst`).
const DROP_ALL_SILENTLY: &str = "7";

/// Bytes: a size that glibc still learns from (`DEFAULT_MMAP_THRESHOLD_MAX`).
const LARGE: usize = 16 << 20;

/// Bytes: more than all readings take that are looked at together, and less than that.
const ROOM: usize = 8 << 20;

/// What is in front of what is tried, in the kernel's log.
const MARK: &str = "alloctag: sweep: ";

/// The running kernel.
pub struct Kernel {
    settings: Settings,
    procfs: PathBuf,
    names: Names,
    log: Option<Kmsg>,
    interrupt: Interrupt,
    /// What the command says of itself is shown the first time that it is run.
    has_run: bool,
}

impl Kernel {
    /// Makes trials on it.
    ///
    /// # Errors
    ///
    /// If it has no call site fail.
    pub fn new(settings: &Settings, procfs: &Path, interrupt: Interrupt) -> Result<Kernel> {
        let mut names = Names::new();
        fault::read(procfs, &mut names)?;
        fault::require_profiling(procfs)?;
        process::adopt()?;
        keep_memory();
        let (settings, procfs) = (settings.clone(), procfs.to_owned());
        Ok(Kernel { settings, procfs, names, log: Kmsg::open(Path::new(LOG)), interrupt, has_run: false })
    }

    fn timeout(&self) -> Duration {
        Duration::from_millis(self.settings.timeout_ms)
    }

    /// How often a call site was made to fail so far.
    fn faults(&mut self, site: &Site) -> Result<i64> {
        let profile = self.held()?;
        let row = profile.rows().iter().find(|row| row.site == *site);
        Ok(row.and_then(|row| row.numbers.get(Number::Injected)).unwrap_or(0))
    }

    /// Runs the command, marked.
    fn run_command(&mut self) -> Result<Option<Ending>> {
        let marked = fault::marked(&self.settings.command);
        let mut command = marked.map_err(|error| Error::failed("alloctag", describe(&error)))?;
        command.stdin(Stdio::null()).stdout(Stdio::null());
        if self.has_run {
            command.stderr(Stdio::null());
        }
        self.has_run = true;
        process::run(&mut command, self.timeout(), &self.interrupt)
    }

    /// Waits for what is freed after a grace period.
    fn settle(&self) -> Result<()> {
        let path = self.procfs.join("allocinfo");
        let settled = fs::File::open(&path).and_then(|file| Ok(records::settle(file)?));
        settled.map_err(|error| Error::failed(path.display(), describe(&error)))
    }

    fn clean_up(&mut self) -> Result<Option<Ending>> {
        let Some(cleanup) = &self.settings.cleanup else { return Ok(Some(Ending::Status(0))) };
        let mut command = Command::new("sh");
        command.args(["-c", cleanup]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        process::run(&mut command, self.timeout(), &self.interrupt)
    }
}

/// Takes the memory that this process is going to need, for the kernel counts that as well, and keeps it: once glibc has seen a
/// large piece come and go, it gives back none that is smaller.
fn keep_memory() {
    drop(black_box(vec![0u8; LARGE]));
    // Of a piece that is not all zeroes, each page is touched.
    drop(black_box(vec![u8::MAX; ROOM]));
}

/// Says in the kernel's log what is tried, for who reads there what the kernel said then. Not everybody may write there.
fn announce(trial: Option<&Trial>) {
    let text = trial.map_or_else(|| "nothing fails".to_owned(), Trial::to_string);
    if let Ok(mut log) = fs::OpenOptions::new().write(true).open(LOG) {
        // One write is one record; its priority is that of a notice.
        let _ = log.write_all(format!("<5>{MARK}{text}\n").as_bytes());
    }
}

impl Machine for Kernel {
    fn run(&mut self, trial: Option<&Trial>) -> Result<Option<Ran>> {
        announce(trial);
        // What warns once is to warn each time. Not every kernel has debugfs, or lets one.
        let _ = fs::write(debugfs::directory(&self.procfs).with_file_name("clear_warn_once"), "1");
        let ran = match trial {
            None => self.run_command()?.map(|ending| Ran { ending, faults: 0 }),
            Some(trial) => {
                let before = self.faults(&trial.site)?;
                let rules = trial.rules().map_err(|problem| Error::failed(trial, problem))?;
                let owned = Control::of(&self.procfs).own(&rules)?;
                let ending = self.run_command()?;
                drop(owned);
                let faults = self.faults(&trial.site)? - before;
                ending.map(|ending| Ran { ending, faults })
            }
        };
        Ok(match self.clean_up()? {
            // Nothing can be said of a kernel that is left so.
            Some(Ending::Stuck) => ran.map(|ran| Ran { ending: Ending::Stuck, ..ran }),
            Some(_) => ran,
            None => None,
        })
    }

    fn held(&mut self) -> Result<Profile> {
        fault::read(&self.procfs, &mut self.names)
    }

    fn quiet(&mut self) -> Result<Profile> {
        let mut last = self.held()?;
        let mut still = 0;
        for wait in 0..WAITS {
            rustix::fs::sync();
            // Who may not, in a container, finds more that grows.
            let _ = fs::write(self.procfs.join("sys/vm/drop_caches"), DROP_ALL_SILENTLY);
            self.settle()?;
            thread::sleep(WAIT * (1 << wait.min(DOUBLINGS)));
            let now = self.held()?;
            let is_same = Growth::between(&last, &now).is_empty() && Growth::between(&now, &last).is_empty();
            last = now;
            still = if is_same { still + 1 } else { 0 };
            if still == STILL {
                break;
            }
        }
        Ok(last)
    }

    fn logged(&mut self) -> Vec<String> {
        self.log.as_mut().map(|log| log.logged().lines).unwrap_or_default()
    }
}
