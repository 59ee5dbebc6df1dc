// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag completions SHELL`.

use clap::{Args, Command};
use clap_complete::Shell;

use super::Context;
use crate::error::{Outcome, Result};

/// Options of `completions`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag completions bash > /etc/bash_completion.d/alloctag
  alloctag completions zsh > ~/.zfunc/_alloctag
  alloctag completions fish > ~/.config/fish/completions/alloctag.fish")]
pub struct CompletionsArgs {
    /// Which shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Runs the command. `tool` is the whole command line.
///
/// # Errors
///
/// If the output cannot be written.
pub fn run(args: &CompletionsArgs, mut tool: Command, context: &mut Context<'_>) -> Result<Outcome> {
    // The generator panics where it cannot write: let it write to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut tool, "alloctag", &mut script);
    context.out.write_all(&script)?;
    Ok(Outcome::Done)
}
