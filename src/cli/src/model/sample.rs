// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A row on its way into a profile.

use super::Numbers;

/// One row as a source yields it, its names borrowed from the source's buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample<'a> {
    /// The source file.
    pub file: &'a str,
    /// The line in it.
    pub line: u32,
    /// The function.
    pub func: &'a str,
    /// The module; `None` for built-in code.
    pub module: Option<&'a str>,
    /// Live bytes.
    pub bytes: i64,
    /// Live allocations.
    pub calls: i64,
    /// Whether the values, not only their changes, can be trusted.
    pub accurate: bool,
    /// Whether a name may have lost its beginning.
    pub clipped: bool,
    /// How many rows this one already stands for: 1 unless a snapshot says more.
    pub merged: u32,
    /// What the kernel counts besides.
    pub numbers: Numbers,
    /// Other `key:value` pairs.
    pub extra: Vec<(&'a str, &'a str)>,
}
