// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Options of `sweep`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use clap::Args;

use crate::args::output::JudgingArgs;
use crate::args::view::FilterArgs;
use crate::error::{Error, Result};
use crate::sweep::settings::{Part, Settings};
use crate::time::span;

/// What `--help` says at its end.
pub(super) const HELP: &str = "\
COMMAND is run four times with nothing failing, each time that a sweep begins or goes on, to learn which call sites it touches and \
what grows anyhow; then once for each of them, with that one given nothing, for COMMAND and what it starts. After each time what it \
has left behind is killed.

  handled    COMMAND has ended, with whatever status, and nothing is wrong
  killed     it was ended by a signal, and nothing is wrong with the kernel
  leaked     call sites hold more, each of three times that the same is tried
  warned     the kernel says that something is wrong: WARN, lockdep, KASAN, KFENCE, UBSAN
  hung       COMMAND has not ended within --timeout, twice; or not even by being killed, or the kernel does not come to rest
  oopsed     the kernel, or a task in it, has died
  unreached  COMMAND did not come to it

With -o DIR the same command line goes on where it was stopped. What was tried when the kernel went down is what has brought it \
down. After an oops, and after what KASAN, KFENCE, SLUB or lockdep say, the kernel is not gone on with until it is booted anew; scripts/sweep of Alloctag's sources \
does all that in guests.

Exit status: 3 if anything was leaked, warned, hung or oopsed; else 1 if it is not at its end.

Examples:
  alloctag sweep -o /var/tmp/s --cleanup 'umount /mnt' -- mount -t tmpfs none /mnt
  alloctag sweep --where 'file~^fs/ext4' --nth 5 --cleanup 'umount /mnt' -- mount /dev/ram0 /mnt
  alloctag sweep --report /var/tmp/s --format json";

/// Options of `sweep`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct SweepArgs {
    /// Which of the call sites that COMMAND touches.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Try the first N times that a call site is asked, each for itself, as far as COMMAND comes
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = RangedU64ValueParser::<u32>::new().range(1..))]
    pub nth: u32,
    /// When to give COMMAND up, such as 90s or 5m
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = span::interval)]
    pub timeout: Duration,
    /// What sh runs after each time, with nothing failing
    #[arg(long, value_name = "SCRIPT")]
    pub cleanup: Option<String>,
    /// Where to keep what was done, so that it can be gone on with
    #[arg(short, long = "output", value_name = "DIR")]
    pub output_directory: Option<PathBuf>,
    /// Try one of N parts of the call sites, each of which may be another kernel's
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub part: Part,
    /// Run nothing, and show what is in directories of sweeps, together
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["command", "output_directory", "relay", "condition", "nth", "timeout", "cleanup", "part", "subsystems"])]
    pub report: Vec<PathBuf>,
    /// Write what is kept to standard output as well, in the place of the table
    #[arg(long, hide = true)]
    pub relay: bool,
    /// Show those, too, that were handled, killed or not reached
    #[arg(short, long, help_heading = "Selection")]
    pub all: bool,
    /// How to write it.
    #[command(flatten)]
    pub output: JudgingArgs,
    /// The command, with its arguments
    #[arg(value_name = "COMMAND", last = true, required_unless_present = "report")]
    pub command: Vec<OsString>,
}

impl SweepArgs {
    /// What is to be done.
    ///
    /// # Errors
    ///
    /// If it takes longer than can be counted.
    pub(super) fn settings(&self) -> Result<Settings> {
        let timeout = u64::try_from(self.timeout.as_millis());
        Ok(Settings {
            command: self.command.clone(),
            cleanup: self.cleanup.clone(),
            condition: self.filter.condition.clone(),
            nth: self.nth,
            timeout_ms: timeout.map_err(|_| Error::Usage("--timeout: is too long".to_owned()))?,
            part: self.part,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: SweepArgs,
    }

    /// The options of a command line.
    pub(in super::super) fn of(words: &[&str]) -> SweepArgs {
        Line::try_parse_from([&["sweep"], words].concat()).unwrap().args
    }

    #[test]
    fn something_is_run_or_reported() {
        for words in [
            &[][..],
            &["--report"],
            &["--report", "x", "--", "y"],
            &["--report", "x", "--where", "bytes>1"],
            &["--report", "x", "--nth", "2"],
            &["--nth", "0", "--", "x"],
            &["--part", "3/2", "--", "x"],
        ] {
            assert!(Line::try_parse_from([&["sweep"], words].concat()).is_err(), "{words:?}");
        }
        assert_eq!(of(&["--report", "a", "b"]).report.len(), 2);
    }
}
