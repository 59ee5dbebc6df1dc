// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The companion tool `alloctag`.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use alloctag::cli::{self, default, mistake, Cli};
use alloctag::error::Error;
use clap::Parser;

/// Bytes collected before they are written: a system call for every few hundred lines.
const BUFFER: usize = 64 << 10;

fn main() -> ExitCode {
    let words = default::with_command(std::env::args_os());
    let line = match Cli::try_parse_from(&words) {
        Ok(line) => line,
        Err(error) => return explain(&error, &words),
    };
    let mut out = BufWriter::with_capacity(BUFFER, io::stdout().lock());
    match cli::run(line, &mut out) {
        Ok(outcome) => ExitCode::from(outcome.status()),
        Err(error) => fail(&error),
    }
}

/// Prints what clap has to say of these words: help and version on standard output, mistakes as one line on standard error.
fn explain(error: &clap::Error, words: &[OsString]) -> ExitCode {
    if error.use_stderr() {
        return fail(&Error::Usage(mistake::tell(error, words)));
    }
    match error.print() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error.into()),
    }
}

fn fail(error: &Error) -> ExitCode {
    if !matches!(error, Error::ClosedPipe) {
        let _ = writeln!(io::stderr(), "alloctag: {error}");
    }
    ExitCode::from(error.status())
}
