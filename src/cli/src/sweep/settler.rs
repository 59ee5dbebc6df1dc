// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A process that has the kernel write and free what it can, for whoever asks: that may never come to an end where an error path
//! has kept a lock, and then it is this process that is stuck.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use rustix::event::{poll, PollFd, PollFlags, Timespec};

use crate::error::{describe, Error, Result};
use crate::source::records::settling;

/// The page cache, dentries and inodes are dropped, and nothing is said of it (`Documentation/admin-guide/sysctl/vm.rst`).
const DROP_ALL_SILENTLY: &str = "7";

/// What is answered if all went well.
const DONE: &str = "done";

/// The process, and the lines to it.
#[derive(Debug)]
pub struct Settler {
    child: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Settler {
    /// Starts it, for the kernel whose procfs that is.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn start(procfs: &Path) -> Result<Settler> {
        let failed = |error: io::Error| Error::failed("alloctag settle", describe(&error));
        let mut command = Command::new(std::env::current_exe().map_err(failed)?);
        command.arg("--procfs").arg(procfs).arg("settle").stdin(Stdio::piped()).stdout(Stdio::piped());
        // A group of its own: what is typed is not for it.
        let mut child = command.process_group(0).spawn().map_err(failed)?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(asks), Some(answers)) => Ok(Settler { child, asks, answers: BufReader::new(answers) }),
            _ => Err(Error::failed("alloctag settle", "has no pipes")),
        }
    }

    /// The process.
    pub fn child(&self) -> &Child {
        &self.child
    }

    /// Has it done once; `false` if that takes longer than `patience`, and nothing can be asked for any more.
    ///
    /// # Errors
    ///
    /// If it cannot be asked, or may not do it.
    pub fn settle(&mut self, patience: Duration) -> Result<bool> {
        let failed = |error: io::Error| Error::failed("alloctag settle", describe(&error));
        self.asks.write_all(b"\n").map_err(failed)?;
        let timeout = Timespec::try_from(patience).ok();
        loop {
            match poll(&mut [PollFd::new(self.answers.get_ref(), PollFlags::IN)], timeout.as_ref()) {
                Ok(0) => return Ok(false),
                Ok(_) => break,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(failed(error.into())),
            }
        }
        let mut answer = String::new();
        self.answers.read_line(&mut answer).map_err(failed)?;
        match answer.trim_end() {
            DONE => Ok(true),
            "" => Err(failed(ErrorKind::UnexpectedEof.into())),
            problem => Err(Error::Failed(problem.to_owned())),
        }
    }
}

impl Drop for Settler {
    fn drop(&mut self) {
        // It is not waited for: it may be stuck.
        let _ = self.child.kill();
        let _ = self.child.try_wait();
    }
}

/// What the process does: an answer to each line, until there are no more.
///
/// # Errors
///
/// If nobody listens.
pub fn serve(procfs: &Path, asks: impl BufRead, mut answers: impl Write) -> io::Result<()> {
    for ask in asks.lines() {
        ask?;
        match settle(procfs) {
            Ok(()) => writeln!(answers, "{DONE}")?,
            Err(error) => writeln!(answers, "{error}")?,
        }
        answers.flush()?;
    }
    Ok(())
}

fn settle(procfs: &Path) -> Result<()> {
    rustix::fs::sync();
    // First what fills caches (vfree() keeps what describes areas), then the caches, then what these have freed for later.
    wait(procfs)?;
    // Who may not, in a container, finds more that grows.
    let _ = fs::write(procfs.join("sys/vm/drop_caches"), DROP_ALL_SILENTLY);
    wait(procfs)
}

fn wait(procfs: &Path) -> Result<()> {
    let path = procfs.join("allocinfo");
    let settled = File::open(&path).and_then(|file| Ok(settling::wait(file)?));
    settled.map_err(|error| Error::failed(path.display(), describe(&error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_answered_by_one() {
        let directory = tempfile::tempdir().unwrap();
        let mut answers = Vec::new();
        serve(directory.path(), &b"\n\n"[..], &mut answers).unwrap();
        let line = format!("{}: no such file or directory\n", directory.path().join("allocinfo").display());
        assert_eq!(String::from_utf8(answers).unwrap(), line.repeat(2));
    }
}
