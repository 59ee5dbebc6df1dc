// SPDX-License-Identifier: GPL-2.0-only

//! `/sys/kernel/debug/alloctag/`: what is for people to read, and for programs by the ioctls of `/proc/allocinfo`.
//!
//! As everywhere, nobody minds if a file of debugfs cannot be made.

use core::{
    ffi::{c_int, CStr},
    mem::zeroed,
    ptr::null_mut,
};
use kernel::{bindings, ffi::c_char};

/// The directory.
#[derive(Clone, Copy)]
pub(super) struct Directory(*mut bindings::dentry);

/// What a file can do.
pub(super) struct Operations(bindings::file_operations);

// SAFETY: Nobody writes it, nor what it points to.
unsafe impl Sync for Operations {}

/// What opens a file.
pub(super) type Open = unsafe extern "C" fn(*mut bindings::inode, *mut bindings::file) -> c_int;

/// What takes what is written to a file.
pub(super) type Write =
    unsafe extern "C" fn(*mut bindings::file, *const c_char, usize, *mut bindings::loff_t) -> isize;

impl Operations {
    /// Of a file that `seq_open_private()` opens.
    pub(super) const fn seq(open: Open) -> Self {
        Self(bindings::file_operations {
            open: Some(open),
            // Not `read_iter`, which debugfs does not pass on.
            read: Some(bindings::seq_read),
            llseek: Some(bindings::seq_lseek),
            release: Some(bindings::seq_release_private),
            // SAFETY: The rest are optional functions and flags.
            ..unsafe { zeroed() }
        })
    }

    /// Of a file that `single_open()` opens, and that is written.
    pub(super) const fn single(open: Open, write: Write) -> Self {
        Self(bindings::file_operations {
            write: Some(write),
            release: Some(bindings::single_release),
            ..Self::seq(open).0
        })
    }
}

impl Directory {
    /// Makes it.
    #[link_section = ".init.text"]
    pub(super) fn make() -> Self {
        // SAFETY: The name is static.
        Self(unsafe { bindings::debugfs_create_dir(c"alloctag".as_ptr().cast(), null_mut()) })
    }

    /// Makes a file in it, for root's eyes only.
    #[link_section = ".init.text"]
    pub(super) fn add(
        self,
        name: &'static CStr,
        mode: bindings::umode_t,
        file: &'static Operations,
    ) {
        // SAFETY: The name and the operations are static; a directory that is an error pointer is passed on as one.
        unsafe {
            bindings::debugfs_create_file_full(
                name.as_ptr().cast(),
                mode,
                self.0,
                null_mut(),
                null_mut(),
                &file.0,
            );
        }
    }
}
