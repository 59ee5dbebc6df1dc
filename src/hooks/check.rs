// SPDX-License-Identifier: GPL-2.0-only

//! What `CONFIG_MEM_ALLOC_PROFILING_DEBUG` warns of; without it all of this compiles to nothing.
//!
//! Every allocation has a current tag, finds no reference where it stores its own, and is found
//! counted, or marked as left out on purpose, when it is freed.

use crate::{
    model::{handle::Handle, reference::Reference},
    registry::linked,
};
use core::ptr::null;
use kernel::bindings;

/// Whether there are checks at all.
pub(super) const ON: bool = cfg!(CONFIG_MEM_ALLOC_PROFILING_DEBUG);

/// An allocation has come without a tag.
#[inline(always)]
pub(super) fn tag_is_missing() {
    if ON {
        // SAFETY: Prints, at most once.
        unsafe { bindings::alloctag_warn_no_tag() }
    }
}

/// Looks at what a new reference takes the place of.
#[inline(always)]
pub(super) fn is_clear(old: impl FnOnce() -> Reference) {
    if ON {
        let handle = old().handle();
        if handle.is_counted() {
            not_cleared(handle);
        }
    }
}

/// Looks at what is being freed: it was counted, or its reference is the mark that it was left out.
#[inline(always)]
pub(super) fn was_seen(handle: Handle) {
    if ON && handle == Handle::NONE {
        // SAFETY: Prints, at most once.
        unsafe { bindings::alloctag_warn_not_set() }
    }
}

#[cold]
fn not_cleared(handle: Handle) {
    let tag = linked::tag(handle).map_or(null(), |tag| tag.as_raw());
    // SAFETY: The tag is null or lives for ever; prints, at most once.
    unsafe { bindings::alloctag_warn_not_cleared(tag, handle.get()) }
}
