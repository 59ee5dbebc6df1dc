// SPDX-License-Identifier: GPL-2.0-only

//! What the parameter of alloctag_written allocates in Rust.

use kernel::prelude::*;

/// Allocates and frees some bytes. Returns whether it was given them.
#[no_mangle]
#[inline(never)]
pub extern "C" fn written_box() -> bool {
    KBox::new([1_u8; 64], GFP_KERNEL).is_ok()
}
