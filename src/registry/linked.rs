// SPDX-License-Identifier: GPL-2.0-only

//! The tags that the linker has put together: those of what is built in. They live for ever.

use crate::{model::handle::Handle, platform::tag::Tag};
use core::slice;

extern "C" {
    /// The bounds of section `alloctag`, from the linker script.
    static __start_alloc_tags: [Tag; 0];
    static __stop_alloc_tags: [Tag; 0];
}

/// All of them.
pub(super) fn tags() -> &'static [Tag] {
    let (start, stop) = (&raw const __start_alloc_tags, &raw const __stop_alloc_tags);
    // SAFETY: The section is an array of tags from the one address to the other, and lives for ever.
    unsafe {
        let start = start.cast::<Tag>();
        slice::from_raw_parts(start, stop.cast::<Tag>().offset_from(start) as usize)
    }
}

/// The tag of an account, if it is that of a built-in one.
pub fn tag(handle: Handle) -> Option<&'static Tag> {
    tags().get(handle.index().checked_sub(Handle::FIRST as usize)?)
}
