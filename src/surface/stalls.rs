// SPDX-License-Identifier: GPL-2.0-only

//! `/sys/kernel/debug/alloctag/stalls`: how long allocations waited, and for what.
//!
//! A line is found and shown by itself: between two of them nothing is held but a place, of which each stays what it is.

use super::debugfs::Operations;
use crate::{
    model::{
        stall::Cause,
        stalls::{self, SHARED},
    },
    platform::{
        histograms::{Place, STALLS},
        resched,
        seq::SeqFile,
        switch,
    },
    registry,
};
use core::{
    ffi::{c_int, c_void},
    ptr::null_mut,
};
use kernel::{bindings, prelude::*};

/// What stands for a place that a reader is at: its number, one higher.
fn token(position: bindings::loff_t) -> *mut c_void {
    match STALLS.at(position as usize) {
        Some(_) => core::ptr::without_provenance_mut(position as usize + 1),
        None => null_mut(),
    }
}

/// Goes to the place at `pos`.
///
/// # Safety
///
/// As seq_file calls it.
unsafe extern "C" fn start(
    _file: *mut bindings::seq_file,
    pos: *mut bindings::loff_t,
) -> *mut c_void {
    // SAFETY: By the caller's promise.
    token(unsafe { *pos })
}

/// Moves on.
///
/// # Safety
///
/// As for [`start()`].
unsafe extern "C" fn next(
    _file: *mut bindings::seq_file,
    _place: *mut c_void,
    pos: *mut bindings::loff_t,
) -> *mut c_void {
    // SAFETY: By the caller's promise.
    let pos = unsafe {
        *pos += 1;
        *pos
    };
    resched::at_step(pos as u64);
    token(pos)
}

/// Nothing is held.
///
/// # Safety
///
/// None.
unsafe extern "C" fn stop(_file: *mut bindings::seq_file, _place: *mut c_void) {}

/// Prints what is at a place, behind the header at the first.
///
/// # Safety
///
/// As for [`start()`], of whose result `place` is.
unsafe extern "C" fn show(file: *mut bindings::seq_file, place: *mut c_void) -> c_int {
    let place = place.addr() - 1;
    // SAFETY: By the caller's promise.
    unsafe { SeqFile::from_raw(file) }.append(|text| {
        if place == 0 {
            text.bytes(stalls::HEADER)?;
        }
        // Whose account it is stays so from before the numbers are read.
        let sections = registry::read();
        match STALLS.at(place) {
            Some(Place::Shared(cause, histogram)) => {
                stalls::line(text, Cause::of(cause as u32), &histogram, &SHARED)
            }
            Some(Place::Own(account, cause, histogram)) => match sections.row_of(account) {
                Some(row) => stalls::line(text, Cause::of(cause as u32), &histogram, &row),
                // It has gone, and nobody has its account yet.
                None => Ok(()),
            },
            Some(Place::Empty) | None => Ok(()),
        }
    });
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
/// As debugfs calls it.
unsafe extern "C" fn open(_inode: *mut bindings::inode, file: *mut bindings::file) -> c_int {
    if !switch::supported() {
        return ENODEV.to_errno();
    }
    // SAFETY: The file is being opened; the operations are static, and nothing is to be remembered.
    unsafe { bindings::seq_open_private(file, &SEQ, 0) }
}

/// What the file can do.
pub(super) static FILE: Operations = Operations::seq(open);
