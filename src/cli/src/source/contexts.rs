// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The text of `/sys/kernel/debug/alloctag/contexts`, version 1.x: what chosen call sites have, by where it comes from and for
//! whom.
//!
//! ```text
//! contexts - version: 1.0
//! # bytes calls tag key:value
//! 544 1 fs/inode.c:340 func:alloc_inode ctx:0 slack:8 allocs:1 frees:0 allocated:544 comm:my\040task
//!   iget_locked+0x21c/0x300
//!   ext4_lookup+0x9f/0x120 [ext4]
//! ```
//!
//! A context is a row as `/proc/allocinfo` has it, with numbers and keys behind it, and its stack below, indented. Keys that are
//! not known are kept as all others are. What does not fit is counted, with all that is indented below it.
//!
//! Kernel side: `src/model/contexts.rs`.

mod line;
mod live;
mod print;

use std::fmt;

use crate::model::{Contexts, ContextsBuilder, Names, Refused, Version};
use line::Head;
use print::TITLE;

pub use live::{read, read_any, Live};
pub use print::print;

/// The newest major version that this code knows.
const NEWEST: u32 = 1;

/// Functions of a stack. The kernel keeps 16.
const DEPTH_LIMIT: usize = 64;

/// Why a whole text was turned down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContextsError {
    /// A version whose lines may mean something else.
    UnknownVersion(Version),
    /// The title has no version.
    NoVersion,
    /// So many of them, one behind the other.
    Several(usize),
}

impl fmt::Display for ContextsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContextsError::UnknownVersion(version) => {
                write!(f, "has contexts of version {version}, which this alloctag does not know (1.x is); update it")
            }
            ContextsError::NoVersion => f.write_str("has contexts of no version"),
            ContextsError::Several(count) => {
                write!(f, "holds the contexts of {count} moments, one behind the other; give each a file of its own")
            }
        }
    }
}

/// Whether `text` is one of contexts, by its first line.
pub fn is_contexts(text: &[u8]) -> bool {
    text.starts_with(TITLE.as_bytes())
}

/// Reads all contexts of `text`, whose names go into `names`.
///
/// # Errors
///
/// If it is of another version, or more than one. Single contexts that cannot be read are counted.
pub fn parse(text: &[u8], names: &mut Names) -> Result<Contexts, ContextsError> {
    let mut builder = ContextsBuilder::new(names);
    let mut titles = 0;
    let mut open: Option<Open<'_>> = None;
    let lines = text.split_inclusive(|&byte| byte == b'\n').enumerate();
    for (place, line) in lines {
        let ends = line.ends_with(b"\n");
        let line = std::str::from_utf8(line).map(|line| line.strip_suffix('\n').unwrap_or(line));
        if line.is_ok_and(|line| line.starts_with(TITLE)) {
            close(open.take(), &mut builder);
            titles += 1;
            version(line.unwrap_or_default())?;
        } else if line.is_ok_and(|line| line.starts_with([' ', '\t'])) {
            if let Some(open) = &mut open {
                open.frame(line.unwrap_or_default().trim_ascii(), ends);
            }
        } else {
            close(open.take(), &mut builder);
            open = match line {
                Ok("") => None,
                Ok(line) if line.starts_with('#') => None,
                Ok(line) => Some(Open::new(place, line, ends)),
                Err(_) => Some(Open { place, head: Err("it is not UTF-8"), stack: Vec::new() }),
            };
        }
    }
    close(open, &mut builder);
    if titles > 1 {
        return Err(ContextsError::Several(titles));
    }
    Ok(builder.finish())
}

/// A context while lines below it may be its own.
struct Open<'t> {
    place: usize,
    head: Result<Head<'t>, &'static str>,
    stack: Vec<&'t str>,
}

/// What is said of a text that ends within a line.
const CUT: &str = "it does not end: the text was cut off here";

impl<'t> Open<'t> {
    fn new(place: usize, line: &'t str, ends: bool) -> Open<'t> {
        let head = if ends { line::head(line) } else { Err(CUT) };
        Open { place, head, stack: Vec::new() }
    }

    fn frame(&mut self, frame: &'t str, ends: bool) {
        if !ends {
            self.head = Err(CUT);
        } else if frame.is_empty() || frame.contains(char::is_control) {
            self.head = Err("a function of its stack is none");
        } else if self.stack.len() == DEPTH_LIMIT {
            self.head = Err("its stack is too deep");
        } else {
            self.stack.push(frame);
        }
    }
}

fn close(open: Option<Open<'_>>, builder: &mut ContextsBuilder<'_>) {
    let Some(Open { place, head, stack }) = open else { return };
    let taken = head.and_then(|Head { number, sample, keys }| {
        let keys: Vec<(&str, &str)> = keys.iter().map(|(key, value)| (*key, value.as_ref())).collect();
        builder.push(number, &sample, &keys, &stack).map_err(Refused::reason)
    });
    if let Err(reason) = taken {
        builder.unreadable(|| format!("line {}", place + 1), reason);
    }
}

fn version(title: &str) -> Result<(), ContextsError> {
    let number = |text: &str| text.trim().parse().ok();
    let version = title.strip_prefix(TITLE).and_then(|rest| rest.split_once('.'));
    let version = version.and_then(|(major, minor)| Some(Version { major: number(major)?, minor: number(minor)? }));
    match version {
        None => Err(ContextsError::NoVersion),
        Some(version) if version.major > NEWEST => Err(ContextsError::UnknownVersion(version)),
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
