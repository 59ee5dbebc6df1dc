// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Reads the running kernel: by text or by ioctl, whole or marked as torn.
//!
//! Which is cheaper depends on how many rows are wanted. Text costs the formatting and parsing of every row but few system
//! calls; the ioctls cost one system call per record, of rows that pass the kernel's own filter only. So: text for whole
//! profiles, ioctls where the filter is exact. `alloctag ctl --measure` shows the figures on the kernel at hand.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use rustix::io::Errno;

use super::filter::Filter;
use super::guard::Guard;
use super::kernel::State;
use super::{ioctl, surroundings, text, Interface, Request};
use crate::error::{describe, Error, Result};
use crate::model::{Builder, Meta, Names, Origin, Profile, Source, Version};

/// Attempts at reading between two equal guards before a profile is called torn.
const ATTEMPTS: u32 = 4;

/// Room for the text of a distribution's kernel (15,000 rows), so that it is not moved while being read.
const TEXT_ROOM: usize = 2 << 20;

/// Reads `allocinfo` of the procfs in `request`.
///
/// # Errors
///
/// Why it cannot be read, and what to do.
pub fn read(request: &Request, names: &mut Names) -> Result<Profile> {
    read_at(&request.procfs.join("allocinfo"), request, names)
}

/// The same for an `allocinfo` at an unusual place.
///
/// # Errors
///
/// As [`read`].
pub fn read_at(path: &Path, request: &Request, names: &mut Names) -> Result<Profile> {
    let mut attempt = 1;
    loop {
        let file = File::open(path).map_err(|error| explain(path, &error, &request.procfs))?;
        let before = Guard::take(&file, &request.procfs);
        let mut builder = Builder::new(names);
        let fetched =
            fetch(&file, request, &before, &mut builder).map_err(|problem| Error::failed(path.display(), problem))?;
        let after = Guard::take(&file, &request.procfs);
        if before == after || attempt == ATTEMPTS {
            let mut meta = Meta {
                origin: Origin::Live(path.to_owned()),
                source: fetched.source,
                version: fetched.version,
                filtered: fetched.filtered,
                torn: before != after,
                content_id: after.content_id(),
                ..Meta::default()
            };
            surroundings::describe(&mut meta, &request.procfs);
            return Ok(builder.finish(meta));
        }
        attempt += 1;
    }
}

struct Fetched {
    source: Source,
    version: Option<Version>,
    filtered: bool,
}

fn fetch(
    file: &File,
    request: &Request,
    guard: &Guard,
    builder: &mut Builder<'_>,
) -> std::result::Result<Fetched, String> {
    let filter = request.filter.clone().unwrap_or_default();
    let by_ioctl = match request.interface {
        Interface::Text => false,
        Interface::Ioctl => true,
        Interface::Auto => !filter.is_empty() && guard.content_id().is_some(),
    };
    if by_ioctl {
        fetch_by_ioctl(file, &filter, builder)?;
        // Rows that lack the beginning of a name are not what anybody asked for: the text has it.
        if request.interface == Interface::Ioctl || !builder.is_clipped() {
            return Ok(Fetched { source: Source::Ioctl, version: None, filtered: !filter.is_empty() });
        }
        builder.clear();
    }
    let version = fetch_by_text(file, builder)?;
    Ok(Fetched { source: Source::Text, version, filtered: false })
}

fn fetch_by_ioctl(file: &File, filter: &Filter, builder: &mut Builder<'_>) -> std::result::Result<(), String> {
    ioctl::read(file, filter, builder).map_err(|error| match error {
        Errno::NOTTY => "has no ioctls in this kernel; use --source text".into(),
        error => format!("ioctl: {}", describe(&error.into())),
    })
}

fn fetch_by_text(mut file: &File, builder: &mut Builder<'_>) -> std::result::Result<Option<Version>, String> {
    let mut bytes = Vec::with_capacity(TEXT_ROOM);
    file.read_to_end(&mut bytes).map_err(|error| describe(&error))?;
    text::parse(&bytes, builder).map_err(|error| error.to_string())
}

/// What to say when `allocinfo` does not open.
fn explain(path: &Path, error: &io::Error, procfs: &Path) -> Error {
    // Only of the usual place does the state of the kernel tell more than the error.
    if path == procfs.join("allocinfo") {
        if let Some(obstacle) = State::look(procfs).obstacle() {
            return Error::Failed(obstacle);
        }
    }
    Error::failed(path.display(), describe(error))
}
