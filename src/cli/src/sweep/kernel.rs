// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The running kernel, as what trials are made on.

use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use super::growth::Growth;
use super::machine::{Machine, Run};
use super::process::{Ending, Processes};
use super::said::LOST;
use super::settings::Settings;
use super::settler::Settler;
use super::trial::Trial;
use crate::error::{describe, Error, Result};
use crate::fault;
use crate::interrupt::Interrupt;
use crate::model::{Names, Profile};
use crate::rule::Rules;
use crate::source::control::{Control, Owned};
use crate::source::debugfs;
use crate::source::kmsg::{Kmsg, LOG};

/// How often one waits for the kernel to become quiet.
const WAITS: u32 = 12;

/// So many looks in succession at which nothing has changed are quiet: what a work item frees that another one has queued takes
/// more than one.
const STILL: u32 = 2;

/// How long after each look: the longer, the more there were.
const WAIT: Duration = Duration::from_millis(10);

/// The longest one, by how often the first one is doubled.
const DOUBLINGS: u32 = 5;

/// How long one waits with a later look.
const LATER: Duration = Duration::from_secs(2);

/// How long the kernel may take, at least, to write and to free what it can. Where that takes longer, something waits for a lock
/// that nobody lets go of.
const PATIENCE: Duration = Duration::from_secs(120);

/// A rule that is about no call site, and asks whether others would be taken. As long as somebody owns one, modules that go leave
/// behind what they have counted.
const PROBE: &str = "func alloctag_probe +f task-filter=Y times=1";

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
    log: Kmsg,
    /// What was read of that already.
    lines: Vec<String>,
    processes: Processes,
    settler: Settler,
    interrupt: Interrupt,
    /// What the command says of itself is shown the first time that it is run.
    has_run: bool,
}

impl Kernel {
    /// Makes trials on it.
    ///
    /// # Errors
    ///
    /// If it has no call site fail, not for this process, or does not say what is wrong with it.
    pub fn new(settings: &Settings, procfs: &Path, interrupt: Interrupt) -> Result<Kernel> {
        let mut names = Names::new();
        fault::read(procfs, &mut names)?;
        fault::require_profiling(procfs)?;
        fault::require_marking(procfs)?;
        let probe = Rules::parse(PROBE).map_err(|problem| Error::failed(PROBE, problem))?;
        drop(Control::of(procfs).own(&probe)?);
        let log = Kmsg::open(Path::new(LOG)).ok_or_else(|| {
            Error::failed(LOG, "cannot be read, and so nobody would see what the kernel says; run this with CAP_SYSLOG")
        })?;
        let mut processes = Processes::adopt()?;
        let settler = Settler::start(procfs)?;
        processes.spare(settler.child());
        keep_memory();
        let (settings, procfs) = (settings.clone(), procfs.to_owned());
        Ok(Kernel { settings, procfs, names, log, lines: Vec::new(), processes, settler, interrupt, has_run: false })
    }

    fn timeout(&self) -> Duration {
        Duration::from_millis(self.settings.timeout_ms)
    }

    /// Has the call site of a trial fail, as long as what this returns is there, if there is one; or why the kernel does not.
    fn arm(&self, trial: Option<&Trial>) -> std::result::Result<Owned, String> {
        let rules = trial.map_or_else(|| Rules::parse(PROBE), Trial::rules)?;
        Control::of(&self.procfs).own(&rules).map_err(|error| error.to_string())
    }

    /// Runs the command, marked.
    fn run_command(&mut self) -> Result<Option<Ending>> {
        let marked = fault::marked(&self.procfs, &self.settings.command);
        let mut command = marked.map_err(|error| Error::failed("alloctag", describe(&error)))?;
        command.stdin(Stdio::null()).stdout(Stdio::null());
        if self.has_run {
            command.stderr(Stdio::null());
        }
        self.has_run = true;
        let timeout = self.timeout();
        let (log, lines) = (&mut self.log, &mut self.lines);
        self.processes.run(&mut command, timeout, Some(&self.interrupt), &mut || read_log(log, lines))
    }
}

/// Reads what was logged. Often, for the kernel's log overwrites itself.
fn read_log(log: &mut Kmsg, lines: &mut Vec<String>) {
    let logged = log.logged();
    if logged.lost {
        lines.push(LOST.to_owned());
    }
    lines.extend(logged.lines);
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
    fn run(&mut self, trial: Option<&Trial>) -> Result<Run> {
        announce(trial);
        // What warns once is to warn each time. Not every kernel has debugfs, or lets one.
        let _ = fs::write(debugfs::directory(&self.procfs).with_file_name("clear_warn_once"), "1");
        // The rules hold until this is gone.
        let _owned = match self.arm(trial) {
            Ok(owned) => owned,
            Err(reason) => return Ok(Run::Refused(reason)),
        };
        Ok(match self.run_command()? {
            Some(ending) => Run::Ended(ending, Box::new(self.held()?)),
            None => Run::Interrupted,
        })
    }

    fn clean_up(&mut self) -> Result<Option<Ending>> {
        let Some(cleanup) = &self.settings.cleanup else { return Ok(None) };
        let mut command = Command::new("sh");
        command.args(["-c", cleanup]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let timeout = self.timeout();
        let (log, lines) = (&mut self.log, &mut self.lines);
        self.processes.run(&mut command, timeout, None, &mut || read_log(log, lines))
    }

    fn held(&mut self) -> Result<Profile> {
        fault::read(&self.procfs, &mut self.names)
    }

    fn quiet(&mut self) -> Result<Option<Profile>> {
        let patience = PATIENCE.max(self.timeout());
        let mut last = self.held()?;
        let mut still = 0;
        for wait in 0..WAITS {
            if !self.settler.settle(patience)? {
                return Ok(None);
            }
            thread::sleep(WAIT * (1 << wait.min(DOUBLINGS)));
            let now = self.held()?;
            let is_same = Growth::between(&last, &now).is_empty() && Growth::between(&now, &last).is_empty();
            last = now;
            still = if is_same { still + 1 } else { 0 };
            if still == STILL {
                break;
            }
        }
        Ok(Some(last))
    }

    fn wait(&mut self) {
        thread::sleep(LATER);
    }

    fn logged(&mut self) -> Vec<String> {
        read_log(&mut self.log, &mut self.lines);
        std::mem::take(&mut self.lines)
    }
}
