// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag marked`: becomes a command whose allocations may fail. It is for `fault` and `sweep` alone, and not shown.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use clap::Args;

use super::Context;
use crate::error::{describe, Error, Outcome, Result};

/// Where a task says that its allocations, and those of all that it starts, may fail.
const MARK: &str = "self/make-it-fail";

/// The exit status of a shell for a program that is not there.
const NOT_FOUND: u8 = 127;

/// The same for one that cannot be run.
const NOT_RUN: u8 = 126;

/// Options of `marked`.
#[derive(Args, Debug)]
pub struct MarkedArgs {
    /// The command, with its arguments
    #[arg(value_name = "COMMAND", last = true, required = true)]
    pub command: Vec<OsString>,
}

/// Becomes the command.
///
/// # Errors
///
/// If the kernel has nothing fail.
pub fn run(args: &MarkedArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let mark = context.global.procfs.join(MARK);
    fs::write(&mark, "1").map_err(|error| Error::failed(mark.display(), describe(&error)))?;
    let Some((program, arguments)) = args.command.split_first() else { return Ok(Outcome::Ended(NOT_FOUND)) };
    let error = Command::new(program).args(arguments).exec();
    context.note(format_args!("{}: {}", program.display(), describe(&error)));
    Ok(Outcome::Ended(not_run(&error)))
}

/// The exit status of a shell for a program that did not begin.
pub(super) fn not_run(error: &io::Error) -> u8 {
    match error.kind() {
        io::ErrorKind::NotFound => NOT_FOUND,
        _ => NOT_RUN,
    }
}
