// SPDX-License-Identifier: GPL-2.0-only

//! Hooks for containers that allocate on behalf of whoever made them.

use crate::{platform::tag::Tag, registry::recorded};
use kernel::{bindings, prelude::*};

/// The tag as C takes it; null for none.
fn into_raw(tag: Option<&'static Tag>) -> *mut bindings::alloc_tag {
    tag.map_or(core::ptr::null_mut(), |tag| tag.as_raw().cast_mut())
}

/// A tag of the same account that is never freed.
///
/// # Safety
///
/// `tag` is null or a live tag, or what `current->alloc_tag` holds.
#[export]
pub unsafe extern "C" fn alloctag_record(
    tag: *mut bindings::alloc_tag,
) -> *mut bindings::alloc_tag {
    // SAFETY: By the caller's promise.
    into_raw(unsafe { Tag::from_raw(tag) }.and_then(recorded::record))
}

/// The same, and the account is held.
///
/// # Safety
///
/// As for [`alloctag_record()`].
#[export]
pub unsafe extern "C" fn alloctag_hold(tag: *mut bindings::alloc_tag) -> *mut bindings::alloc_tag {
    // SAFETY: By the caller's promise.
    into_raw(unsafe { Tag::from_raw(tag) }.and_then(recorded::hold))
}

/// Lets go of an account.
///
/// # Safety
///
/// `tag` is null or what [`alloctag_hold()`] returned; each time once.
#[export]
pub unsafe extern "C" fn alloctag_release(tag: *mut bindings::alloc_tag) {
    // SAFETY: By the caller's promise, and such tags live for ever.
    if let Some(tag) = unsafe { Tag::from_raw(tag) } {
        recorded::release(tag);
    }
}
