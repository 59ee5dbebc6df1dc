// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Contexts by ioctl, as the text that `contexts` in debugfs has: so both are read by the same code, and kept in the same form.
//!
//! Two things the text knows and records do not: the names of allocation flags, which are numbers here, and the paths of
//! cgroups, which are looked for where these are mounted.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};

use foldhash::fast::RandomState;
use rustix::io::Errno;

use super::abi::{self, context as bits, context::Context, context::Frame};
use super::asking::{all, name};

/// Attempts until no call site has come or gone between contexts and names.
const ATTEMPTS: u32 = 4;

/// What stands for a value that is not known.
const UNKNOWN: &str = "?";

type Map<V> = HashMap<u64, V, RandomState>;

/// All that the kernel says of contexts.
#[derive(Debug, Default)]
struct Told {
    contexts: Vec<Context>,
    /// By the id of the call site.
    names: Map<String>,
    /// By the id of the context.
    frames: Map<Vec<(u32, String)>>,
}

/// The text of all contexts; nothing if the kernel has no such ioctls. `cgroup` is asked for the path of a cgroup of that id.
///
/// # Errors
///
/// What the kernel says. `EPERM`: the functions that called are not for everybody.
pub fn read(file: impl AsFd, cgroup: impl Fn(u64) -> Option<String>) -> Result<Option<String>, Errno> {
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
        |frame| told.frames.entry(frame.context).or_default().push((frame.place, function(frame))),
    )?;
    let after = all(
        |cursor, room: &mut [abi::Names]| abi::ask(file, cursor, room),
        |names| drop(told.names.insert(names.id, site(names).unwrap_or_else(|_| GONE.to_owned()))),
    )?;
    Ok((before.content_id == after.content_id, told))
}

/// What stands for a call site that has gone.
const GONE: &str = "(unloaded):0 func:?";

/// A call site as lines have it.
fn site(names: &abi::Names) -> Result<String, &'static str> {
    let (file, function, module) = (name(&names.file)?, name(&names.function)?, name(&names.module)?);
    let module = if module.is_empty() { String::new() } else { format!(" [{module}]") };
    let accurate = if names.flags & abi::INACCURATE == 0 { "" } else { " accurate:no" };
    Ok(format!("{file}:{}{module} func:{function}{accurate}", names.line))
}

/// A function as stacks have it.
fn function(frame: &Frame) -> String {
    match (name(&frame.function), name(&frame.module)) {
        (Ok(function), Ok("")) if !function.is_empty() => format!("{function}+{:#x}/{:#x}", frame.offset, frame.size),
        (Ok(function), Ok(module)) if !function.is_empty() => {
            format!("{function}+{:#x}/{:#x} [{module}]", frame.offset, frame.size)
        }
        _ => UNKNOWN.to_owned(),
    }
}

/// The text.
fn print(told: &Told, cgroup: impl Fn(u64) -> Option<String>) -> String {
    let mut text = "contexts - version: 1.0\n".to_owned();
    for context in &told.contexts {
        let frames = told.frames.get(&context.id).map_or(&[][..], Vec::as_slice);
        let site = told.names.get(&context.site).map_or(GONE, String::as_str);
        // Memory takes all.
        let _ = one(context, site, frames, &cgroup, &mut text);
    }
    text
}

fn one(
    context: &Context,
    site: &str,
    frames: &[(u32, String)],
    cgroup: impl Fn(u64) -> Option<String>,
    out: &mut String,
) -> fmt::Result {
    let Context { bytes, calls, slack, allocs, frees, allocated, .. } = context;
    // CAST: the number in the text is the lower half.
    let number = context.id as u32;
    write!(
        out,
        "{bytes} {calls} {site} ctx:{number} slack:{slack} allocs:{allocs} frees:{frees} allocated:{allocated}"
    )?;
    let has = |key: u64| context.keys & key != 0;
    if has(bits::CALLER) {
        let caller = frames.iter().find(|(place, _)| *place == 1).map_or(UNKNOWN, |(_, function)| function);
        pair(out, "caller", caller.as_bytes())?;
    }
    // What is known of tasks only.
    let of_task = |value: String| if context.flags & bits::INTERRUPT == 0 { value } else { "irq".to_owned() };
    if has(bits::COMM) {
        let end = memchr::memchr(0, &context.comm).unwrap_or(context.comm.len());
        match context.flags & bits::INTERRUPT {
            0 => pair(out, "comm", &context.comm[..end])?,
            _ => pair(out, "comm", b"irq")?,
        }
    }
    if has(bits::PID) {
        pair(out, "pid", of_task(context.pid.to_string()).as_bytes())?;
    }
    if has(bits::NODE) {
        let node = u32::try_from(context.node).map_or_else(|_| "any".to_owned(), |node| node.to_string());
        pair(out, "node", node.as_bytes())?;
    }
    if has(bits::CGROUP) {
        let path = || cgroup(context.cgroup).unwrap_or_else(|| UNKNOWN.to_owned());
        pair(out, "cgroup", of_task(format!("{},{}", context.cgroup, path())).as_bytes())?;
    }
    if has(bits::GFP) {
        let flags = if context.gfp == u32::MAX { UNKNOWN.to_owned() } else { format!("{:#x}", context.gfp) };
        pair(out, "gfp", flags.as_bytes())?;
    }
    if has(bits::ORDER) {
        pair(out, "order", context.order.to_string().as_bytes())?;
    }
    if has(bits::AGE) {
        let to = if context.age_to == u64::MAX { String::new() } else { context.age_to.to_string() };
        pair(out, "age", format!("{}-{to}", context.age_from).as_bytes())?;
    }
    if context.every != 0 {
        pair(out, "every", context.every.to_string().as_bytes())?;
    }
    out.push('\n');
    if !has(bits::STACK) {
        return Ok(());
    }
    frames.iter().try_for_each(|(_, function)| writeln!(out, "  {function}"))
}

/// A key and its value: what would end it or its line, and what does not print, as its octal number.
fn pair(out: &mut String, key: &str, value: &[u8]) -> fmt::Result {
    write!(out, " {key}:")?;
    value.iter().try_for_each(|&byte| match byte {
        b'\\' | ..=b' ' | 0x7f.. => write!(out, "\\{byte:03o}"),
        byte => out.write_char(char::from(byte)),
    })
}

#[cfg(test)]
#[path = "contexts/tests.rs"]
mod tests;
