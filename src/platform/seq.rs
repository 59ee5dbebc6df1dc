// SPDX-License-Identifier: GPL-2.0-only

//! The buffer that a seq_file is read through.
//!
//! C header: [`include/linux/seq_file.h`](srctree/include/linux/seq_file.h). `seq_printf()` would
//! format by interpreting a string; here the model writes straight into the buffer.

use crate::model::text::{Full, Text};
use core::slice::from_raw_parts_mut;
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
        let file = self.0;
        // SAFETY: The seq_file is ours by the type's invariant, but for its lock, which others wait for, so there is no reference to
        // all of it. It keeps `count` within `size` and `buf` as long as that, of which nobody else has anything. What lies behind
        // `count` may never have been written; any bytes are a `u8`, and `Text` reads none that it has not written.
        let (count, size, rest) = unsafe {
            let (count, size) = ((*file).count, (*file).size);
            let rest = from_raw_parts_mut((*file).buf.add(count).cast::<u8>(), size - count);
            (count, size, rest)
        };
        let mut text = Text::new(rest);
        let count = match write(&mut text) {
            Ok(()) => count + text.used(),
            Err(Full) => size,
        };
        // SAFETY: As above.
        unsafe { (*file).count = count };
    }
}

/// The state that was made when a seq_file was opened, outside of its operations.
///
/// # Safety
///
/// `file` is open, and a seq_file.
pub unsafe fn private_of<T>(file: *mut bindings::file) -> *mut T {
    // SAFETY: By the caller's promise.
    unsafe {
        let seq = (*file).private_data.cast::<bindings::seq_file>();
        (*seq).private.cast()
    }
}
