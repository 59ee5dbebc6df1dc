// SPDX-License-Identifier: GPL-2.0-only

//! The hooks that tell tracers of what they count: in the place of the others while somebody looks at what is allocated or freed.

use super::{event, page};
use crate::{
    detail::events,
    platform::{counters::Detailed, events as told, page::Page, slab::Object},
};
use kernel::{bindings, prelude::*};

/// [`alloctag_slab_alloc()`](super::slab::alloctag_slab_alloc) for those who trace.
///
/// # Safety
///
/// The same.
#[export]
pub unsafe extern "C" fn alloctag_slab_alloc_traced(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
    orig_size: usize,
    tag: *mut bindings::alloc_tag,
    context: u64,
) {
    // SAFETY: By the caller's promise.
    unsafe { super::slab::alloc::<Detailed>(s, slab, offset, orig_size, tag, context) };
    let flags = context as u32;
    // SAFETY: The cache is live, by the caller's promise.
    if tag.is_null()
        || !told::tell_alloc()
        || unsafe { bindings::alloctag_is_to_be_charged(s, flags) }
    {
        return;
    }
    // SAFETY: By the caller's promise.
    event::given_object(unsafe { Object::new(s, slab, offset) }, orig_size, flags);
}

/// Tells of an object that is about to be freed.
///
/// # Safety
///
/// As for `alloctag_slab_free()`.
unsafe fn tell_freed(s: *mut bindings::kmem_cache, slab: *mut bindings::slab, offset: usize) {
    if told::tell_free() {
        // SAFETY: By the caller's promise.
        event::taken_object(unsafe { Object::new(s, slab, offset) });
    }
}

/// `alloctag_slab_free()` for those who trace.
///
/// # Safety
///
/// The same.
#[cfg(not(CONFIG_ALLOCTAG_SLAB_FREE_ASM))]
#[export]
pub unsafe extern "C" fn alloctag_slab_free_traced(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
) {
    // SAFETY: By the caller's promise.
    unsafe { tell_freed(s, slab, offset) };
    // SAFETY: Likewise.
    unsafe { super::slab::free::<Detailed>(s, slab, offset) }
}

/// The same, behind a frame that saves registers.
///
/// # Safety
///
/// The same.
#[cfg(CONFIG_ALLOCTAG_SLAB_FREE_ASM)]
pub(in crate::hooks) unsafe extern "C" fn slab_free(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
) {
    // SAFETY: By the caller's promise.
    unsafe { tell_freed(s, slab, offset) };
    // SAFETY: Likewise.
    unsafe { bindings::alloctag_slab_free_detailed(s, slab, offset) }
}

/// [`page::alloctag_page_alloc()`] for those who trace.
///
/// # Safety
///
/// The same.
#[export]
pub unsafe extern "C" fn alloctag_page_alloc_traced(
    page: *mut bindings::page,
    tag: *mut bindings::alloc_tag,
    order: u32,
    flags: bindings::gfp_t,
) {
    // SAFETY: By the caller's promise.
    unsafe { page::alloc::<Detailed>(page, tag, order, flags) };
    // SAFETY: These are pages and belong to no cache.
    if tag.is_null()
        || !told::tell_alloc()
        || unsafe { bindings::alloctag_is_to_be_charged(core::ptr::null(), flags) }
    {
        return;
    }
    // SAFETY: By the caller's promise.
    event::given_pages(unsafe { Page::from_raw(page) }, order, flags);
}

/// [`page::alloctag_page_free()`] for those who trace.
///
/// # Safety
///
/// The same.
#[export]
pub unsafe extern "C" fn alloctag_page_free_traced(page: *mut bindings::page, order: u32) {
    if told::tell_free() {
        // SAFETY: By the caller's promise.
        let pages = unsafe { Page::from_raw(page) };
        if let Some(slot) = pages.slot() {
            let reference = slot.get();
            let order = reference.order(order);
            events::taken(reference.handle(), || {
                told::Piece::pages(pages, order, page::bytes(order))
            });
        }
    }
    // SAFETY: By the caller's promise.
    unsafe { page::free::<Detailed>(page, order) }
}
