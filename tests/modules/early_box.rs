// SPDX-License-Identifier: GPL-2.0-only

//! What the parameters of alloctag_early allocate in Rust.

use kernel::{ffi::c_void, prelude::*};

/// Some bytes from `kmalloc()`, or null.
#[no_mangle]
#[inline(never)]
pub extern "C" fn early_box() -> *mut c_void {
    let bytes = KBox::new([1_u8; 100], GFP_KERNEL);
    bytes.map_or(core::ptr::null_mut(), |bytes| KBox::into_raw(bytes).cast())
}
