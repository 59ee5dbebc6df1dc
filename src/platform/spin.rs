// SPDX-License-Identifier: GPL-2.0-only

//! The lock of the table of Rust's call sites, which any context but an NMI may take.
//!
//! C header: [`include/linux/spinlock.h`](srctree/include/linux/spinlock.h). The lock itself is in
//! `src/glue.c`, because its initialiser and its functions are macros.

use kernel::{bindings, ffi::c_ulong, types::NotThreadSafe};

/// Proves that this CPU holds the lock, with interrupts off.
pub struct Guard(c_ulong, NotThreadSafe);

/// Takes the lock; `None` in an NMI, which may have interrupted its holder.
pub fn lock() -> Option<Guard> {
    let mut flags = 0;
    // SAFETY: `flags` can be written.
    unsafe { bindings::alloctag_callers_lock(&mut flags) }.then_some(Guard(flags, NotThreadSafe))
}

impl Drop for Guard {
    fn drop(&mut self) {
        // SAFETY: This CPU holds the lock, and these are the flags from when it took it.
        unsafe { bindings::alloctag_callers_unlock(self.0) }
    }
}
