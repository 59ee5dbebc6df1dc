// SPDX-License-Identifier: GPL-2.0-only

//! `/sys/kernel/debug/alloctag/contexts`: what chosen call sites have, by where it came from and for whom.
//!
//! A line is found and shown with the rules locked, so that its context stays. Between lines its place in the table is what a
//! reader keeps.

use super::debugfs::Operations;
use crate::{
    detail::{
        circumstances::{NO_FLAGS, NO_NODE},
        rules::{self, Rules},
    },
    model::{
        context::Key,
        contexts::{self, frame, name, value},
        rule::By,
        text::{Full, Row, Text},
    },
    platform::{clock, contexts::Context, flags, resched, seq::SeqFile, switch, task},
    registry,
};
use core::{
    ffi::{c_int, c_void},
    mem::size_of,
    ptr::{from_mut, null_mut},
};
use kernel::{bindings, prelude::*};

/// Where a reader is; what its open file remembers. All zeroes is before the first line.
struct Place {
    /// Behind the context that was shown last.
    next: usize,
    header_due: bool,
}

impl Place {
    /// Goes to the first context from here on, or to the end.
    fn settle(&mut self, rules: &Rules) -> *mut c_void {
        match rules.context_from(self.next) {
            Some((place, _)) => {
                self.next = place;
                from_mut(self).cast()
            }
            None => null_mut(),
        }
    }
}

/// Goes to the context at `pos`, or the next one that there is.
///
/// # Safety
///
/// As seq_file calls it, on a file whose private data is a [`Place`].
unsafe extern "C" fn start(
    file: *mut bindings::seq_file,
    pos: *mut bindings::loff_t,
) -> *mut c_void {
    // SAFETY: By the caller's promise.
    let (place, pos) = unsafe { (&mut *SeqFile::from_raw(file).private::<Place>(), *pos) };
    if pos == 0 {
        *place = Place {
            next: 0,
            header_due: true,
        };
    }
    place.settle(&rules::lock())
}

/// Moves on.
///
/// # Safety
///
/// As for [`start()`].
unsafe extern "C" fn next(
    _file: *mut bindings::seq_file,
    place: *mut c_void,
    pos: *mut bindings::loff_t,
) -> *mut c_void {
    // SAFETY: `place` came from `start()`, `pos` from seq_file.
    let place = unsafe {
        *pos += 1;
        resched::at_step(*pos as u64);
        &mut *place.cast::<Place>()
    };
    place.next += 1;
    place.settle(&rules::lock())
}

/// Nothing is held.
///
/// # Safety
///
/// None.
unsafe extern "C" fn stop(_file: *mut bindings::seq_file, _place: *mut c_void) {}

/// Prints a context, unless it has gone meanwhile.
///
/// # Safety
///
/// As for [`start()`], of whose result `place` is.
unsafe extern "C" fn show(file: *mut bindings::seq_file, place: *mut c_void) -> c_int {
    // SAFETY: By the caller's promise.
    let (mut file, place) = unsafe { (SeqFile::from_raw(file), &mut *place.cast::<Place>()) };
    let rules = rules::lock();
    let header_due = core::mem::take(&mut place.header_due);
    file.append(|text| {
        if header_due {
            text.bytes(contexts::HEADER)?;
        }
        match rules.context_from(place.next) {
            Some((at, context)) if at == place.next => line(text, &rules, at, context),
            _ => Ok(()),
        }
    });
    0
}

/// For whom an interrupt allocates.
const INTERRUPT: &[u8] = b"irq";

/// What stands for a call site that has gone.
const NO_ROW: Row<'_> = Row {
    file: b"(unloaded)",
    line: 0,
    module: None,
    function: b"?",
    accurate: true,
};

/// Appends a context.
fn line(
    text: &mut Text<'_>,
    rules: &Rules,
    number: usize,
    context: Context<'_>,
) -> Result<(), Full> {
    let key = context.key();
    let totals = context.totals();
    // What nobody finds any more and has nothing alive is about to go.
    if !context.is_linked() && totals.is_idle() {
        return Ok(());
    }
    let sections = registry::read();
    let row = sections.row_of(key.site()).unwrap_or(NO_ROW);
    contexts::numbers(text, &row, number, totals)?;
    drop(sections);
    circumstances(text, rules, number, &key)?;
    if key.keys().has(By::Stack) {
        for address in key.stack() {
            rules.name(number, *address, |name| frame(text, name))?;
        }
    }
    text.bytes(b"\n")
}

/// Appends what tells a context apart, but for its stack.
fn circumstances(
    text: &mut Text<'_>,
    rules: &Rules,
    number: usize,
    key: &Key<'_>,
) -> Result<(), Full> {
    let keys = key.keys();
    if keys.has(By::Caller) {
        // Of a whole stack it is the second, alone it is all that was kept.
        let place = usize::from(keys.has(By::Stack));
        match key.stack().get(place) {
            Some(address) => {
                rules.name(number, *address, |caller| name(text, b"caller", caller))?
            }
            None => name(text, b"caller", b"?")?,
        }
    }
    let of_interrupt = key.is_of_interrupt();
    if keys.has(By::Comm) {
        let (comm, length) = key.comm();
        let comm = comm.get(..length).unwrap_or_default();
        name(text, b"comm", if of_interrupt { INTERRUPT } else { comm })?;
    }
    if keys.has(By::Pid) {
        if of_interrupt {
            name(text, b"pid", INTERRUPT)?;
        } else {
            value(text, b"pid", key.pid().into())?;
        }
    }
    if keys.has(By::Node) {
        match key.node() {
            NO_NODE => name(text, b"node", b"any")?,
            node => value(text, b"node", node.into())?,
        }
    }
    if keys.has(By::Cgroup) {
        cgroup(text, key)?;
    }
    if keys.has(By::Gfp) {
        match key.gfp() {
            NO_FLAGS => name(text, b"gfp", b"?")?,
            flags => flags::names(flags, |names| name(text, b"gfp", names))?,
        }
    }
    if keys.has(By::Order) {
        value(text, b"order", key.order().into())?;
    }
    if keys.has(By::Age) {
        let (number, seconds) = key.slice();
        contexts::ages(text, contexts::age(clock::seconds(), number, seconds))?;
    }
    match key.every() {
        0 => Ok(()),
        every => value(text, b"every", every.into()),
    }
}

/// Appends a cgroup's id, and its path behind a comma if it is still there.
fn cgroup(text: &mut Text<'_>, key: &Key<'_>) -> Result<(), Full> {
    if key.is_of_interrupt() {
        return name(text, b"cgroup", INTERRUPT);
    }
    value(text, b"cgroup", key.cgroup())?;
    text.bytes(b",")?;
    task::cgroup_path(key.cgroup(), |path| contexts::escaped(text, path))
}

static SEQ: bindings::seq_operations = bindings::seq_operations {
    start: Some(start),
    stop: Some(stop),
    next: Some(next),
    show: Some(show),
};

/// Opens the file.
///
/// # Safety
///
/// As debugfs calls it.
unsafe extern "C" fn open(_inode: *mut bindings::inode, file: *mut bindings::file) -> c_int {
    if !switch::supported() {
        return ENODEV.to_errno();
    }
    // SAFETY: The file is being opened; the operations are static, and all zeroes is a place.
    unsafe { bindings::seq_open_private(file, &SEQ, size_of::<Place>() as c_int) }
}

/// What the file can do.
pub(super) static FILE: Operations = Operations::seq(open);
