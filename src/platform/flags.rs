// SPDX-License-Identifier: GPL-2.0-only

//! The flags of an allocation, as people write them.
//!
//! C part: `flags.c`.

use kernel::bindings;

/// Gives `with` the names of flags, with `|` between them.
pub fn names<T>(flags: u32, with: impl FnOnce(&[u8]) -> T) -> T {
    let mut names = [0; bindings::ALLOCTAG_GFP_NAMES_LEN as usize];
    // SAFETY: There is so much room.
    let length = unsafe { bindings::alloctag_gfp_names(flags, names.as_mut_ptr().cast()) };
    with(names.get(..length as usize).unwrap_or_default())
}
