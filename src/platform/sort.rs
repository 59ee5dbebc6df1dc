// SPDX-License-Identifier: GPL-2.0-only

//! Sorting by the kernel's own heap sort: no recursion, no memory, and no end but the list's, whatever the keys are.
//!
//! C header: `include/linux/sort.h`.

use core::{
    cmp::Ordering,
    ffi::c_void,
    ptr::{from_mut, from_ref},
};
use kernel::{bindings, ffi::c_int};

/// Sorts a list by what `key` says of each. What is alike comes in any order. May sleep.
pub fn by_key<T, F: Fn(&T) -> u64>(list: &mut [T], key: F) {
    // SAFETY: There are so many of that size, which are moved by their bytes, as all that is Rust's may be. `compare()` is given
    // two of them and the key, and the list is borrowed for as long.
    unsafe {
        bindings::sort_r_nonatomic(
            from_mut(list).cast(),
            list.len(),
            size_of::<T>(),
            Some(compare::<T, F>),
            None,
            from_ref(&key).cast(),
        );
    }
}

/// Which of two comes first.
///
/// # Safety
///
/// These are two of the list, and the key, for which nobody has a unique reference.
unsafe extern "C" fn compare<T, F: Fn(&T) -> u64>(
    one: *const c_void,
    other: *const c_void,
    key: *const c_void,
) -> c_int {
    // SAFETY: By the caller's promise.
    let (one, other, key) = unsafe { (&*one.cast::<T>(), &*other.cast::<T>(), &*key.cast::<F>()) };
    match key(one).cmp(&key(other)) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}
