// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The companion tool `alloctag`.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use alloctag::cli::{self, default, Cli};
use alloctag::error::Error;
use clap::Parser;

/// Bytes collected before they are written: a system call for every few hundred lines.
const BUFFER: usize = 64 << 10;

fn main() -> ExitCode {
    let line = match Cli::try_parse_from(default::with_command(std::env::args_os())) {
        Ok(line) => line,
        Err(error) => return explain(&error),
    };
    let mut out = BufWriter::with_capacity(BUFFER, io::stdout().lock());
    match cli::run(line, &mut out) {
        Ok(outcome) => ExitCode::from(outcome.status()),
        Err(error) => fail(&error),
    }
}

/// Prints what clap has to say: help and version on standard output, mistakes as one line on standard error.
fn explain(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        return fail(&Error::Usage(one_line(&error.to_string())));
    }
    match error.print() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error.into()),
    }
}

/// What is wrong, and the tips; not the usage, for which there is --help.
fn one_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let told =
        text.split("\n\n").enumerate().filter(|(place, part)| *place == 0 || part.trim_start().starts_with("tip: "));
    let words: Vec<&str> = told.flat_map(|(_, part)| part.split_ascii_whitespace()).collect();
    format!("{}; --help says more", words.join(" ").replace(" tip:", "; tip:"))
}

fn fail(error: &Error) -> ExitCode {
    if !matches!(error, Error::ClosedPipe) {
        let _ = writeln!(io::stderr(), "alloctag: {error}");
    }
    ExitCode::from(error.status())
}
