// SPDX-License-Identifier: GPL-2.0-only

//! Hooks for calls of allocators that may have to fail.

use crate::{
    detail::faults,
    platform::{failures, tag::Tag},
};
use kernel::{bindings, prelude::*};

/// Whether an allocation fails; and if so, it is counted.
///
/// # Safety
///
/// `tag` is null or a tag that is alive.
#[export]
pub unsafe extern "C" fn alloctag_fails(
    tag: *mut bindings::alloc_tag,
    bytes: usize,
    flags: bindings::gfp_t,
    may_wait: bool,
) -> bool {
    // SAFETY: By the caller's promise.
    let Some(tag) = (unsafe { Tag::from_raw(tag) }) else {
        return false;
    };
    if !faults::is_due(tag, bytes, flags, may_wait) {
        return false;
    }
    failures::inject(tag.handle());
    true
}

/// Whether the last failure of this context was made; each time once.
#[export]
pub extern "C" fn alloctag_was_injected() -> bool {
    failures::take_injected()
}
