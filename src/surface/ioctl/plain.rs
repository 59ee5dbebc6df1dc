// SPDX-License-Identifier: GPL-2.0-only

//! What ioctls take from a user's memory and give: structures of the ABI, which are plain bytes.

use core::{
    mem::{size_of, size_of_val, zeroed},
    slice,
};
use kernel::{
    prelude::*,
    uaccess::{UserPtr, UserSlice},
};

/// A structure of the ABI, which is numbers throughout and has no gaps.
///
/// # Safety
///
/// Any bytes are a value, and every value is bytes.
pub(super) unsafe trait Plain: Sized {}

// SAFETY: A number.
unsafe impl Plain for u64 {}

/// One of zeroes.
pub(super) fn zeroes<T: Plain>() -> T {
    // SAFETY: Any bytes are a value.
    unsafe { zeroed() }
}

/// The bytes of some of them.
pub(super) fn bytes_of<T: Plain>(values: &[T]) -> &[u8] {
    // SAFETY: Every value is bytes.
    unsafe { slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values)) }
}

/// Reads one from the user.
///
/// # Errors
///
/// `EFAULT`
pub(super) fn read<T: Plain>(user: UserPtr) -> Result<T> {
    read_grown(user, size_of::<T>())
}

/// Reads one that has so many bytes as the user knows it, of which those that are unknown here are zeroes.
///
/// # Errors
///
/// `EINVAL` where it is shorter, `E2BIG` where something is unknown that is not zero, `EFAULT`.
pub(super) fn read_grown<T: Plain>(user: UserPtr, size: usize) -> Result<T> {
    if size < size_of::<T>() {
        return Err(EINVAL);
    }
    let mut reader = UserSlice::new(user, size).reader();
    let mut value = zeroes::<T>();
    // SAFETY: These are the bytes of `value`, any of which are one.
    let bytes = unsafe { slice::from_raw_parts_mut((&raw mut value).cast::<u8>(), size_of::<T>()) };
    reader.read_slice(bytes)?;
    while !reader.is_empty() {
        if reader.read::<u8>()? != 0 {
            return Err(E2BIG);
        }
    }
    Ok(value)
}

/// Writes one to the user.
///
/// # Errors
///
/// `EFAULT`
pub(super) fn write<T: Plain>(user: UserPtr, value: &T) -> Result {
    let bytes = bytes_of(slice::from_ref(value));
    UserSlice::new(user, bytes.len())
        .writer()
        .write_slice(bytes)
}
