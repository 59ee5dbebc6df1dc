// SPDX-License-Identifier: GPL-2.0-only

//! `/sys/kernel/debug/alloctag/sites`: all numbers of the call sites that have any.

use super::{
    debugfs::Operations,
    listing::{self, Place},
};
use crate::{
    model::sites::{self, Failures},
    platform::{counters, failures, stalls, switch},
};
use core::{
    ffi::{c_int, c_void},
    mem::size_of,
};
use kernel::{bindings, prelude::*};

/// What stands above the lines.
const HEADER: &[u8] = if cfg!(CONFIG_ALLOCTAG_STALLS) {
    sites::HEADER
} else {
    sites::HEADER_WITHOUT_STALLS
};

/// Prints one line, unless the call site has never allocated nor failed.
///
/// # Safety
///
/// As seq_file calls it.
unsafe extern "C" fn show(file: *mut bindings::seq_file, place: *mut c_void) -> c_int {
    // SAFETY: By the caller's promise; what `open()` made is a place.
    unsafe {
        listing::show(file, place, HEADER, |text, walk, row| {
            let account = walk.account();
            let injected = failures::injected(account);
            let failures = Failures {
                failed: failures::count(account),
                injected,
            };
            let totals = counters::total(account);
            sites::line(text, row, totals, failures, stalls::of(account))
        })
    }
}

static SEQ: bindings::seq_operations = listing::operations(show);

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
