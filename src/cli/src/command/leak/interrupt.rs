// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! ^C while the kernel is being watched: enough has been seen.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use signal_hook::consts::SIGINT;
use signal_hook::{flag, low_level};

use crate::error::{describe, Error, Result};

/// SIGINT, caught from now on. The second one ends the process, whatever it does then.
pub(super) struct Interrupt {
    /// Becomes readable with it.
    alarm: UnixStream,
}

impl Interrupt {
    /// Catches it.
    ///
    /// # Errors
    ///
    /// If the system has no room for that.
    pub(super) fn catch() -> Result<Interrupt> {
        let register = || -> io::Result<UnixStream> {
            let (alarm, bell) = UnixStream::pair()?;
            let come = Arc::new(AtomicBool::new(false));
            // In this order: the first one passes the first of these, and the second does not.
            flag::register_conditional_default(SIGINT, Arc::clone(&come))?;
            flag::register(SIGINT, come)?;
            low_level::pipe::register(SIGINT, bell)?;
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
    pub(super) fn comes_within(&self, time: Duration) -> Result<bool> {
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
