// SPDX-License-Identifier: GPL-2.0-only

//! Hooks for allocators that give nothing, and for what was given in vain.

use crate::{
    detail::account::Account,
    model::{handle::Handle, reference::Reference},
    platform::{
        failures,
        page::{Page, PAGE_SIZE},
        slab::Object,
        tag::Tag,
        uncounted::EMPTY,
    },
};
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
use crate::{
    detail::events,
    platform::events::{self as told, Asked},
};
use kernel::{bindings, prelude::*};

/// Counts a failure of the current tag, unless it is an attempt's: so many bytes or pages of an order were asked for.
///
/// # Safety
///
/// The current tag is null or alive.
#[export]
pub unsafe extern "C" fn alloctag_failed(bytes: usize, order: u32, flags: bindings::gfp_t) {
    // SAFETY: Reads this task's own word.
    let tag = unsafe { bindings::alloctag_current() };
    let mark = tag.addr() as u32 & bindings::ALLOC_TAG_MARK;
    // SAFETY: What is the current tag is alive.
    let tag = unsafe { Tag::from_raw(tag) };
    let handle = tag.map_or(Handle::NONE, Tag::handle);
    let counts = handle.is_counted() && mark != bindings::ALLOC_TAG_MARK_ATTEMPT;
    if counts {
        failures::add(handle);
        tell(tag, bytes, order, flags);
    }
    // Of what does not count, nothing is to be taken back.
    failures::set_last(if counts { handle } else { Handle::NONE });
}

/// The last failure of this context was none.
///
/// # Safety
///
/// None: it is what bindgen makes of its prototype.
#[export]
pub unsafe extern "C" fn alloctag_retry() {
    let handle = failures::take_last();
    if handle.is_counted() {
        failures::take_back(handle);
        tell_again(handle);
    }
}

/// Tells tracers of a failure.
fn tell(tag: Option<&Tag>, bytes: usize, order: u32, flags: bindings::gfp_t) {
    #[cfg(CONFIG_ALLOCTAG_EVENTS)]
    if let (true, Some(tag)) = (told::tell_fail(), tag) {
        let asked = Asked {
            bytes,
            order,
            flags,
        };
        events::failed(tag, asked, false);
    }
    #[cfg(not(CONFIG_ALLOCTAG_EVENTS))]
    let _ = (tag, bytes, order, flags);
}

/// Tells them that the last one was none.
fn tell_again(account: Handle) {
    #[cfg(CONFIG_ALLOCTAG_EVENTS)]
    if told::tell_fail() {
        events::tried_again(account);
    }
    #[cfg(not(CONFIG_ALLOCTAG_EVENTS))]
    let _ = account;
}

/// Takes an object back as if it had never been allocated.
///
/// # Safety
///
/// As for `alloctag_slab_free()`.
#[export]
pub unsafe extern "C" fn alloctag_slab_undo(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
) {
    // SAFETY: By the caller's promise.
    let object = unsafe { Object::new(s, slab, offset) };
    let Some(slot) = object.any_reference() else {
        return;
    };
    let reference = Reference::from_word(slot.get());
    let account = Account::of(reference.handle());
    slot.set(EMPTY.word());
    let slack = object.scale().counted(reference.slack_bits());
    account.undo(object.size(), slack);
}

/// Takes pages back as if they had never been allocated.
///
/// # Safety
///
/// `page` is the first of `2^order` pages that the caller owns.
#[export]
pub unsafe extern "C" fn alloctag_page_undo(page: *mut bindings::page, order: u32) {
    // SAFETY: By the caller's promise.
    let page = unsafe { Page::from_raw(page) };
    let Some(slot) = page.slot() else {
        return;
    };
    let reference = slot.get();
    slot.set(EMPTY);
    let bytes = PAGE_SIZE << reference.order(order);
    Account::of(reference.handle()).undo(bytes, 0);
}
