// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The contexts of the running kernel.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::{describe, Error, Result};
use crate::model::{Contexts, Names};
use crate::source::debugfs;

/// Bytes. A table that is as large as it can be (2^17 contexts of 16 functions) has some 100 MiB.
const LIMIT: u64 = 256 << 20;

/// Where they are.
pub fn file(procfs: &Path) -> PathBuf {
    debugfs::directory(procfs).join("contexts")
}

/// Reads them, by the procfs that tells where debugfs is.
///
/// # Errors
///
/// Why they cannot be read, and what to do.
pub fn read(procfs: &Path, names: &mut Names) -> Result<Contexts> {
    let path = file(procfs);
    let mut text = Vec::new();
    let read = File::open(&path).and_then(|file| file.take(LIMIT).read_to_end(&mut text));
    read.map_err(|error: io::Error| debugfs::explain(&path, &error, procfs))?;
    if !text.is_empty() && !super::is_contexts(&text) {
        return Err(Error::failed(path.display(), describe(&io::Error::other("is not the text of contexts"))));
    }
    super::parse(&text, names).map_err(|error| Error::failed(path.display(), error))
}
