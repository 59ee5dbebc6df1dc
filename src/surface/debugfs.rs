// SPDX-License-Identifier: GPL-2.0-only

//! `/sys/kernel/debug/alloctag/`: what is for people to read, and for programs by the ioctls of `/proc/allocinfo`.
//!
//! As everywhere, nobody minds if a file of debugfs cannot be made.

use core::{ffi::CStr, ptr::null_mut};
use kernel::bindings;

/// The directory.
#[derive(Clone, Copy)]
pub(super) struct Directory(*mut bindings::dentry);

/// What a file can do.
pub(super) struct Operations(bindings::file_operations);

// SAFETY: Nobody writes it, nor what it points to.
unsafe impl Sync for Operations {}

impl Operations {
    /// As C has them.
    pub(super) const fn new(operations: bindings::file_operations) -> Self {
        Self(operations)
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
