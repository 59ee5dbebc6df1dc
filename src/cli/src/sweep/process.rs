// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Running a command to its end, with all that it starts.

use std::fs;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::process::{getpid, kill_process, set_child_subreaper, waitpid, Pid, Signal, WaitOptions};
use serde::{Deserialize, Serialize};

use crate::error::{describe, Error, Result};
use crate::interrupt::Interrupt;

/// How often a command is looked after.
const STEP: Duration = Duration::from_millis(10);

/// How long what was killed may take to go, at least.
const PATIENCE: Duration = Duration::from_secs(20);

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// By itself, with that status.
    Status(i32),
    /// By that signal.
    Signal(i32),
    /// Not in time, so it was killed.
    Timeout,
    /// Not even then, or something that it had started.
    Stuck,
}

impl From<ExitStatus> for Ending {
    fn from(status: ExitStatus) -> Ending {
        match (status.code(), status.signal()) {
            (Some(code), _) => Ending::Status(code),
            (None, signal) => Ending::Signal(signal.unwrap_or_default()),
        }
    }
}

/// The processes that this one starts, and all that these leave behind.
#[derive(Debug)]
pub struct Processes {
    /// Children that are not to be ended with a command.
    spared: Vec<Pid>,
}

impl Processes {
    /// Has what commands start, and leave behind, become this process's children.
    ///
    /// # Errors
    ///
    /// If the kernel does not allow that.
    pub fn adopt() -> Result<Processes> {
        let failed = |error: io::Error| Error::failed("adopting what is left behind", describe(&error));
        set_child_subreaper(Some(getpid())).map_err(|error| failed(error.into()))?;
        Ok(Processes { spared: children().map_err(failed)? })
    }

    /// A child that stays.
    pub fn spare(&mut self, child: &Child) {
        self.spared.extend(pid_of(child));
    }

    /// Runs a command to its end, and ends what it leaves behind; `meanwhile` is done again and again. `None` if an interrupt came
    /// first, where one is looked for.
    ///
    /// # Errors
    ///
    /// If it cannot be run, or nothing can be waited for.
    pub fn run(
        &self,
        command: &mut Command,
        timeout: Duration,
        interrupt: Option<&Interrupt>,
        meanwhile: &mut dyn FnMut(),
    ) -> Result<Option<Ending>> {
        let deadline = Instant::now().checked_add(timeout);
        // A group of its own: what is typed is for this process to hear.
        let spawned = command.process_group(0).spawn();
        let mut child = spawned.map_err(|error| Error::failed(command.get_program().display(), describe(&error)))?;
        let mut ending = Ok(Some(Ending::Timeout));
        while deadline.is_none_or(|deadline| Instant::now() < deadline) {
            match child.try_wait() {
                Ok(None) => {}
                Ok(Some(status)) => {
                    ending = Ok(Some(status.into()));
                    break;
                }
                Err(error) => {
                    ending = Err(Error::failed("waiting", describe(&error)));
                    break;
                }
            }
            meanwhile();
            if wait(interrupt)? {
                ending = Ok(None);
                break;
            }
        }
        let all_gone = self.end(&mut child, timeout.max(PATIENCE));
        meanwhile();
        ending.map(|ending| ending.map(|ending| if all_gone { ending } else { Ending::Stuck }))
    }

    /// Kills a child and all that has become one. Whether all have gone.
    fn end(&self, child: &mut Child, patience: Duration) -> bool {
        let deadline = Instant::now().checked_add(patience);
        loop {
            // Whoever has gone already cannot be killed.
            let _ = child.kill();
            let has_gone = matches!(child.try_wait(), Ok(Some(_)));
            // The child itself is waited for above, by those who know that it is. Each of the others may have left more behind when it
            // went: nobody is left once a look has found nobody.
            let others = children().map(|all| all.into_iter().filter(|pid| !self.spared.contains(pid)).collect());
            let others: Option<Vec<Pid>> = others.ok();
            if has_gone && others.as_ref().is_some_and(Vec::is_empty) {
                return true;
            }
            for pid in others.unwrap_or_default().into_iter().filter(|pid| Some(*pid) != pid_of(child)) {
                let _ = kill_process(pid, Signal::KILL);
                let _ = waitpid(Some(pid), WaitOptions::NOHANG);
            }
            if deadline.is_none_or(|deadline| Instant::now() > deadline) {
                return false;
            }
            std::thread::sleep(STEP);
        }
    }
}

/// Waits a moment; whether an interrupt came meanwhile.
fn wait(interrupt: Option<&Interrupt>) -> Result<bool> {
    match interrupt {
        Some(interrupt) => interrupt.comes_within(STEP),
        None => {
            std::thread::sleep(STEP);
            Ok(false)
        }
    }
}

fn pid_of(child: &Child) -> Option<Pid> {
    Pid::from_raw(child.id().cast_signed())
}

/// The children of this process, by what `/proc` says of all that there are.
fn children() -> io::Result<Vec<Pid>> {
    let own = getpid().as_raw_pid();
    let processes = fs::read_dir("/proc")?.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_child =
        |pid: &i32| fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| parent(&stat) == Some(own));
    Ok(processes.filter(is_child).filter_map(Pid::from_raw).collect())
}

/// The parent that a process's `stat` names, behind the name in parentheses and the state.
fn parent(stat: &str) -> Option<i32> {
    let (_, behind) = stat.rsplit_once(')')?;
    behind.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parent_is_found_whatever_the_process_is_called() {
        for (stat, expected) in
            [("7 (sh) S 42 7 7", Some(42)), ("7 (a) b (c) S 42 7", Some(42)), ("7", None), ("7 (sh)", None)]
        {
            assert_eq!(parent(stat), expected, "{stat}");
        }
    }
}
