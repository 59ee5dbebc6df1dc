// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Signals while the kernel is being watched: enough has been seen.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

use crate::error::{describe, Error, Result};

/// Signals, caught from now on. A second one ends the process, whatever it does then.
pub struct Interrupt {
    /// Becomes readable with it.
    alarm: UnixStream,
}

impl Interrupt {
    /// Catches SIGINT, which is ^C.
    ///
    /// # Errors
    ///
    /// If the system has no room for that.
    pub fn catch() -> Result<Interrupt> {
        Interrupt::of(&[SIGINT])
    }

    /// Catches whatever ends a process that is to clean up behind itself. A hangup that is ignored stays so: nohup(1) is there for
    /// what is to outlive its terminal.
    ///
    /// # Errors
    ///
    /// As [`catch`](Self::catch).
    pub fn catch_all() -> Result<Interrupt> {
        let caught = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| signal != SIGHUP || !is_ignored(signal));
        Interrupt::of(&caught.collect::<Vec<_>>())
    }

    fn of(signals: &[i32]) -> Result<Interrupt> {
        let register = || -> io::Result<UnixStream> {
            let (alarm, bell) = UnixStream::pair()?;
            let come = Arc::new(AtomicBool::new(false));
            // In this order: the first one passes the first of these, and the second does not.
            for &signal in signals {
                flag::register_conditional_default(signal, Arc::clone(&come))?;
                flag::register(signal, Arc::clone(&come))?;
                low_level::pipe::register(signal, bell.try_clone()?)?;
            }
            Ok(alarm)
        };
        let alarm = register().map_err(|error| Error::failed("catching signals", describe(&error)))?;
        Ok(Interrupt { alarm })
    }

    /// Waits for it, at most so long; whether it has come.
    ///
    /// # Errors
    ///
    /// If nothing can be waited for.
    pub fn comes_within(&self, time: Duration) -> Result<bool> {
        let start = Instant::now();
        loop {
            // What is longer than the system can count is for ever.
            let left = Timespec::try_from(time.saturating_sub(start.elapsed())).ok();
            match poll(&mut [PollFd::new(&self.alarm, PollFlags::IN)], left.as_ref()) {
                Ok(ready) => return Ok(ready > 0),
                Err(Errno::INTR) => {}
                Err(error) => return Err(Error::failed("waiting", describe(&error.into()))),
            }
        }
    }
}

/// Whether this process ignores a signal: what nobody can tell it does not.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    // Signals are counted from 1.
    mask >> (signal - 1) & 1 == 1
}
