// SPDX-License-Identifier: GPL-2.0-only

//! Text files with a line for each call site: how a seq_file walks over them.
//!
//! The lock on the list is held from `start()` to `stop()`, that is for one buffer; between
//! two reads the cursor keeps the place. No line allocates.

use crate::{
    model::text::{Full, Row, Text},
    platform::{resched, seq::SeqFile},
    registry::{self, walk::Walk},
};
use core::{
    ffi::{c_int, c_void},
    mem::forget,
    ptr::null_mut,
};
use kernel::bindings;

/// Where a reader is; the beginning of what its open file remembers. All zeroes is a file that was just opened.
pub(super) struct Place {
    walk: Walk,
    header_due: bool,
}

/// What walks over such a file, of which `show` shows a line.
pub(super) const fn operations(
    show: unsafe extern "C" fn(*mut bindings::seq_file, *mut c_void) -> c_int,
) -> bindings::seq_operations {
    bindings::seq_operations {
        start: Some(start),
        stop: Some(stop),
        next: Some(next),
        show: Some(show),
    }
}

/// Takes the lock and gives the call site at `pos`.
///
/// # Safety
///
/// As seq_file calls it, on a file whose private data begins with a [`Place`].
unsafe extern "C" fn start(
    file: *mut bindings::seq_file,
    pos: *mut bindings::loff_t,
) -> *mut c_void {
    // SAFETY: By the caller's promise.
    let (reading, pos) = unsafe { (&mut *SeqFile::from_raw(file).private::<Place>(), *pos) };
    let sections = if pos == 0 {
        reading.walk = Walk::START;
        reading.header_due = true;
        registry::begin_to_read()
    } else {
        registry::read()
    };
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
/// As for [`start()`].
unsafe extern "C" fn next(
    _file: *mut bindings::seq_file,
    place: *mut c_void,
    pos: *mut bindings::loff_t,
) -> *mut c_void {
    // SAFETY: `place` came from `start()`, `pos` from seq_file.
    let reading = unsafe {
        *pos += 1;
        resched::at_step(*pos as u64);
        &mut *place.cast::<Place>()
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
/// As for [`start()`].
unsafe extern "C" fn stop(_file: *mut bindings::seq_file, _place: *mut c_void) {
    // SAFETY: `start()` took the lock and forgot it.
    drop(unsafe { registry::resume_read() });
}

/// Lets `write` write the line of one call site, behind the header if it is the first.
///
/// # Safety
///
/// As for [`start()`], of whose result `place` is.
pub(super) unsafe fn show(
    file: *mut bindings::seq_file,
    place: *mut c_void,
    header: &[u8],
    write: impl FnOnce(&mut Text<'_>, &Walk, &Row<'_>) -> Result<(), Full>,
) -> c_int {
    // SAFETY: By the caller's promise.
    let (mut file, reading) = unsafe { (SeqFile::from_raw(file), &mut *place.cast::<Place>()) };
    // SAFETY: `start()` took the lock and forgot it; taken up for this call only.
    let sections = unsafe { registry::resume_read() };
    if let Some(row) = reading.walk.row(&sections) {
        let header_due = core::mem::take(&mut reading.header_due);
        file.append(|text| {
            if header_due {
                text.bytes(header)?;
            }
            write(text, &reading.walk, &row)
        });
    }
    forget(sections);
    0
}
