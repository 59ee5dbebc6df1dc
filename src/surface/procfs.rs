// SPDX-License-Identifier: GPL-2.0-only

//! `/proc/allocinfo`.

use super::{ioctl, listing, reading::Reading};
use crate::{
    model::text,
    platform::{counters::Cpus, seq},
};
use core::{
    ffi::{c_int, c_void},
    mem::{size_of, zeroed},
    ptr::{from_ref, null_mut},
};
use kernel::{bindings, error::code, prelude::*};

/// Prints one row.
///
/// # Safety
///
/// As seq_file calls it.
unsafe extern "C" fn show(file: *mut bindings::seq_file, place: *mut c_void) -> c_int {
    // SAFETY: By the caller's promise; what `open()` made begins with a place.
    unsafe {
        listing::show(file, place, text::HEADER, |text, walk, row| {
            text.row(row, Cpus::met().total(walk.account()))
        })
    }
}

static SEQ: bindings::seq_operations = listing::operations(show);

/// Opens the file.
///
/// # Safety
///
/// As procfs calls it.
unsafe extern "C" fn open(_inode: *mut bindings::inode, file: *mut bindings::file) -> c_int {
    // SAFETY: The file is being opened; the operations are static.
    let result = unsafe { bindings::seq_open_private(file, &SEQ, size_of::<Reading>() as c_int) };
    if result == 0 {
        // SAFETY: It is open now, and its state was zeroed.
        unsafe { Reading::init(seq::private_of(file)) };
    }
    result
}

/// Closes the file.
///
/// # Safety
///
/// As procfs calls it, on a file that [`open()`] opened.
unsafe extern "C" fn release(inode: *mut bindings::inode, file: *mut bindings::file) -> c_int {
    // SAFETY: By the caller's promise, nobody uses it any more.
    unsafe {
        (*seq::private_of::<Reading>(file)).ownership.release();
        bindings::seq_release_private(inode, file)
    }
}

static FILE: bindings::proc_ops = bindings::proc_ops {
    proc_open: Some(open),
    proc_read_iter: Some(bindings::seq_read_iter),
    proc_lseek: Some(bindings::seq_lseek),
    proc_release: Some(release),
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
