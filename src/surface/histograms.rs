// SPDX-License-Identifier: GPL-2.0-only

//! Text files with a line for each place of a pool of histograms: how a seq_file walks over them.
//!
//! A line is found and shown by itself: between two of them nothing is held but a place, of which each stays what it is.

use crate::{
    model::text::{Full, Text},
    platform::{resched, seq::SeqFile, switch},
};
use core::{
    ffi::{c_int, c_void},
    ptr::{null_mut, without_provenance_mut},
};
use kernel::{bindings, prelude::*};

/// What such a file shows.
pub(super) trait Lines {
    /// What stands above the lines.
    const HEADER: &'static [u8];

    /// Whether there is a place of that number.
    fn has(place: usize) -> bool;

    /// Appends the line of a place, if there is something to be said of it.
    ///
    /// # Errors
    ///
    /// [`Full`]
    fn show(place: usize, text: &mut Text<'_>) -> Result<(), Full>;

    /// What walks over the file: [`operations()`] of these.
    fn walk() -> &'static bindings::seq_operations;
}

/// What walks over such a file.
pub(super) const fn operations<L: Lines>() -> bindings::seq_operations {
    bindings::seq_operations {
        start: Some(start::<L>),
        stop: Some(stop),
        next: Some(next::<L>),
        show: Some(show::<L>),
    }
}

/// What stands for a place that a reader is at: its number, one higher.
fn token<L: Lines>(position: bindings::loff_t) -> *mut c_void {
    if L::has(position as usize) {
        without_provenance_mut(position as usize + 1)
    } else {
        null_mut()
    }
}

/// Goes to the place at `pos`.
///
/// # Safety
///
/// As seq_file calls it.
unsafe extern "C" fn start<L: Lines>(
    _file: *mut bindings::seq_file,
    pos: *mut bindings::loff_t,
) -> *mut c_void {
    // SAFETY: By the caller's promise.
    token::<L>(unsafe { *pos })
}

/// Moves on.
///
/// # Safety
///
/// As for [`start()`].
unsafe extern "C" fn next<L: Lines>(
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
    token::<L>(pos)
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
unsafe extern "C" fn show<L: Lines>(file: *mut bindings::seq_file, place: *mut c_void) -> c_int {
    let place = place.addr() - 1;
    // SAFETY: By the caller's promise.
    unsafe { SeqFile::from_raw(file) }.append(|text| {
        if place == 0 {
            text.bytes(L::HEADER)?;
        }
        L::show(place, text)
    });
    0
}

/// Opens the file.
///
/// # Safety
///
/// As debugfs calls it.
pub(super) unsafe extern "C" fn open<L: Lines>(
    _inode: *mut bindings::inode,
    file: *mut bindings::file,
) -> c_int {
    if !switch::supported() {
        return ENODEV.to_errno();
    }
    // SAFETY: The file is being opened; the operations are static, and nothing is to be remembered.
    unsafe { bindings::seq_open_private(file, L::walk(), 0) }
}
