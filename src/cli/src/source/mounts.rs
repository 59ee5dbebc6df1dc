// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Where filesystems are mounted.

use std::fs;
use std::path::{Path, PathBuf};

use super::escape::unescape;

/// Where the procfs at `procfs` says that the first filesystem of this kind is.
pub fn first(procfs: &Path, kind: &str) -> Option<PathBuf> {
    let mounts = fs::read_to_string(procfs.join("mounts")).ok()?;
    let mut mounts = mounts.lines().map(|line| line.split(' '));
    let place = mounts.find_map(|mut words| words.nth(1).filter(|_| words.next() == Some(kind)))?;
    Some(unescape(place).into_owned().into())
}
