// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Which call sites a rule is about.

use crate::model::{glob, text::Row};

/// Lines that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    first: u32,
    last: u32,
}

impl Lines {
    /// From one line to another, both included; `None` where there is none.
    pub(super) fn new(first: u32, last: u32) -> Option<Self> {
        (first <= last).then_some(Self { first, last })
    }

    /// The first line, and the last.
    pub(super) fn bounds(self) -> (u32, u32) {
        (self.first, self.last)
    }

    fn contain(self, line: u32) -> bool {
        (self.first..=self.last).contains(&line)
    }
}

/// Call sites, by all of what is given; all of them where nothing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sites<'a> {
    /// A pattern of the file's path or of its last part.
    pub(super) file: Option<&'a [u8]>,
    /// A pattern of the function.
    pub(super) function: Option<&'a [u8]>,
    /// A pattern of the module, which what is built in has not.
    pub(super) module: Option<&'a [u8]>,
    /// Lines.
    pub(super) lines: Option<Lines>,
}

impl Sites<'_> {
    /// Whether a call site is one of these.
    pub(super) fn contain(&self, site: &Row<'_>) -> bool {
        self.lines.is_none_or(|lines| lines.contain(site.line))
            && fits(self.module, site.module)
            && fits(self.function, Some(site.function))
            && (fits(self.file, Some(site.file)) || fits(self.file, Some(last_part(site.file))))
    }
}

/// Whether a name is there that a pattern matches, if there is a pattern.
fn fits(pattern: Option<&[u8]>, name: Option<&[u8]>) -> bool {
    match (pattern, name) {
        (None, _) => true,
        (Some(pattern), Some(name)) => glob::matches(pattern, name),
        (Some(_), None) => false,
    }
}

/// What follows the last `/` of a path.
fn last_part(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}
