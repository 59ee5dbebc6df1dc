// SPDX-License-Identifier: GPL-2.0-only

//! The lock under which contexts come and go, in any context. It is held for some hundred instructions at most.
//!
//! C part: `lock.c`.

use kernel::{bindings, types::NotThreadSafe};

/// Proves that this CPU holds the lock, with interrupts off. There is one at a time.
pub(super) struct Guard(usize, NotThreadSafe);

/// Takes the lock; `None` where this runs on top of who has it, as an NMI may, and in an NMI that would have to wait.
pub(super) fn lock() -> Option<Guard> {
    let mut flags = 0;
    // SAFETY: `flags` can be written.
    unsafe { bindings::alloctag_contexts_lock(&mut flags) }.then_some(Guard(flags, NotThreadSafe))
}

impl Drop for Guard {
    fn drop(&mut self) {
        // SAFETY: This CPU holds the lock, and these are the flags from when it took it.
        unsafe { bindings::alloctag_contexts_unlock(self.0) }
    }
}
