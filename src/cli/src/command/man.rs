// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag man`: manual pages, one for the tool and one for each command.

use std::fs;
use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::Context;
use crate::args::Cli;
use crate::error::{describe, Error, Outcome, Result};

/// Options of `man`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag man --dir /usr/local/share/man/man1    install all pages
  alloctag man | man -l -                         read the tool's page
  alloctag man list | man -l -                    read that of a command")]
pub struct ManArgs {
    /// The command whose page to print; the tool's own without
    #[arg(value_name = "COMMAND")]
    pub page: Option<String>,
    /// Write all pages into DIR, which must exist
    #[arg(long, value_name = "DIR", conflicts_with = "page")]
    pub dir: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
///
/// If there is no such command or a page cannot be written.
pub fn run(args: &ManArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let pages = pages()?;
    if let Some(dir) = &args.dir {
        for (name, text) in &pages {
            let path = dir.join(format!("{name}.1"));
            fs::write(&path, text).map_err(|error| Error::failed(path.display(), describe(&error)))?;
        }
        return Ok(Outcome::Done);
    }
    let wanted = match &args.page {
        Some(command) => format!("alloctag-{command}"),
        None => "alloctag".to_owned(),
    };
    let Some((_, text)) = pages.iter().find(|(name, _)| *name == wanted) else {
        return Err(Error::Usage(format!("{wanted}: there is no such page")));
    };
    context.out.write_all(text)?;
    Ok(Outcome::Done)
}

/// All pages by name.
fn pages() -> Result<Vec<(String, Vec<u8>)>> {
    let mut tool = Cli::command().disable_help_subcommand(true);
    // Gives the commands their full names and the options that all of them share.
    tool.build();
    let mut pages = vec![page("alloctag".to_owned(), tool.clone())?];
    for command in tool.get_subcommands() {
        let name = format!("alloctag-{}", command.get_name());
        pages.push(page(name.clone(), command.clone().name(name))?);
    }
    Ok(pages)
}

fn page(name: String, command: clap::Command) -> Result<(String, Vec<u8>)> {
    let mut text = Vec::new();
    Man::new(command).render(&mut text)?;
    Ok((name, text))
}
