// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What comes in while `top` runs: keys, the mouse, signals, the terminal's end.
//!
//! crossterm's own reader does not see the end of a terminal and tries again for ever, so the terminal is read here.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyEvent, MouseEvent};
use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::termios::isatty;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::{flag, low_level, SigId};

use super::keyboard::{self, Parsed};

/// How long the rest of a key may take: a slow line is no Esc.
const REST: Duration = Duration::from_millis(50);

/// More than any key takes.
const BUFFER: usize = 256;

/// Signals that end it. They go before all others: a hangup comes with SIGCONT behind it.
const ENDS: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];

/// Signals about the terminal.
const OTHERS: [i32; 3] = [SIGTSTP, SIGCONT, SIGWINCH];

/// What came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A key.
    Key(KeyEvent),
    /// The mouse.
    Mouse(MouseEvent),
    /// Time to end, as by this signal. A terminal that has gone counts as SIGHUP, which not everyone is sent.
    End(i32),
    /// To be stopped.
    Stop,
    /// Woken after having been stopped.
    Woken,
    /// The terminal has another size.
    Resized,
    /// Nothing within the time.
    Nothing,
}

/// The terminal's keys and this process's signals, until it is dropped.
pub(super) struct Inputs {
    terminal: File,
    /// What has been read and is no whole key yet.
    keys: Vec<u8>,
    signals: Vec<(i32, Arc<AtomicBool>)>,
    /// Becomes readable with every signal.
    alarm: UnixStream,
    registered: Vec<SigId>,
}

impl Inputs {
    /// Opens the terminal where keys come from, and catches signals.
    ///
    /// # Errors
    ///
    /// If there is no terminal.
    pub(super) fn open() -> io::Result<Inputs> {
        let stdin = io::stdin();
        let terminal: OwnedFd = if isatty(&stdin) {
            stdin.as_fd().try_clone_to_owned()?
        } else {
            File::options().read(true).write(true).open("/dev/tty")?.into()
        };
        let (alarm, bell) = UnixStream::pair()?;
        alarm.set_nonblocking(true)?;
        let mut inputs =
            Inputs { terminal: terminal.into(), keys: Vec::new(), signals: Vec::new(), alarm, registered: Vec::new() };
        for signal in ENDS.into_iter().chain(OTHERS) {
            let raised = Arc::new(AtomicBool::new(false));
            if ENDS.contains(&signal) {
                // The second time, at once: something keeps us from looking at the first, such as a terminal that takes no more.
                inputs.registered.push(flag::register_conditional_default(signal, Arc::clone(&raised))?);
            }
            inputs.registered.push(flag::register(signal, Arc::clone(&raised))?);
            inputs.registered.push(low_level::pipe::register(signal, bell.try_clone()?)?);
            inputs.signals.push((signal, raised));
        }
        Ok(inputs)
    }

    /// What comes next, within a time or, without one, at any time.
    ///
    /// # Errors
    ///
    /// If nothing can be waited for.
    pub(super) fn next(&mut self, within: Option<Duration>) -> io::Result<Input> {
        let start = Instant::now();
        loop {
            if let Some(input) = self.signal() {
                return Ok(input);
            }
            if let Some(input) = self.typed(false) {
                return Ok(input);
            }
            let unfinished = !self.keys.is_empty();
            let left = within.map(|within| within.saturating_sub(start.elapsed()));
            match self.wait(if unfinished { Some(REST) } else { left })? {
                Ready::Terminal if !self.read() => return Ok(Input::End(SIGHUP)),
                Ready::Terminal | Ready::Signal => {}
                Ready::Nothing if unfinished => {
                    if let Some(input) = self.typed(true) {
                        return Ok(input);
                    }
                }
                Ready::Nothing => return Ok(Input::Nothing),
            }
        }
    }

    /// The most urgent signal that has come. One that ends it stays, so that the next one counts as the second.
    fn signal(&self) -> Option<Input> {
        let come = |number: &i32| {
            let raised = &self.signals.iter().find(|(signal, _)| signal == number)?.1;
            raised.load(Ordering::SeqCst).then_some((*number, raised))
        };
        if let Some((signal, _)) = ENDS.iter().find_map(come) {
            return Some(Input::End(signal));
        }
        let (signal, raised) = OTHERS.iter().find_map(come)?;
        raised.store(false, Ordering::SeqCst);
        Some(match signal {
            SIGTSTP => Input::Stop,
            SIGCONT => Input::Woken,
            _ => Input::Resized,
        })
    }

    /// The next key of what has been read, or what the mouse did.
    fn typed(&mut self, last: bool) -> Option<Input> {
        while !self.keys.is_empty() {
            let Parsed { event, length } = keyboard::first(&self.keys, last || self.keys.len() >= BUFFER);
            if length == 0 {
                return None;
            }
            self.keys.drain(..length);
            match event {
                Some(Event::Key(key)) => return Some(Input::Key(key)),
                Some(Event::Mouse(mouse)) => return Some(Input::Mouse(mouse)),
                _ => {}
            }
        }
        None
    }

    fn wait(&self, within: Option<Duration>) -> io::Result<Ready> {
        let mut ready = [PollFd::new(&self.alarm, PollFlags::IN), PollFd::new(&self.terminal, PollFlags::IN)];
        let within = within.and_then(|within| Timespec::try_from(within).ok());
        match poll(&mut ready, within.as_ref()) {
            Ok(0) => Ok(Ready::Nothing),
            // Beside what it was asked for, it tells a hangup.
            Ok(_) if ready[0].revents().is_empty() => Ok(Ready::Terminal),
            Ok(_) | Err(Errno::INTR) => {
                // Several signals may ring once, and one several times.
                while matches!((&self.alarm).read(&mut [0; BUFFER]), Ok(1..)) {}
                Ok(Ready::Signal)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Reads keys; whether there still is a terminal.
    fn read(&mut self) -> bool {
        let mut bytes = [0; BUFFER];
        match self.terminal.read(&mut bytes) {
            Ok(0) => false,
            Ok(length) => {
                self.keys.extend_from_slice(&bytes[..length]);
                true
            }
            Err(error) => matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock),
        }
    }
}

impl Drop for Inputs {
    fn drop(&mut self) {
        for id in self.registered.drain(..) {
            low_level::unregister(id);
        }
    }
}

/// What can be read.
enum Ready {
    Terminal,
    Signal,
    Nothing,
}
