// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A connection that has only so much time.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A stream of which all readings and writings together may take so long: one that gives a byte now and then does not live on.
pub(super) struct Deadline<S> {
    stream: S,
    patience: Duration,
    end: Instant,
}

/// What can be given more time.
pub(super) trait Timed: Read + Write {
    /// Gives it the same time again.
    fn begin_anew(&mut self);
}

impl<S> Deadline<S> {
    /// From now on.
    pub(super) fn new(stream: S, patience: Duration) -> Deadline<S> {
        Deadline { stream, patience, end: Instant::now() + patience }
    }

    fn left(&self) -> io::Result<Duration> {
        let left = self.end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
        left.ok_or_else(|| io::ErrorKind::TimedOut.into())
    }
}

impl Timed for Deadline<TcpStream> {
    fn begin_anew(&mut self) {
        self.end = Instant::now() + self.patience;
    }
}

impl Read for Deadline<TcpStream> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(buffer)
    }
}

impl Write for Deadline<TcpStream> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
