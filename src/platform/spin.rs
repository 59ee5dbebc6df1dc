// SPDX-License-Identifier: GPL-2.0-only

//! The lock of the tables that allocations look things up in, which any context but an NMI may take.
//! It is held for some hundred instructions at most.
//!
//! C header: [`include/linux/spinlock.h`](srctree/include/linux/spinlock.h). The lock itself is in
//! `spin.c`, because its initialiser and its functions are macros.

use core::cell::UnsafeCell;
use kernel::{bindings, ffi::c_ulong, types::NotThreadSafe};

/// Proves that this CPU holds the lock, with interrupts off. There is one at a time.
pub struct Guard(c_ulong, NotThreadSafe);

/// Takes the lock; `None` in an NMI, which may have interrupted its holder.
pub fn lock() -> Option<Guard> {
    let mut flags = 0;
    // SAFETY: `flags` can be written.
    let got = unsafe { bindings::alloctag_tables_lock(&mut flags) };
    // Lazily: a guard that is made and dropped gives back what nobody has taken.
    got.then(|| Guard(flags, NotThreadSafe))
}

/// Whether [`lock()`] would not take it: this is an NMI.
pub fn is_out_of_reach() -> bool {
    // SAFETY: Reads this context's own state.
    unsafe { bindings::alloctag_in_nmi() }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // SAFETY: This CPU holds the lock, and these are the flags from when it took it.
        unsafe { bindings::alloctag_tables_unlock(self.0) }
    }
}

/// Data that only holders of the lock look at.
pub struct Locked<T>(UnsafeCell<T>);

// SAFETY: Who looks has the lock, as the only guard proves.
unsafe impl<T: Send> Sync for Locked<T> {}

impl<T> Locked<T> {
    /// Puts data under the lock.
    pub const fn new(data: T) -> Self {
        Self(UnsafeCell::new(data))
    }

    /// The data, for as long as the guard is lent.
    pub fn get<'a>(&'a self, _guard: &'a mut Guard) -> &'a mut T {
        // SAFETY: There is one guard, because there is one lock and an NMI does not get it, and the
        // guard is lent for nothing else meanwhile.
        unsafe { &mut *self.0.get() }
    }
}
