// SPDX-License-Identifier: GPL-2.0-only

//! What an open `/proc/allocinfo` remembers from one read or ioctl to the next.

use super::{asking::Asking, listing::Place};
use crate::detail::rules::{self, Owner};
use kernel::{
    new_mutex,
    sync::{
        atomic::{Atomic, Relaxed},
        Mutex,
    },
};

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
    /// As what it owns rules.
    pub(super) ownership: Ownership,
}

/// The number by which a file owns rules; 0 before there is one.
#[repr(transparent)]
pub(super) struct Ownership(Atomic<u64>);

/// How many files have ever owned rules.
static OWNERS: Atomic<u64> = Atomic::new(0);

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

impl Ownership {
    /// The file as an owner of rules, which it is from now on.
    pub(super) fn own(&self) -> Owner {
        let mut owner = self.0.load(Relaxed);
        if owner == 0 {
            let new = OWNERS.fetch_add(1, Relaxed) + 1;
            // Another thread may have been faster.
            owner = match self.0.cmpxchg(0, new, Relaxed) {
                Ok(_) => new,
                Err(theirs) => theirs,
            };
        }
        Owner(owner)
    }

    /// The file is being closed: its rules go.
    pub(super) fn release(&self) {
        let owner = Owner(self.0.load(Relaxed));
        if owner != Owner::NOBODY {
            rules::lock().disown(owner);
        }
    }
}
