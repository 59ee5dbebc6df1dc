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

/// Reads them, by the procfs that tells where debugfs is; nothing if the kernel tells no contexts apart, or has no debugfs for it.
///
/// # Errors
///
/// Why they cannot be read, and what to do.
pub fn read_any(procfs: &Path, names: &mut Names) -> Result<Option<Live>> {
    let path = debugfs::directory(procfs).join("contexts");
    match text(&path) {
        Ok(text) => parse(&text, path, names).map(Some),
        Err(error) => match by_ioctl(procfs, names)? {
            None if error.kind() == io::ErrorKind::NotFound => Ok(None),
            None => Err(debugfs::explain(&path, &error, procfs)),
            found => Ok(found),
        },
    }
}

/// The same where contexts are all that is wanted.
///
/// # Errors
///
/// As [`read_any()`], and if there is nothing to read.
pub fn read(procfs: &Path, names: &mut Names) -> Result<Live> {
    let path = debugfs::directory(procfs).join("contexts");
    read_any(procfs, names)?.ok_or_else(|| debugfs::explain(&path, &io::ErrorKind::NotFound.into(), procfs))
}

fn text(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path)?.take(LIMIT).read_to_end(&mut text)?;
    Ok(text)
}

fn by_ioctl(procfs: &Path, names: &mut Names) -> Result<Option<Live>> {
    let path = procfs.join("allocinfo");
    let Ok(file) = File::open(&path) else { return Ok(None) };
    let cgroups = Cgroups::of(procfs);
    match records::contexts::read(&file, |id| cgroups.path(id)) {
        Ok(Some(text)) => parse(text.as_bytes(), path, names).map(Some),
        Ok(None) => Ok(None),
        Err(Errno::PERM) => Err(Error::failed(
            path.display(),
            "shows the functions that called to those only whom /proc/kallsyms shows addresses; see kernel.kptr_restrict",
        )),
        Err(error) => Err(Error::failed(path.display(), format!("ioctl: {}", describe(&error.into())))),
    }
}

fn parse(text: &[u8], file: PathBuf, names: &mut Names) -> Result<Live> {
    if !text.is_empty() && !super::is_contexts(text) {
        return Err(Error::failed(file.display(), describe(&io::Error::other("is not the text of contexts"))));
    }
    match super::parse(text, names) {
        Ok(contexts) => Ok(Live { contexts, file }),
        Err(error) => Err(Error::failed(file.display(), error)),
    }
}
