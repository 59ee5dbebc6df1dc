// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The lines of a context, by the kernel's own code. Kernel side: `src/surface/contexts.rs`.

use alloctag_core::model::contexts::{self, ages, escaped, value};
use alloctag_core::model::text::{Full, Row, Text};
use alloctag_core::model::totals::Totals;

use crate::source::records::abi::context::{self as bits, Context, Frame};
use crate::source::records::abi::{Names, INACCURATE};
use crate::source::records::asking::name;

/// Bytes that the lines of most contexts fit into.
const ROOM: usize = 16 << 10;

/// What stands for a value that is not known.
const UNKNOWN: &str = "?";

/// What stands for a task's values where an interrupt allocated.
const INTERRUPT: &[u8] = b"irq";

/// What stands for a call site that has gone.
const NO_ROW: Row<'_> = Row { file: b"(unloaded)", line: 0, module: None, function: b"?", accurate: true };

/// Writes them, in room that grows where it is too little.
#[derive(Debug)]
pub(super) struct Lines {
    buffer: Vec<u8>,
}

impl Lines {
    /// With no lines yet.
    pub(super) fn new() -> Lines {
        Lines { buffer: vec![0; ROOM] }
    }

    /// Those of a context with such a call site and such functions.
    pub(super) fn of(
        &mut self,
        context: &Context,
        site: Option<&Names>,
        frames: &[Frame],
        cgroup: impl Fn(u64) -> Option<String>,
    ) -> &[u8] {
        let used = loop {
            let mut text = Text::new(&mut self.buffer);
            match write(&mut text, context, site, frames, &cgroup) {
                Ok(()) => break text.used(),
                Err(Full) => self.buffer.resize(2 * self.buffer.len(), 0),
            }
        };
        &self.buffer[..used]
    }
}

fn write(
    text: &mut Text<'_>,
    context: &Context,
    site: Option<&Names>,
    frames: &[Frame],
    cgroup: impl Fn(u64) -> Option<String>,
) -> Result<(), Full> {
    let &Context { id, bytes, calls, slack, allocs, frees, allocated, .. } = context;
    // CAST: the number in the text is the lower half.
    let number = id as u32 as usize;
    let totals = Totals { bytes, calls, slack, allocs, frees, allocated };
    contexts::numbers(text, &site.map_or(NO_ROW, row), number, totals)?;
    circumstances(text, context, frames, cgroup)?;
    if context.keys & bits::STACK != 0 {
        frames.iter().try_for_each(|frame| contexts::frame(text, function(frame).as_bytes()))?;
    }
    text.bytes(b"\n")
}

fn row(site: &Names) -> Row<'_> {
    let known = |field| name(field).unwrap_or(UNKNOWN);
    let module = Some(known(&site.module)).filter(|module| !module.is_empty());
    Row {
        file: known(&site.file).as_bytes(),
        line: site.line,
        module: module.map(str::as_bytes),
        function: known(&site.function).as_bytes(),
        accurate: site.flags & INACCURATE == 0,
    }
}

/// A function as stacks have it.
fn function(frame: &Frame) -> String {
    let &Frame { offset, size, .. } = frame;
    match (name(&frame.function), name(&frame.module)) {
        (Ok(""), _) | (Err(_), _) | (_, Err(_)) => UNKNOWN.to_owned(),
        (Ok(function), Ok("")) => format!("{function}+{offset:#x}/{size:#x}"),
        (Ok(function), Ok(module)) => format!("{function}+{offset:#x}/{size:#x} [{module}]"),
    }
}

/// What tells a context apart, but for its stack.
fn circumstances(
    text: &mut Text<'_>,
    context: &Context,
    frames: &[Frame],
    cgroup: impl Fn(u64) -> Option<String>,
) -> Result<(), Full> {
    let has = |key: u64| context.keys & key != 0;
    let of_task = context.flags & bits::INTERRUPT == 0;
    if has(bits::CALLER) {
        let caller = frames.iter().find(|frame| frame.place == 1).map_or(UNKNOWN.to_owned(), function);
        contexts::name(text, b"caller", caller.as_bytes())?;
    }
    if has(bits::COMM) {
        let comm = context.comm.split(|&byte| byte == 0).next().unwrap_or_default();
        contexts::name(text, b"comm", if of_task { comm } else { INTERRUPT })?;
    }
    if has(bits::PID) {
        match of_task {
            true => value(text, b"pid", context.pid.into())?,
            false => contexts::name(text, b"pid", INTERRUPT)?,
        }
    }
    if has(bits::NODE) {
        match u64::try_from(context.node) {
            Ok(node) => value(text, b"node", node)?,
            Err(_) => contexts::name(text, b"node", b"any")?,
        }
    }
    if has(bits::CGROUP) && of_task {
        value(text, b"cgroup", context.cgroup)?;
        text.bytes(b",")?;
        escaped(text, cgroup(context.cgroup).as_deref().unwrap_or(UNKNOWN).as_bytes())?;
    } else if has(bits::CGROUP) {
        contexts::name(text, b"cgroup", INTERRUPT)?;
    }
    if has(bits::GFP) {
        let flags = if context.gfp == u32::MAX { UNKNOWN.to_owned() } else { format!("{:#x}", context.gfp) };
        contexts::name(text, b"gfp", flags.as_bytes())?;
    }
    if has(bits::ORDER) {
        value(text, b"order", context.order.into())?;
    }
    if has(bits::AGE) {
        ages(text, (context.age_from, Some(context.age_to).filter(|&to| to != u64::MAX)))?;
    }
    match context.every {
        0 => Ok(()),
        every => value(text, b"every", every),
    }
}
