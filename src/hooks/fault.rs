// SPDX-License-Identifier: GPL-2.0-only

//! Hooks for calls of allocators that may have to fail.

#[cfg(CONFIG_ALLOCTAG_EVENTS)]
use crate::{
    detail::events,
    platform::events::{self as told, Asked},
};
use crate::{
    detail::faults,
    platform::{self, failures, tag::Tag},
    registry::callers,
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
    order: u32,
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
    #[cfg(not(CONFIG_ALLOCTAG_EVENTS))]
    let _ = order;
    #[cfg(CONFIG_ALLOCTAG_EVENTS)]
    if told::tell_fail() {
        let asked = Asked {
            bytes,
            order,
            flags,
        };
        events::failed(tag, asked, true);
    }
    // SAFETY: A line of Rust code is where its allocation is asked for, with its own tag; what a container asks for has another.
    let file = unsafe { callers::file_of(tag) }.unwrap_or_else(|| tag.file());
    platform::faults::trace(tag, file, bytes, flags);
    true
}
