// SPDX-License-Identifier: GPL-2.0-only

//! What an open `/proc/allocinfo` remembers from one read or ioctl to the next.

use super::{asking::Asking, listing::Place};
use kernel::{new_mutex, sync::Mutex};

/// What an open file remembers.
///
/// The lock of the seq_file is held while a reader's memory is written, whose pages may be long in coming. An ioctl does not
/// wait for that: it has a place and a lock of its own.
#[repr(C)]
pub(super) struct Reading {
    /// Where reads are, under the lock of the seq_file; first, as `listing` wants it.
    _place: Place,
    /// What ioctls remember.
    pub(super) asking: Mutex<Asking>,
}

impl Reading {
    /// Makes what a file remembers that was just opened.
    ///
    /// # Safety
    ///
    /// `reading` is zeroed memory, which stays where it is.
    pub(super) unsafe fn init(reading: *mut Self) {
        // SAFETY: By the caller's promise.
        unsafe { pin_init::raw_init(&raw mut (*reading).asking, new_mutex!(Asking::new())) }
    }
}
