// SPDX-License-Identifier: GPL-2.0-only

//! C strings as slices.

use core::slice::from_raw_parts;
use kernel::{bindings, ffi::c_char};

/// A C string without its zero.
///
/// Its length is found by words, in C: the kernel's `strlen()` looks at every byte by itself, and of
/// the work of showing a call site that would be a third; and words reach beyond the string's end,
/// where Rust may not look.
///
/// # Safety
///
/// `string` points to a C string that stays for `'a`.
#[inline]
pub unsafe fn bytes_of<'a>(string: *const c_char) -> &'a [u8] {
    // SAFETY: The caller's promise; so long is the string.
    unsafe { from_raw_parts(string.cast(), bindings::alloctag_strlen(string)) }
}
