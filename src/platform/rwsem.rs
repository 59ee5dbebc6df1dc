// SPDX-License-Identifier: GPL-2.0-only

//! The lock of the list of call sites: readers side by side, loaders of modules alone.
//!
//! C header: [`include/linux/rwsem.h`](srctree/include/linux/rwsem.h). The semaphore itself is
//! defined in `rwsem.c`, because its initialiser is a macro.

use core::{cell::UnsafeCell, mem::forget, ops::Deref, ops::DerefMut};
use kernel::{bindings, types::NotThreadSafe};

/// Data that `alloctag_sections_rwsem` guards; there is one such static.
pub struct Guarded<T>(UnsafeCell<T>);

// SAFETY: Access goes by guards only, and the semaphore lets either one writer or readers have them.
unsafe impl<T: Send + Sync> Sync for Guarded<T> {}

impl<T> Guarded<T> {
    /// Puts data under the lock.
    ///
    /// # Safety
    ///
    /// Called once, because there is but one semaphore.
    pub const unsafe fn new(data: T) -> Self {
        Self(UnsafeCell::new(data))
    }

    /// Waits for the writer to finish, if there is one.
    pub fn read(&self) -> Reader<'_, T> {
        // SAFETY: The semaphore is a static. The caller may sleep.
        unsafe { bindings::down_read(&raw mut bindings::alloctag_sections_rwsem) };
        Reader(self, NotThreadSafe)
    }

    /// For those who may not sleep: `None` while there is a writer.
    pub fn try_read(&self) -> Option<Reader<'_, T>> {
        // SAFETY: The semaphore is a static.
        let got =
            unsafe { bindings::down_read_trylock(&raw mut bindings::alloctag_sections_rwsem) };
        // Lazily: a guard that is made and dropped gives back what nobody has taken.
        (got != 0).then(|| Reader(self, NotThreadSafe))
    }

    /// Waits until it is alone.
    pub fn write(&self) -> Writer<'_, T> {
        // SAFETY: The semaphore is a static. The caller may sleep.
        unsafe { bindings::down_write(&raw mut bindings::alloctag_sections_rwsem) };
        Writer(self, NotThreadSafe)
    }

    /// For those who may not wait: `None` unless it is alone.
    #[cfg(CONFIG_ALLOCTAG_CALLS)]
    pub fn try_write(&self) -> Option<Writer<'_, T>> {
        // SAFETY: The semaphore is a static.
        let got =
            unsafe { bindings::down_write_trylock(&raw mut bindings::alloctag_sections_rwsem) };
        // Lazily, too.
        (got != 0).then(|| Writer(self, NotThreadSafe))
    }

    /// Takes up again a reader that was forgotten.
    ///
    /// # Safety
    ///
    /// This task holds the lock by a [`Reader`] given to [`core::mem::forget()`], and takes it up
    /// but once.
    pub unsafe fn resume_read(&self) -> Reader<'_, T> {
        Reader(self, NotThreadSafe)
    }
}

/// Shared access.
pub struct Reader<'a, T>(&'a Guarded<T>, NotThreadSafe);

impl<T> Deref for Reader<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: The semaphore is held for reading, so nobody writes.
        unsafe { &*self.0 .0.get() }
    }
}

impl<T> Drop for Reader<'_, T> {
    fn drop(&mut self) {
        // SAFETY: This task holds it, as the guard proves.
        unsafe { bindings::up_read(&raw mut bindings::alloctag_sections_rwsem) };
    }
}

/// Exclusive access.
pub struct Writer<'a, T>(&'a Guarded<T>, NotThreadSafe);

impl<'a, T> Writer<'a, T> {
    /// Lets other readers in, but no writer before them.
    pub fn downgrade(self) -> Reader<'a, T> {
        // SAFETY: This task holds it for writing, as the guard proves, and for reading from now on.
        unsafe { bindings::downgrade_write(&raw mut bindings::alloctag_sections_rwsem) };
        let data = self.0;
        forget(self);
        Reader(data, NotThreadSafe)
    }
}

impl<T> Deref for Writer<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: The semaphore is held for writing, so nobody else reads or writes.
        unsafe { &*self.0 .0.get() }
    }
}

impl<T> DerefMut for Writer<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: As in `deref()`.
        unsafe { &mut *self.0 .0.get() }
    }
}

impl<T> Drop for Writer<'_, T> {
    fn drop(&mut self) {
        // SAFETY: This task holds it, as the guard proves.
        unsafe { bindings::up_write(&raw mut bindings::alloctag_sections_rwsem) };
    }
}
