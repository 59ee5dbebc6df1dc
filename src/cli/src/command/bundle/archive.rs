// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A gzipped tar in memory: bundles are some megabytes.

use std::path::Path;

use flate2::write::GzEncoder;
use flate2::Compression;

use crate::error::{describe, Error, Result};

/// Only the owner may read it: `slabinfo` and `allocinfo` are for root alone.
const MODE: u32 = 0o600;

/// An archive in the making.
pub(super) struct Archive {
    tar: tar::Builder<GzEncoder<Vec<u8>>>,
    directory: String,
    time: u64,
}

impl Archive {
    /// An archive all of whose files are in `directory` and were made at `time`, in seconds since 1970.
    pub(super) fn new(directory: &str, time: u64) -> Archive {
        let gzip = GzEncoder::new(Vec::new(), Compression::default());
        Archive { tar: tar::Builder::new(gzip), directory: directory.to_owned(), time }
    }

    pub(super) fn add(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(u64::try_from(content.len()).expect("it is in memory"));
        header.set_mode(MODE);
        header.set_mtime(self.time);
        let path = format!("{}/{name}", self.directory);
        self.tar.append_data(&mut header, path, content).map_err(|error| Error::failed(name, describe(&error)))
    }

    /// Its bytes, for what is called `path`.
    pub(super) fn finish(self, path: &Path) -> Result<Vec<u8>> {
        let packed = self.tar.into_inner().and_then(GzEncoder::finish);
        packed.map_err(|error| Error::failed(path.display(), describe(&error)))
    }
}
