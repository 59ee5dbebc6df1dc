// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What can go wrong, and the exit status that says so.

use std::fmt;
use std::io;

use crate::printable::printable;

/// How a command that ran to its end turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Outcome {
    /// Everything asked for was done: exit status 0.
    Done,
    /// Output was written, but part of the input was not readable: exit status 1.
    Partial,
    /// A `--fail-if` condition holds: exit status 3.
    ConditionMet,
    /// A command was run that ended so.
    Ended(u8),
}

impl Outcome {
    /// The exit status.
    pub fn status(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::Partial => 1,
            Outcome::ConditionMet => 3,
            Outcome::Ended(status) => status,
        }
    }

    /// The outcome of doing both: the graver one.
    pub fn and(self, other: Outcome) -> Outcome {
        if other.status() > self.status() {
            other
        } else {
            self
        }
    }

    /// It, once something has been written: that the reader of the output has gone changes nothing about what was found out.
    ///
    /// # Errors
    ///
    /// Any other one of writing.
    pub fn once<E: Into<Error>>(self, written: std::result::Result<(), E>) -> Result<Outcome> {
        match written.map_err(E::into) {
            Ok(()) | Err(Error::ClosedPipe) => Ok(self),
            Err(error) => Err(error),
        }
    }
}

/// Why a command could not be carried out. Displays as one line that says what is wrong and what to do.
#[derive(Debug)]
pub enum Error {
    /// The command line makes no sense: exit status 2.
    Usage(String),
    /// The world is not as the command needs it: exit status 1.
    Failed(String),
    /// The reader of the output has gone. Nobody is left to tell: exit status 0 in silence, but for what is known by then
    /// ([`Outcome::once`]).
    ClosedPipe,
}

/// What a command returns.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A failure about `subject`, a file for instance.
    pub fn failed(subject: impl fmt::Display, problem: impl fmt::Display) -> Error {
        Error::Failed(format!("{subject}: {problem}"))
    }

    /// A mistake in an expression, of which a long one is not shown to its end.
    pub fn expression(option: &str, text: &str, problem: impl fmt::Display) -> Error {
        /// Characters.
        const SHOWN: usize = 80;
        let (shown, rest) = text.split_at(text.char_indices().nth(SHOWN).map_or(text.len(), |(at, _)| at));
        let mark = if rest.is_empty() { "" } else { "..." };
        Error::Usage(format!("{option} {shown:?}{mark}: {problem}"))
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        match self {
            Error::ClosedPipe => 0,
            Error::Failed(_) => 1,
            Error::Usage(_) => 2,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(text) | Error::Failed(text) => f.write_str(&printable(text)),
            Error::ClosedPipe => f.write_str("the reader of the output has gone"),
        }
    }
}

impl std::error::Error for Error {}

/// Failures of writing the output. (Failures of reading name their file by [`Error::failed`].)
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Error::ClosedPipe,
            _ => Error::failed("writing the output", describe(&error)),
        }
    }
}

/// An I/O error without the `(os error 2)` behind it.
pub fn describe(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_has_its_exit_status() {
        for (outcome, status) in [(Outcome::Done, 0), (Outcome::Partial, 1), (Outcome::ConditionMet, 3)] {
            assert_eq!(outcome.status(), status);
        }
        assert_eq!(Outcome::ConditionMet.and(Outcome::Partial), Outcome::ConditionMet);
        for (error, status) in
            [(Error::ClosedPipe, 0), (Error::Failed(String::new()), 1), (Error::Usage(String::new()), 2)]
        {
            assert_eq!(error.status(), status);
        }
    }

    #[test]
    fn a_broken_pipe_is_no_failure() {
        assert!(matches!(Error::from(io::Error::from(io::ErrorKind::BrokenPipe)), Error::ClosedPipe));
        assert!(matches!(Error::from(io::Error::from(io::ErrorKind::StorageFull)), Error::Failed(_)));
    }

    #[test]
    fn what_was_found_out_outlives_the_reader_of_the_output() {
        let of = |kind| Outcome::ConditionMet.once(Err(io::Error::from(kind)));
        assert_eq!(of(io::ErrorKind::BrokenPipe).unwrap(), Outcome::ConditionMet);
        assert!(matches!(of(io::ErrorKind::StorageFull), Err(Error::Failed(_))));
    }

    #[test]
    fn of_long_expressions_the_beginning_is_shown() {
        assert_eq!(Error::expression("--where", "ä>", "no").to_string(), "--where \"ä>\": no");
        let long = Error::expression("--where", &"ä".repeat(81), "no").to_string();
        assert_eq!(long, format!("--where \"{}\"...: no", "ä".repeat(80)));
    }

    #[test]
    fn messages_are_one_line_and_cannot_drive_a_terminal() {
        for (text, expected) in [("a b: ä", "a b: ä"), ("\x1b[2J\n", "\\u{1b}[2J\\n"), ("\u{9b}31m\t", "\\u{9b}31m\\t")]
        {
            assert_eq!(Error::Failed(text.to_owned()).to_string(), expected);
        }
    }

    #[test]
    fn system_errors_are_told_without_their_number() {
        assert_eq!(describe(&io::Error::from_raw_os_error(2)), "no such file or directory");
    }
}
