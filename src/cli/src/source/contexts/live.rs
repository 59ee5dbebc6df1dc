// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The contexts of the running kernel: by the text in debugfs, or by ioctl where that cannot be used.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use crate::error::{describe, Error, Result};
use crate::model::{Contexts, Names};
use crate::source::cgroups::Cgroups;
use crate::source::{debugfs, records};

/// Bytes. A table that is as large as it can be (2^17 contexts of 16 functions) has some 100 MiB.
const LIMIT: u64 = 256 << 20;

/// What was read, and where.
#[derive(Debug)]
pub struct Live {
    /// All contexts.
    pub contexts: Contexts,
    /// The file that has them.
    pub file: PathBuf,
}

/// Reads them, by the procfs that tells where debugfs is.
///
/// # Errors
///
/// Why they cannot be read, and what to do.
pub fn read(procfs: &Path, names: &mut Names) -> Result<Live> {
    let (text, file) = look(procfs).map_err(|obstacle| obstacle.explain(procfs))?;
    parse(&text, file, names)
}

/// The same where contexts are wanted beside other things: nothing if the kernel tells none apart, or not to everybody.
///
/// # Errors
///
/// As [`read()`], but for these.
pub fn read_any(procfs: &Path, names: &mut Names) -> Result<Option<Live>> {
    match look(procfs) {
        Ok((text, file)) => parse(&text, file, names).map(Some),
        Err(Obstacle { error, .. })
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) =>
        {
            Ok(None)
        }
        Err(obstacle) => Err(obstacle.explain(procfs)),
    }
}

/// What is in the way.
#[derive(Debug)]
struct Obstacle {
    file: PathBuf,
    error: io::Error,
    /// It is the ioctl that failed.
    by_ioctl: bool,
}

impl Obstacle {
    fn explain(&self, procfs: &Path) -> Error {
        let failed = |problem: &str| Error::failed(self.file.display(), problem);
        match Errno::from_io_error(&self.error) {
            Some(Errno::PERM) if self.by_ioctl => failed(
                "shows the functions that called to those only whom /proc/kallsyms shows addresses; see kernel.kptr_restrict",
            ),
            _ if self.by_ioctl => failed(&format!("ioctl: {}", describe(&self.error))),
            _ => debugfs::explain(&self.file, &self.error, procfs),
        }
    }
}

/// The text, and the file that has it.
fn look(procfs: &Path) -> std::result::Result<(Vec<u8>, PathBuf), Obstacle> {
    let file = debugfs::directory(procfs).join("contexts");
    let error = match text(&file) {
        Ok(text) => return Ok((text, file)),
        Err(error) => error,
    };
    let allocinfo = procfs.join("allocinfo");
    let cgroups = Cgroups::of(procfs);
    match File::open(&allocinfo).map(|file| records::contexts::read(file, |id| cgroups.path(id))) {
        Ok(Ok(Some(text))) => Ok((text, allocinfo)),
        Ok(Err(error)) => Err(Obstacle { file: allocinfo, error: error.into(), by_ioctl: true }),
        Ok(Ok(None)) | Err(_) => Err(Obstacle { file, error, by_ioctl: false }),
    }
}

fn text(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path)?.take(LIMIT).read_to_end(&mut text)?;
    Ok(text)
}

fn parse(text: &[u8], file: PathBuf, names: &mut Names) -> Result<Live> {
    if !text.is_empty() && !super::is_contexts(text) {
        return Err(Error::failed(file.display(), "is not the text of contexts"));
    }
    match super::parse(text, names) {
        Ok(contexts) => Ok(Live { contexts, file }),
        Err(error) => Err(Error::failed(file.display(), error)),
    }
}
