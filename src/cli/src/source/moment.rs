// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! When a saved profile was read from its kernel, by its file and without reading all of it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::{file, Request};
use crate::error::{describe, Error, Result};
use crate::model::{Meta, Names};
use crate::snapshot;

/// Bytes at the beginning of a snapshot among which its circumstances are: they take one or two KiB, and never all of this.
const BEGINNING: u64 = 16 << 10;

/// When a profile was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Milliseconds since 1970.
    pub time_ms: u64,
    /// In which life of a machine, and how many milliseconds after its beginning.
    pub boot: Option<(String, u64)>,
}

impl Moment {
    /// That of a profile; `None` if nobody noted it.
    pub fn of(meta: &Meta) -> Option<Moment> {
        let boot = meta.boot_id.clone().zip(meta.uptime_ms);
        Some(Moment { time_ms: meta.time_ms?, boot })
    }

    /// That of the profile in a file; `None` if the file does not tell, as texts do not.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn of_file(path: &Path) -> Result<Option<Moment>> {
        let failed = |error: io::Error| Error::failed(path.display(), describe(&error));
        let beginning = beginning(path).map_err(failed)?;
        if beginning.starts_with(snapshot::MAGIC) {
            let meta = snapshot::meta(&beginning).map_err(|error| Error::failed(path.display(), error))?;
            return Ok(Moment::of(&meta));
        }
        // A text tells no time; what is packed has to be unpacked to know whether it is one.
        if beginning.iter().take(snapshot::MAGIC.len()).all(u8::is_ascii) {
            return Ok(None);
        }
        let profile = file::read(path, &Request::live(Path::new("/proc")), &mut Names::new())?;
        Ok(Moment::of(&profile.meta))
    }
}

fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // A pipe has no beginning to look at: reading it would take it away from who reads it next.
    let file = File::open(path)?;
    if file.metadata()?.is_file() {
        file.take(BEGINNING).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
