// SPDX-License-Identifier: GPL-2.0-only

//! `/proc/allocinfo`.
//!
//! The list of call sites is held still from `start()` to `stop()`, that is for one buffer; between
//! two reads the cursor keeps the place. No row allocates, and counters are summed a window of
//! accounts at a time, so that every CPU's row of them is read as a stream.

use super::{
    ioctl::{self, Asking},
    window::Window,
};
use crate::{
    model::text,
    platform::{resched, seq::SeqFile},
    registry::{self, walk::Walk},
};
use core::{
    ffi::{c_int, c_void},
    mem::{forget, size_of, zeroed},
    ptr::{from_ref, null_mut},
};
use kernel::{bindings, error::code, prelude::*};

/// How many accounts are summed at a time: 1 KiB of sums, and a kilobyte of every CPU's counters.
const WINDOW: usize = 64;

/// What an open file remembers. All zeroes is a file that was just opened.
pub(super) struct Reading {
    walk: Walk,
    header_due: bool,
    pub(super) window: Window<WINDOW>,
    pub(super) asking: Asking,
}

/// Takes the lock and gives the call site at `pos`.
///
/// # Safety
///
/// As seq_file calls it.
unsafe extern "C" fn start(
    file: *mut bindings::seq_file,
    pos: *mut bindings::loff_t,
) -> *mut c_void {
    // SAFETY: This is a seq operation, on a file whose private data `open()` made.
    let (reading, pos) = unsafe { (&mut *SeqFile::from_raw(file).private::<Reading>(), *pos) };
    let sections = if pos == 0 {
        reading.walk = Walk::START;
        reading.header_due = true;
        registry::begin_to_read()
    } else {
        registry::read()
    };
    reading.window.forget();
    let more = reading.walk.settle(&sections);
    // `stop()` lets go.
    forget(sections);
    if more {
        core::ptr::from_mut(reading).cast()
    } else {
        null_mut()
    }
}

/// Moves on.
///
/// # Safety
///
/// As seq_file calls it.
unsafe extern "C" fn next(
    _file: *mut bindings::seq_file,
    place: *mut c_void,
    pos: *mut bindings::loff_t,
) -> *mut c_void {
    // SAFETY: `place` came from `start()`, `pos` from seq_file.
    let reading = unsafe {
        *pos += 1;
        resched::at_step(*pos as u64);
        &mut *place.cast::<Reading>()
    };
    // SAFETY: `start()` took the lock and forgot it; taken up for this call only.
    let sections = unsafe { registry::resume_read() };
    let more = reading.walk.advance(&sections);
    forget(sections);
    if more {
        place
    } else {
        null_mut()
    }
}

/// Lets the lock go.
///
/// # Safety
///
/// As seq_file calls it.
unsafe extern "C" fn stop(_file: *mut bindings::seq_file, _place: *mut c_void) {
    // SAFETY: `start()` took the lock and forgot it.
    drop(unsafe { registry::resume_read() });
}

/// Prints one row.
///
/// # Safety
///
/// As seq_file calls it.
unsafe extern "C" fn show(file: *mut bindings::seq_file, place: *mut c_void) -> c_int {
    // SAFETY: A seq operation; `place` came from `start()`.
    let (mut file, reading) = unsafe { (SeqFile::from_raw(file), &mut *place.cast::<Reading>()) };
    // SAFETY: `start()` took the lock and forgot it; taken up for this call only.
    let sections = unsafe { registry::resume_read() };
    if let Some(row) = reading.walk.row(&sections) {
        let totals = reading.window.totals(reading.walk.accounts(), WINDOW);
        let header_due = core::mem::take(&mut reading.header_due);
        file.append(|text| {
            if header_due {
                text.bytes(text::HEADER)?;
            }
            text.row(&row, totals)
        });
    }
    forget(sections);
    0
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
/// As procfs calls it.
unsafe extern "C" fn open(_inode: *mut bindings::inode, file: *mut bindings::file) -> c_int {
    // SAFETY: The file is being opened; the operations are static, and all zeroes is a `Reading`.
    unsafe { bindings::seq_open_private(file, &SEQ, size_of::<Reading>() as c_int) }
}

static FILE: bindings::proc_ops = bindings::proc_ops {
    proc_open: Some(open),
    proc_read_iter: Some(bindings::seq_read_iter),
    proc_lseek: Some(bindings::seq_lseek),
    proc_release: Some(bindings::seq_release_private),
    proc_ioctl: Some(ioctl::ioctl),
    #[cfg(CONFIG_COMPAT)]
    proc_compat_ioctl: Some(ioctl::compat_ioctl),
    // SAFETY: The rest are optional functions and flags.
    ..unsafe { zeroed() }
};

/// Creates the file, for root's eyes only.
#[link_section = ".init.text"]
pub(super) fn init() -> Result {
    // SAFETY: The name and the operations are static.
    let entry = unsafe {
        bindings::proc_create(
            c"allocinfo".as_ptr().cast(),
            0o400,
            null_mut(),
            from_ref(&FILE),
        )
    };
    if entry.is_null() {
        Err(code::ENOMEM)
    } else {
        Ok(())
    }
}
