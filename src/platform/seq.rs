// SPDX-License-Identifier: GPL-2.0-only

//! The buffer that a seq_file is read through.
//!
//! C header: [`include/linux/seq_file.h`](srctree/include/linux/seq_file.h). `seq_printf()` would
//! format by interpreting a string; here the model writes straight into the buffer.

use crate::model::text::{Full, Text};
use core::{
    marker::PhantomData,
    ops::{Deref, DerefMut},
    slice::from_raw_parts_mut,
};
use kernel::bindings;

/// A seq_file within one of its operations.
///
/// # Invariants
///
/// Points to a seq_file whose lock this operation holds.
pub struct SeqFile(*mut bindings::seq_file);

impl SeqFile {
    /// Names a seq_file.
    ///
    /// # Safety
    ///
    /// `file` was handed to the seq operation that is running.
    pub unsafe fn from_raw(file: *mut bindings::seq_file) -> Self {
        // INVARIANT: By the caller's promise.
        Self(file)
    }

    /// The state that was made when the file was opened.
    pub fn private<T>(&self) -> *mut T {
        // SAFETY: The seq_file is ours by the type's invariant.
        unsafe { (*self.0).private.cast() }
    }

    /// Lets `write` append a text. Where it does not fit, the seq_file knows by its count that it
    /// is to be asked again with a longer buffer.
    pub fn append(&mut self, write: impl FnOnce(&mut Text<'_>) -> Result<(), Full>) {
        // SAFETY: The seq_file is ours by the type's invariant; it keeps `count` within `size` and
        // `buf` as long as that.
        let (file, rest) = unsafe {
            let file = &mut *self.0;
            let rest = from_raw_parts_mut(
                file.buf.add(file.count).cast::<u8>(),
                file.size - file.count,
            );
            (file, rest)
        };
        let mut text = Text::new(rest);
        match write(&mut text) {
            Ok(()) => file.count += text.used(),
            Err(Full) => file.count = file.size,
        }
    }
}

/// The private state of an open seq_file, outside of its operations: its lock is held meanwhile.
///
/// # Invariants
///
/// The lock of the seq_file is held, and its private data is a `T`.
pub struct Locked<'a, T>(*mut bindings::seq_file, PhantomData<&'a mut T>);

impl<T> Locked<'_, T> {
    /// Waits for reads of the same open file to finish.
    ///
    /// # Safety
    ///
    /// `file` is open, and a seq_file whose private data is a `T`. May sleep.
    pub unsafe fn new(file: *mut bindings::file) -> Self {
        // SAFETY: By the caller's promise.
        let seq = unsafe { (*file).private_data.cast::<bindings::seq_file>() };
        // SAFETY: `seq_open()` has initialised the lock.
        unsafe { bindings::mutex_lock(&raw mut (*seq).lock) };
        // INVARIANT: It was taken just now.
        Self(seq, PhantomData)
    }
}

impl<T> Drop for Locked<'_, T> {
    fn drop(&mut self) {
        // SAFETY: It is held by the type's invariant.
        unsafe { bindings::mutex_unlock(&raw mut (*self.0).lock) };
    }
}

impl<T> Deref for Locked<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: By the type's invariant; whoever else uses the data holds the lock.
        unsafe { &*(*self.0).private.cast() }
    }
}

impl<T> DerefMut for Locked<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: As in `deref()`.
        unsafe { &mut *(*self.0).private.cast() }
    }
}
