// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A recording: a directory of snapshots, each a file of its own, whose names sort by their order.
//!
//! ```text
//! 00000041-20261121T070000Z.alloctag
//! 00000042-20261121T070100Z.alloctag
//! ```
//!
//! A snapshot is there whole or not at all ([`crate::storage`]), so that a recorder may die at any moment. The number
//! in front keeps the order when somebody sets the clock. A directory of snapshots with other names, as `alloctag snap` makes them,
//! is a recording in the order of the times in them.

mod choice;
mod directory;
mod order;
mod ring;
mod thinned;

use std::path::PathBuf;

use crate::error::Result;
use crate::time::Clock;

pub use choice::{beside, choose};
pub use directory::{entries, number, parts, snapshots, Entry};
pub use ring::{Retention, Ring};
pub use thinned::Thinned;

/// The files that `paths` mean: all snapshots of a directory, the one that a directory with a moment means, and other files
/// themselves.
///
/// # Errors
///
/// If a directory cannot be read or is no recording.
pub fn files(paths: &[PathBuf], clock: &Clock) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(snapshots(path)?);
        } else {
            files.push(choose(path, clock)?);
        }
    }
    Ok(files)
}

/// What [`files`] gives, in the order of time: the files that `paths` name are put in it, directories have theirs. With it comes
/// how many files were out of order.
///
/// # Errors
///
/// As [`files`].
pub fn by_time(paths: &[PathBuf], clock: &Clock) -> Result<(Vec<PathBuf>, usize)> {
    let mut files = files(paths, clock)?;
    // Numbers keep a recording in order, be it on its own.
    let moved = if paths.len() > 1 { order::sort(&mut files) } else { 0 };
    Ok((files, moved))
}
