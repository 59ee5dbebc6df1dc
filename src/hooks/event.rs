// SPDX-License-Identifier: GPL-2.0-only

//! Hooks for events that the exchangeable hooks leave to others, and for those who begin and cease to look.

use super::page;
use crate::{
    detail::events,
    model::reference::Reference,
    platform::{events::Piece, page::Page, slab::Object},
    registry::names,
};
use kernel::{bindings, ffi::c_void, prelude::*};

/// Tells of an object that is given.
pub(super) fn given_object(object: Object, asked: usize, flags: bindings::gfp_t) {
    if let Some(slot) = object.any_reference() {
        let reference = Reference::from_word(slot.get());
        events::given(reference.handle(), flags, || Piece::object(object, asked));
    }
}

/// Tells of one that is about to be freed, with what was asked for as its reference has it.
#[inline(always)]
pub(super) fn taken_object(object: Object) {
    if let Some(slot) = object.any_reference() {
        let reference = Reference::from_word(slot.get());
        events::taken(reference.handle(), || {
            let slack = object.scale().bytes(reference.slack_bits());
            Piece::object(object, object.size() - slack.min(object.size()))
        });
    }
}

/// Tells of pages that are given.
pub(super) fn given_pages(pages: Page, order: u32, flags: bindings::gfp_t) {
    if let Some(slot) = pages.slot() {
        events::given(slot.get().handle(), flags, || {
            Piece::pages(pages, order, page::bytes(order))
        });
    }
}

/// A memcg takes an object upon it.
///
/// # Safety
///
/// As for `alloctag_slab_free()`; somebody looks at what is allocated.
#[export]
pub unsafe extern "C" fn alloctag_slab_charged(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
    orig_size: usize,
    flags: bindings::gfp_t,
) {
    // SAFETY: By the caller's promise.
    given_object(unsafe { Object::new(s, slab, offset) }, orig_size, flags);
}

/// A memcg takes pages upon it.
///
/// # Safety
///
/// `page` is the first of `2^order` pages that the caller owns.
#[export]
pub unsafe extern "C" fn alloctag_page_charged(
    page: *mut bindings::page,
    order: u32,
    flags: bindings::gfp_t,
) {
    // SAFETY: By the caller's promise.
    given_pages(unsafe { Page::from_raw(page) }, order, flags);
}

/// A per-CPU area was allocated.
///
/// # Safety
///
/// `word` is its reference.
#[export]
pub unsafe extern "C" fn alloctag_area_given(
    word: *const bindings::codetag_ref,
    area: *const c_void,
    size: usize,
    bytes: usize,
    flags: bindings::gfp_t,
) {
    // SAFETY: By the caller's promise.
    let reference = Reference::from_word(unsafe { word.cast::<u32>().read() });
    events::given(reference.handle(), flags, || Piece::area(area, size, bytes));
}

/// A per-CPU area is about to be freed.
///
/// # Safety
///
/// As for [`alloctag_area_given()`].
#[export]
pub unsafe extern "C" fn alloctag_area_freed(
    word: *const bindings::codetag_ref,
    area: *const c_void,
    size: usize,
    bytes: usize,
) {
    // SAFETY: By the caller's promise.
    let reference = Reference::from_word(unsafe { word.cast::<u32>().read() });
    events::taken(reference.handle(), || Piece::area(area, size, bytes));
}

/// All but the first of `2^order` pages are about to be freed, whose reference was that.
///
/// # Safety
///
/// `page` is the first of them, and the caller owns the others.
#[export]
pub unsafe extern "C" fn alloctag_tail_freed(
    page: *mut bindings::page,
    reference: u32,
    order: u32,
) {
    let reference = Reference::from_word(reference);
    events::taken(reference.handle(), || {
        let bytes = page::bytes(reference.order(order)) - page::bytes(0);
        // SAFETY: By the caller's promise there is another page.
        Piece::pages(unsafe { Page::from_raw(page).add(1) }, 0, bytes)
    });
}

/// Somebody begins to look at events.
///
/// # Safety
///
/// Called where one may sleep; [`alloctag_names_put()`] follows.
#[export]
pub unsafe extern "C" fn alloctag_names_get() {
    names::begin();
}

/// Somebody ceases to.
///
/// # Safety
///
/// Called where one may sleep, after [`alloctag_names_get()`].
#[export]
pub unsafe extern "C" fn alloctag_names_put() {
    names::end();
}
