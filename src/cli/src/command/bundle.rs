// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag bundle`: what to attach to a bug report, as one archive.

mod archive;
mod system;

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{read, Context};
use crate::error::{describe, Error, Outcome, Result};
use crate::recording;
use crate::render::units::count;
use crate::snapshot;
use crate::source::{Input, Request};
use crate::storage;
use crate::time::{compact, Clock};
use archive::Archive;

/// Options of `bundle`.
#[derive(Args, Debug)]
#[command(after_help = "\
In it are uname, the kernel's configuration and command line, meminfo, vmstat, buddyinfo, slabinfo, modules, the \
sysctls of profiling and, where the kernel has them, sites, contexts, stalls, latency, lifetimes and control of debugfs. Names of \
the host, of tasks and cgroups, of modules and of source files are among them: look before you publish it.

Examples:
  alloctag bundle                                         the running kernel and its circumstances
  alloctag bundle /var/lib/alloctag                       a recording besides
  alloctag bundle before.alloctag after.alloctag -o report.tar.gz
  tar -xOzf report.tar.gz --wildcards '*/manifest.txt'    what is in it")]
pub struct BundleArgs {
    /// Saved profiles or recordings to put in
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where to write; - is standard output. alloctag-HOST-TIME.tar.gz in this directory without
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace FILE if it is there
    #[arg(long)]
    pub force: bool,
}

/// Runs the command.
///
/// # Errors
///
/// If a file that was named cannot be read or the archive not be written. What the system does not have is named in the
/// archive instead.
pub fn run(args: &BundleArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let to_stdout = args.output.as_ref().is_some_and(|path| path.as_os_str() == "-");
    if to_stdout && std::io::stdout().is_terminal() {
        return Err(Error::Usage("--output -: an archive is nothing for a terminal; send it somewhere".into()));
    }
    let mut outcome = Outcome::Done;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let node = rustix::system::uname().nodename().to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let milliseconds = u64::try_from(now.as_millis()).unwrap_or_default();
    let name = format!("alloctag-{node}-{}", compact(milliseconds));
    let mut archive = Archive::new(&name, now.as_secs());
    let mut manifest =
        format!("Made by alloctag {} at {}.\n\n", env!("CARGO_PKG_VERSION"), Clock::utc().date(milliseconds));

    let request = Request { input: Input::Live, ..Request::live(&context.global.procfs) };
    match read(&request, context) {
        Ok(reading) => {
            archive.add("now.alloctag", &snapshot::encode(&reading.profile))?;
            let rows = reading.profile.rows().len();
            let _ = writeln!(manifest, "now.alloctag: the running kernel's profile, {}", count(rows, "site"));
            outcome = outcome.and(reading.outcome);
        }
        // Saved profiles may well be brought from elsewhere.
        Err(error) if !args.files.is_empty() => {
            context.note(&error);
            let _ = writeln!(manifest, "now.alloctag: missing: {error}");
        }
        Err(error) => return Err(error),
    }
    for (index, named) in args.files.iter().enumerate() {
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Files of different directories may have one name. Those of a recording stay together under their own names, by which
        // some of them rest on others.
        let (files, place) = if named.is_dir() {
            let directory = format!("profiles/{index:04}-{}/", name(named));
            (recording::parts(named)?, directory)
        } else {
            (vec![recording::choose(named, &context.clock)?], format!("profiles/{index:04}-"))
        };
        for path in files {
            let mut bytes = std::fs::read(&path).map_err(|error| Error::failed(path.display(), describe(&error)))?;
            if !named.is_dir() && matches!(snapshot::rest(&bytes), Ok(Some(_))) {
                // What it rests on is not there: here it has to stand alone.
                let request = Request { input: Input::File(path.clone()), ..request.clone() };
                bytes = snapshot::encode(&read(&request, context)?.profile);
            }
            let place = format!("{place}{}", name(&path));
            archive.add(&place, &bytes)?;
            let _ = writeln!(manifest, "{place}: {}", path.display());
        }
    }
    for part in system::parts(&context.global.procfs) {
        match part.content {
            Ok(bytes) => {
                archive.add(part.name, &bytes)?;
                let _ = writeln!(manifest, "{}: {}", part.name, part.origin.display());
            }
            Err(problem) => {
                let _ = writeln!(manifest, "{}: missing: {}: {problem}", part.name, part.origin.display());
            }
        }
    }
    archive.add("manifest.txt", manifest.as_bytes())?;
    let path = args.output.clone().unwrap_or_else(|| format!("{name}.tar.gz").into());
    let bytes = archive.finish(&path)?;
    if to_stdout {
        context.out.write_all(&bytes)?;
    } else if storage::save(&path, &bytes, args.force)? {
        writeln!(context.out, "{}", path.display())?;
    }
    Ok(outcome)
}
