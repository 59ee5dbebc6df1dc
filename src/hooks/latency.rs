// SPDX-License-Identifier: GPL-2.0-only

//! The hook of calls of allocators that are timed.

use crate::{detail::latency, platform::tag::Tag};
use kernel::{bindings, prelude::*};

/// A call has taken so many nanoseconds.
///
/// # Safety
///
/// `tag` is a tag that is alive, with nothing beside its address. The caller holds RCU.
#[export]
pub unsafe extern "C" fn alloctag_timed(tag: *mut bindings::alloc_tag, ns: u64) {
    // SAFETY: By the caller's promise.
    let tag = unsafe { Tag::from_live(tag) };
    // SAFETY: Likewise.
    unsafe { latency::record(tag.handle(), ns) };
}
