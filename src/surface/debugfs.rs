// SPDX-License-Identifier: GPL-2.0-only

//! `/sys/kernel/debug/alloctag/`: what is for people to read, and for programs by the ioctls of `/proc/allocinfo`.
//!
//! As everywhere, nobody minds if a file of debugfs cannot be made.

use super::sites;
use core::ptr::null_mut;
use kernel::bindings;

/// Makes the directory and its files, for root's eyes only.
#[link_section = ".init.text"]
pub(super) fn init() {
    // SAFETY: The names and the operations are static; what is an error pointer is passed on as one.
    unsafe {
        let directory = bindings::debugfs_create_dir(c"alloctag".as_ptr().cast(), null_mut());
        bindings::debugfs_create_file_full(
            c"sites".as_ptr().cast(),
            0o400,
            directory,
            null_mut(),
            null_mut(),
            sites::FILE.as_raw(),
        );
    }
}
