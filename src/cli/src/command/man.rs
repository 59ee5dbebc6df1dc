// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag man`: manual pages, one for the tool and one for each command.

use std::fs;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;
use roff::{bold, roman, Roff};

use super::Context;
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

/// Runs the command. `tool` is the whole command line.
///
/// # Errors
///
/// If there is no such command or a page cannot be written.
pub fn run(args: &ManArgs, tool: Command, context: &mut Context<'_>) -> Result<Outcome> {
    let pages = pages(tool)?;
    if let Some(dir) = &args.dir {
        for (name, text) in &pages {
            let path = dir.join(format!("{name}.1"));
            fs::write(&path, text).map_err(|error| Error::failed(path.display(), describe(&error)))?;
        }
        return Ok(Outcome::Done);
    }
    let wanted = match &args.page {
        Some(command) => format!("alloctag-{command}"),
        None => TOOL.to_owned(),
    };
    let Some((_, text)) = pages.iter().find(|(name, _)| *name == wanted) else {
        return Err(Error::Usage(format!("{wanted}: there is no such page")));
    };
    context.out.write_all(text)?;
    Ok(Outcome::Done)
}

/// All pages by name.
fn pages(tool: Command) -> Result<Vec<(String, Vec<u8>)>> {
    let mut tool = tool.disable_help_subcommand(true);
    // Gives the commands their full names and the options that all of them share.
    tool.build();
    let mut pages = vec![page(TOOL.to_owned(), tool.clone())?];
    for command in tool.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = format!("alloctag-{}", command.get_name());
        pages.push(page(name.clone(), command.clone().name(name))?);
    }
    Ok(pages)
}

fn page(name: String, command: Command) -> Result<(String, Vec<u8>)> {
    let remarks = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let man = Man::new(command);
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if name == TOOL {
        man.render_subcommands_section(&mut text)?;
    }
    closing(&name, &remarks).to_writer(&mut text)?;
    Ok((name, text))
}

/// The sections behind the options, from what stands behind the options in `--help`.
fn closing(name: &str, remarks: &str) -> Roff {
    let mut roff = Roff::default();
    let (prose, examples) = remarks.split_once("Examples:\n").unwrap_or((remarks, ""));
    if !prose.is_empty() {
        roff.control("SH", ["NOTES"]);
        // The tool's exit status has a section of its own.
        let is_elsewhere = |paragraph: &str| name == TOOL && paragraph.starts_with("Exit status:");
        let is_note = |paragraph: &&str| !paragraph.is_empty() && !is_elsewhere(paragraph);
        for paragraph in prose.split("\n\n").filter(is_note) {
            roff.control("PP", []).text([roman(paragraph)]);
        }
    }
    if !examples.is_empty() {
        roff.control("SH", ["EXAMPLES"]).control("nf", []);
        for line in examples.lines() {
            roff.text([roman(line.trim_start())]);
        }
        roff.control("fi", []);
    }
    if name == TOOL {
        for (title, items) in [("EXIT STATUS", STATUSES), ("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)] {
            roff.control("SH", [title]);
            for (item, meaning) in items {
                roff.control("TP", []).text([bold(*item)]).text([roman(*meaning)]);
            }
        }
    } else {
        roff.control("SH", ["SEE ALSO"]).text([bold(TOOL), roman("(1)")]);
    }
    roff
}

const TOOL: &str = "alloctag";

/// A term and what it means.
type Item = (&'static str, &'static str);

const STATUSES: &[Item] = &[
    ("0", "All went well. Also when the reader of the output has gone, but for what is known by then."),
    ("1", "Something failed, or part of the input could not be read."),
    ("2", "The command line makes no sense."),
    ("3", "A --fail-if condition holds, or sweep finds a defect."),
    ("others", "Those of the commands that fault and trace run."),
];

const ENVIRONMENT: &[Item] = &[
    ("NO_COLOR", "No colours, if it is set and not empty."),
    ("TERM", "No colours, if it is dumb or not set."),
    ("LC_ALL, LC_CTYPE, LANG", "Characters beyond ASCII, if the first of them that is set says UTF-8."),
    ("XDG_CONFIG_HOME", "Where the user's configuration lies; ~/.config without."),
];

const FILES: &[Item] = &[
    ("/proc/allocinfo", "The profile, by text and by ioctl. Only root may read it."),
    ("/proc/sys/vm/mem_profiling", "Whether the kernel counts."),
    ("/proc/sys/vm/mem_profiling_uncounted", "How many allocations since boot Alloctag's core could not count."),
    ("~/.config/alloctag/top.toml", "How top shows things, as its key W keeps it."),
    (
        "~/.config/alloctag/subsystems.toml",
        "Subsystems of one's own, which go before those of MAINTAINERS: \
      [\"My team\"], files = [\"drivers/mine/\"], modules = [\"mine_*\"].",
    ),
];
