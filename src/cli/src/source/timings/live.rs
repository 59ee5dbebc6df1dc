// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The times of the running kernel: by the texts in debugfs, or by ioctl where these cannot be used.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use crate::error::{describe, Error, Result};
use crate::model::{Names, Timed, Timings};
use crate::source::{debugfs, records};

/// Bytes. A pool of 16 MiB, sixty times what a kernel has by default, comes to less.
const LIMIT: u64 = 64 << 20;

/// What was read, and where.
#[derive(Debug)]
pub struct Live {
    /// What was asked for.
    pub timings: Timings,
    /// The file that has it.
    pub file: PathBuf,
}

/// Reads what was measured of that, by the procfs that tells where debugfs is.
///
/// # Errors
///
/// Why it cannot be read, and what to do.
pub fn read(procfs: &Path, timed: Timed, names: &mut Names) -> Result<Live> {
    let file = debugfs::directory(procfs).join(timed.name());
    let error = match text(&file) {
        Ok(text) => return parse(&text, file, names),
        Err(error) => error,
    };
    let allocinfo = procfs.join("allocinfo");
    let by_ioctl = File::open(&allocinfo).map(|file| records::histograms::read(file, names));
    let failed = |problem: &str| Err(Error::failed(file.display(), problem));
    match by_ioctl {
        Ok(Ok(Some(timings))) if timings.of(timed).is_some() => Ok(Live { timings, file: allocinfo }),
        Ok(Err(error)) if error != Errno::PERM => {
            Err(Error::failed(allocinfo.display(), format_args!("ioctl: {}", describe(&error.into()))))
        }
        // The directory is there, and this file is not.
        _ if error.kind() == io::ErrorKind::NotFound && file.with_file_name("control").exists() => {
            failed(absence(timed))
        }
        Ok(Ok(Some(_))) => failed(absence(timed)),
        _ => Err(debugfs::explain(&file, &error, procfs)),
    }
}

/// Reads all that is there: nothing where the kernel measures nothing, or does not tell everybody.
pub fn read_any(procfs: &Path, names: &mut Names) -> Timings {
    let mut timings = Timings::default();
    for timed in Timed::ALL {
        let file = debugfs::directory(procfs).join(timed.name());
        // What cannot be read here is told by the command that is about it.
        if let Some(live) = text(&file).ok().and_then(|text| parse(&text, file, names).ok()) {
            timings.join(live.timings);
        }
    }
    if timings.is_empty() {
        let by_ioctl = File::open(procfs.join("allocinfo")).map(|file| records::histograms::read(file, names));
        timings = by_ioctl.ok().and_then(|told| told.ok()?).unwrap_or_default();
    }
    timings
}

/// What to say of a kernel that does not measure it.
fn absence(timed: Timed) -> &'static str {
    match timed {
        Timed::Stalls => "this kernel has no stalls: CONFIG_ALLOCTAG_STALLS",
        Timed::Latency => "this kernel measures no latency: CONFIG_ALLOCTAG_LATENCY",
        Timed::Lifetimes => "this kernel measures no lifetimes: CONFIG_ALLOCTAG_LIFETIMES",
    }
}

fn text(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path)?.take(LIMIT).read_to_end(&mut text)?;
    Ok(text)
}

fn parse(text: &[u8], file: PathBuf, names: &mut Names) -> Result<Live> {
    if !super::is_timings(text) {
        return Err(Error::failed(file.display(), "is not a text of times"));
    }
    match super::parse(text, names) {
        Ok(timings) => Ok(Live { timings, file }),
        Err(error) => Err(Error::failed(file.display(), error)),
    }
}
