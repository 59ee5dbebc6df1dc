// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The companion tool `alloctag`.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use alloctag::args::{default, Cli};
use alloctag::command;
use alloctag::error::Error;
use clap::Parser;

/// Bytes collected before they are written: a system call for every few hundred lines.
const BUFFER: usize = 64 << 10;

fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(default::with_command(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => return explain(&error),
    };
    let mut out = BufWriter::with_capacity(BUFFER, io::stdout().lock());
    match command::run(cli, &mut out) {
        Ok(outcome) => ExitCode::from(outcome.status()),
        Err(error) => fail(&error),
    }
}

/// Prints what clap has to say: help and version on standard output, mistakes on standard error.
fn explain(error: &clap::Error) -> ExitCode {
    // A reader that has gone, of `--help | head` for instance, is nobody to complain to.
    let _ = error.print();
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

fn fail(error: &Error) -> ExitCode {
    if !matches!(error, Error::ClosedPipe) {
        let _ = writeln!(io::stderr(), "alloctag: {error}");
    }
    ExitCode::from(error.status())
}
