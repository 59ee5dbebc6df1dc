// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Reads the running kernel: by text or by ioctl, whole or marked as torn.
//!
//! Alloctag's own ioctls ([`records`]) give hundreds of records a call, all numbers and whole names: where they are, nothing else
//! is asked. The choice between the others rests on `alloctag ctl --measure`, run in a guest with Linux 7.3.4 under `qemu -icount shift=0`, where a
//! microsecond is 1,000 instructions:
//!
//! ```text
//! INTERFACE              ROWS  MICROSECONDS
//! text, read and parsed  1616          8012
//! ioctl, one function       1           336
//! ioctl, everything      1616          5291
//! ```
//!
//! So what the kernel can filter without splitting a site ([`Filter`]), it should. For a whole profile the two are close (the
//! ioctls pay one system call a record, which instructions understate), and the text tells more: long names to their
//! beginning, and `key:value` pairs.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use rustix::io::Errno;

use super::filter::Filter;
use super::guard::Guard;
use super::kernel::State;
use super::{ioctl, records, surroundings, text, Interface, Request};
use crate::error::{describe, Error, Result};
use crate::model::{Builder, Meta, Names, Origin, Profile, Source, Version};

/// Attempts at reading between two equal guards before a profile is called torn.
const ATTEMPTS: u32 = 4;

/// Room for the text of a distribution's kernel (15,000 rows), so that it is not moved while being read.
pub const TEXT_ROOM: usize = 2 << 20;

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
    let Attempt { mut profile, before, after } = until_whole(|| attempt(path, request, names))?;
    let meta = &mut profile.meta;
    meta.torn = before != after;
    meta.content_id = after.content_id();
    surroundings::describe(meta, &request.procfs);
    Ok(profile)
}

/// A profile, and what the list of call sites was before and after.
struct Attempt {
    profile: Profile,
    before: Guard,
    after: Guard,
}

/// Attempts until one is whole, or there have been enough.
fn until_whole(mut attempt: impl FnMut() -> Result<Attempt>) -> Result<Attempt> {
    let mut last = attempt()?;
    for _ in 1..ATTEMPTS {
        if last.before == last.after {
            break;
        }
        last = attempt()?;
    }
    Ok(last)
}

fn attempt(path: &Path, request: &Request, names: &mut Names) -> Result<Attempt> {
    let file = File::open(path).map_err(|error| explain(path, &error, &request.procfs))?;
    let before = Guard::take(&file, &request.procfs);
    let mut builder = Builder::new(names);
    let fetched = fetch(&file, request, &before, &mut builder);
    let Fetched { source, version, filtered } = fetched.map_err(|problem| Error::failed(path.display(), problem))?;
    let after = Guard::take(&file, &request.procfs);
    let meta = Meta { origin: Origin::Live(path.to_owned()), source, version, filtered, ..Meta::default() };
    Ok(Attempt { profile: builder.finish(meta), before, after })
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
    if request.interface != Interface::Text && records::read(file, builder).map_err(refusal)? {
        return Ok(Fetched { source: Source::Ioctl, version: None, filtered: false });
    }
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
        error => refusal(error),
    })
}

fn refusal(error: Errno) -> String {
    format!("ioctl: {}", describe(&error.into()))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Attempts with these content ids before and after; returns how many were made, and whether the last is whole.
    fn outcome(ids: &[(u64, u64)]) -> (usize, bool) {
        let mut made = 0;
        let last = until_whole(|| {
            let (before, after) = ids[made];
            made += 1;
            let profile = Builder::new(&mut Names::new()).finish(Meta::default());
            Ok(Attempt { profile, before: Guard::ContentId(before), after: Guard::ContentId(after) })
        });
        let last = last.expect("no attempt fails");
        (made, last.before == last.after)
    }

    #[test]
    fn reading_is_repeated_while_modules_come_and_go_but_not_for_ever() {
        assert_eq!(outcome(&[(1, 1)]), (1, true));
        assert_eq!(outcome(&[(1, 2), (2, 2)]), (2, true));
        assert_eq!(outcome(&[(1, 2), (2, 3), (3, 4), (4, 4)]), (4, true));
        assert_eq!(outcome(&[(1, 2), (2, 3), (3, 4), (4, 5), (5, 5)]), (4, false));
    }

    #[test]
    fn a_failure_is_not_repeated() {
        let mut made = 0;
        let result = until_whole(|| {
            made += 1;
            Err(Error::Failed("no".into()))
        });
        assert!(result.is_err());
        assert_eq!(made, 1);
    }
}
