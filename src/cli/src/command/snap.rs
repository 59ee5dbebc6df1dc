// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag snap`: keeps one profile in a file.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;

use super::{read, Context};
use crate::args::input::InputArgs;
use crate::error::{Error, Outcome, Result};
use crate::model::Meta;
use crate::snapshot::{self, EXTENSION};
use crate::source::Request;
use crate::storage;
use crate::time;

/// Options of `snap`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag snap                               the running kernel, into HOST-TIME.alloctag
  alloctag snap -o before.alloctag && make test && alloctag diff before.alloctag /proc/allocinfo
  alloctag snap saved.txt -o saved.alloctag   a saved text
  ssh host sudo alloctag snap -o - > host.alloctag")]
pub struct SnapArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,
    /// Where to write; - is standard output. HOST-TIME.alloctag in this directory without
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Replace FILE if it is there
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}

/// Runs the command.
///
/// # Errors
///
/// If nothing can be read or the file cannot be written.
pub fn run(args: &SnapArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let request = Request { contexts: true, timings: true, ..args.input.resolve(&context.global, None) };
    let reading = read(&request, context)?;
    let bytes = snapshot::encode(&reading.profile);
    let path = args.output.clone().unwrap_or_else(|| name(&reading.profile.meta).into());
    if path.as_os_str() == "-" {
        if std::io::stdout().is_terminal() {
            return Err(Error::Usage("--output -: a snapshot is nothing for a terminal; send it somewhere".into()));
        }
        context.out.write_all(&bytes)?;
    } else if storage::save(&path, &bytes, args.force)? {
        writeln!(context.out, "{}", path.display())?;
    }
    Ok(reading.outcome)
}

/// A name that tells where and when: `HOST-20261121T070000Z.alloctag`.
fn name(meta: &Meta) -> String {
    let node = meta.uname.as_ref().map(|uname| uname.node.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
    let node = node.filter(|node| !node.is_empty()).unwrap_or_else(|| "profile".to_owned());
    match meta.time_ms {
        Some(time_ms) => format!("{node}-{}.{EXTENSION}", time::compact(time_ms)),
        None => format!("{node}.{EXTENSION}"),
    }
}
