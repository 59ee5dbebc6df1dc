// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Contexts by ioctl, as the text that `contexts` in debugfs has: so both are read by the same code, and kept in the same form.
//!
//! Two things the text knows and records do not: the names of allocation flags, which are numbers here, and the paths of
//! cgroups, which are looked for where these are mounted.

mod line;

use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd};

use alloctag_core::model::contexts::HEADER;
use foldhash::fast::RandomState;
use rustix::io::Errno;

use super::abi::context::{Context, Frame};
use super::abi::{self, Names};
use super::asking::all;
use line::Lines;

/// Attempts until no call site has come or gone between contexts and names.
const ATTEMPTS: u32 = 4;

type Map<V> = HashMap<u64, V, RandomState>;

/// All that the kernel says of contexts.
#[derive(Debug, Default)]
struct Told {
    contexts: Vec<Context>,
    /// By the id of the call site.
    names: Map<Names>,
    /// By the id of the context.
    frames: Map<Vec<Frame>>,
}

/// The text of all contexts; nothing if the kernel has no such ioctls. `cgroup` is asked for the path of a cgroup of that id.
///
/// # Errors
///
/// What the kernel says. `EPERM`: the functions that called are not for everybody.
pub fn read(file: impl AsFd, cgroup: impl Fn(u64) -> Option<String>) -> Result<Option<Vec<u8>>, Errno> {
    let file = file.as_fd();
    let mut told = Told::default();
    for _ in 0..ATTEMPTS {
        let (whole, now) = match attempt(file) {
            // Another kernel knows no such request, or takes its number for another one's.
            Err(Errno::NOTTY | Errno::INVAL) => return Ok(None),
            told => told?,
        };
        told = now;
        if whole {
            break;
        }
    }
    Ok(Some(print(&told, cgroup)))
}

/// What the kernel says, and whether all of it is of the same list of call sites.
fn attempt(file: BorrowedFd<'_>) -> Result<(bool, Told), Errno> {
    let mut told = Told::default();
    let before =
        all(|cursor, room: &mut [Context]| abi::ask(file, cursor, room), |&context| told.contexts.push(context))?;
    if told.contexts.is_empty() {
        return Ok((true, told));
    }
    all(
        |cursor, room: &mut [Frame]| abi::ask(file, cursor, room),
        |&frame| told.frames.entry(frame.context).or_default().push(frame),
    )?;
    let after = all(
        |cursor, room: &mut [Names]| abi::ask(file, cursor, room),
        |&names| {
            told.names.insert(names.id, names);
        },
    )?;
    Ok((before.content_id == after.content_id, told))
}

/// The text.
fn print(told: &Told, cgroup: impl Fn(u64) -> Option<String>) -> Vec<u8> {
    let mut lines = Lines::new();
    let mut text = HEADER.to_vec();
    for context in &told.contexts {
        let frames = told.frames.get(&context.id).map_or(&[][..], Vec::as_slice);
        text.extend_from_slice(lines.of(context, told.names.get(&context.site), frames, &cgroup));
    }
    text
}

#[cfg(test)]
#[path = "contexts/tests.rs"]
mod tests;
