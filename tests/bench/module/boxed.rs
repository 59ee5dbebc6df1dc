// SPDX-License-Identifier: GPL-2.0-only

//! What a driver in Rust does to have 64 bytes, for the operations of `rust.c`, and lines of Rust code for `lines.c`.

use core::mem::MaybeUninit;
#[cfg(CONFIG_ALLOCTAG_RUST_CALLERS)]
use core::panic::Location;
use kernel::{alloc_hooks, ffi::c_void, prelude::*};

type Bytes = MaybeUninit<[u8; 64]>;

fn into_raw<E>(bytes: Result<KBox<Bytes>, E>) -> *mut c_void {
    bytes.map_or(core::ptr::null_mut(), |bytes| KBox::into_raw(bytes).cast())
}

/// A box as drivers make them.
#[no_mangle]
pub extern "C" fn bench_box_new() -> *mut c_void {
    into_raw(KBox::new_uninit(GFP_NOWAIT))
}

/// The same with a tag of its own.
#[no_mangle]
pub extern "C" fn bench_box_hooked() -> *mut c_void {
    into_raw(alloc_hooks!(KBox::new_uninit(GFP_NOWAIT)))
}

/// Drops a box.
///
/// # Safety
///
/// It is one of the above, and not null.
#[no_mangle]
pub unsafe extern "C" fn bench_box_drop(bytes: *mut c_void) {
    // SAFETY: The caller's promise.
    drop(unsafe { KBox::<Bytes>::from_raw(bytes.cast()) });
}

/// As many lines as the core has places for. It tells them apart by where their locations are, so that all can be this one.
#[cfg(CONFIG_ALLOCTAG_RUST_CALLERS)]
static LINES: [Location<'static>; kernel::bindings::ALLOC_TAG_CALLERS as usize] =
    [*Location::caller(); kernel::bindings::ALLOC_TAG_CALLERS as usize];

/// A line by its number.
#[cfg(CONFIG_ALLOCTAG_RUST_CALLERS)]
#[no_mangle]
pub extern "C" fn bench_line(number: u32) -> *const c_void {
    let line = LINES.get(number as usize);
    line.map_or(core::ptr::null(), |line| core::ptr::from_ref(line).cast())
}
