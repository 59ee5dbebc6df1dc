// SPDX-License-Identifier: GPL-2.0-only

//! `/sys/kernel/debug/alloctag/control`: rules in, rules out.

use super::debugfs::Operations;
use crate::{
    detail::rules::{self, Rules},
    model::text::{Full, Text},
    platform::{seq::SeqFile, switch},
};
use core::{
    ffi::{c_int, c_void},
    ptr::null_mut,
};
use kernel::{
    alloc_hooks, bindings,
    ffi::c_char,
    prelude::*,
    uaccess::{UserPtr, UserSlice},
};

/// What stands above the rules.
const HEADER: &[u8] = b"control - version: 1.0\n# rule sites contexts lost command\n";

/// Appends all rules, which were counted.
fn list(text: &mut Text<'_>, rules: &Rules) -> Result<(), Full> {
    text.bytes(HEADER)?;
    for held in rules.iter() {
        let (sites, contexts) = (held.sites as u64, held.contexts as u64);
        for number in [held.number.into(), sites, contexts, rules.lost(held)] {
            text.decimal(number)?;
        }
        text.bytes(held.text())?;
        text.bytes(b"\n")?;
    }
    Ok(())
}

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
    unsafe { SeqFile::from_raw(file) }.append(|text| list(text, &rules));
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
    match obey(buffer, length) {
        Ok(()) => length as isize,
        Err(error) => error.to_errno() as isize,
    }
}

fn obey(buffer: *const c_char, length: usize) -> Result {
    if length > rules::LONGEST {
        return Err(E2BIG);
    }
    let mut text = KVec::new();
    let user = UserSlice::new(UserPtr::from_ptr(buffer.cast_mut().cast()), length);
    alloc_hooks!(user.read_all(&mut text, GFP_KERNEL))?;
    rules::lock().obey(&text)
}

/// What the file can do.
pub(super) static FILE: Operations = Operations::single(open, write);
