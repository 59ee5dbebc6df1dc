// SPDX-License-Identifier: GPL-2.0-only

//! `/sys/kernel/debug/alloctag/control`: rules in, rules out.

use super::{commands, debugfs::Operations};
use crate::{
    detail::rules::{self, Owner},
    platform::{seq::SeqFile, switch},
};
use core::{
    ffi::{c_int, c_void},
    ptr::null_mut,
};
use kernel::{bindings, ffi::c_char, prelude::*, uaccess::UserPtr};

/// Prints the file.
///
/// # Safety
///
/// As seq_file calls it.
unsafe extern "C" fn show(file: *mut bindings::seq_file, _: *mut c_void) -> c_int {
    let mut rules = rules::lock();
    if let Err(error) = rules.count() {
        return error.to_errno();
    }
    // SAFETY: By the caller's promise.
    unsafe { SeqFile::from_raw(file) }.append(|text| commands::list(text, &rules));
    0
}

/// Opens the file.
///
/// # Safety
///
/// As debugfs calls it.
unsafe extern "C" fn open(_inode: *mut bindings::inode, file: *mut bindings::file) -> c_int {
    if !switch::supported() {
        return ENODEV.to_errno();
    }
    // SAFETY: The file is being opened.
    unsafe { bindings::single_open(file, Some(show), null_mut()) }
}

/// Takes a list of rules, whole or not at all.
///
/// # Safety
///
/// As debugfs calls it.
unsafe extern "C" fn write(
    _file: *mut bindings::file,
    buffer: *const c_char,
    length: usize,
    _position: *mut bindings::loff_t,
) -> isize {
    let text = UserPtr::from_ptr(buffer.cast_mut().cast());
    // A lockdown is debugfs's own affair.
    match commands::obey(text, length, Owner::NOBODY, || true) {
        Ok(()) => length as isize,
        Err(error) => error.to_errno() as isize,
    }
}

/// What the file can do.
pub(super) static FILE: Operations = Operations::single(open, write);
