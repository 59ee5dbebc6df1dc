// SPDX-License-Identifier: GPL-2.0-only

//! The length of C strings, by words: the kernel's `strlen()` looks at every byte by itself, and of
//! the work of showing a call site that would be a third.

use core::{ffi::CStr, mem::size_of, slice::from_raw_parts};
use kernel::{ffi::c_char, prelude::*};

const ONES: usize = usize::MAX / 0xff;
const HIGHS: usize = ONES << 7;

/// The bits of a word that begin at its first zero byte; none where it has no zero byte.
/// Alan Mycroft's test; it may be wrong about bytes behind the first zero, and those do not matter.
#[inline(always)]
const fn zeros(word: usize) -> usize {
    word.wrapping_sub(ONES) & !word & HIGHS
}

/// A C string without its zero.
///
/// # Safety
///
/// `string` points to a C string that stays for `'a`.
#[inline]
pub unsafe fn bytes_of<'a>(string: *const c_char) -> &'a [u8] {
    // KASAN would take offence at what lies around the string.
    if cfg!(any(CONFIG_KASAN, CONFIG_KMSAN, target_endian = "big")) {
        // SAFETY: The caller's promise.
        return unsafe { CStr::from_char_ptr(string) }.to_bytes();
    }
    // Whole aligned words: none of them reaches into a page that the string is not in.
    let first = string.cast::<u8>();
    let within = first.addr() % size_of::<usize>();
    let mut place = first.wrapping_sub(within).cast::<usize>();
    // Bytes before the string count as not zero.
    let before = (1 << (within * 8)) - 1;
    // SAFETY: The string's first byte is in that word.
    let mut found = zeros(unsafe { place.read_volatile() } | before);
    while found == 0 {
        place = place.wrapping_add(1);
        // SAFETY: The string did not end before this word, so it has a byte there.
        found = zeros(unsafe { place.read_volatile() });
    }
    let end = place.addr() + found.trailing_zeros() as usize / 8;
    // SAFETY: So long is the string.
    unsafe { from_raw_parts(first, end - first.addr()) }
}
