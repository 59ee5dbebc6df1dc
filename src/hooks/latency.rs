// SPDX-License-Identifier: GPL-2.0-only

//! The hook of calls of allocators that are timed.

use crate::{detail::latency, platform::tag::Tag};
use kernel::{bindings, prelude::*};

/// A call has taken so many nanoseconds.
///
/// # Safety
///
/// `tag` is null or a tag that is alive.
#[export]
pub unsafe extern "C" fn alloctag_timed(tag: *mut bindings::alloc_tag, ns: u64) {
    // SAFETY: By the caller's promise.
    if let Some(tag) = unsafe { Tag::from_raw(tag) } {
        latency::record(tag.handle(), ns);
    }
}
