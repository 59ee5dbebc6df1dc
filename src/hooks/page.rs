// SPDX-License-Identifier: GPL-2.0-only

//! Doors for pages, on the path of every alloc_pages() and free_pages().

use super::check;
use crate::{
    model::{handle::Handle, reference::Reference},
    platform::{
        counters,
        page::{Page, Slot, PAGE_SIZE},
        tag::Tag,
        uncounted,
    },
};
use kernel::{bindings, ffi::c_int, prelude::*};

/// Counts `nr` pages that were just allocated.
///
/// # Safety
///
/// `page` is the first of them, and `tag` is null or a live tag.
#[export]
pub unsafe extern "C" fn alloctag_page_alloc(
    page: *mut bindings::page,
    tag: *mut bindings::alloc_tag,
    nr: u32,
) {
    // SAFETY: By the caller's promise.
    let (place, site) = unsafe { (Page::from_raw(page), Tag::from_raw(tag)) };
    let Some(site) = site else {
        return check::tag_is_missing();
    };
    match place.slot_in_table() {
        Some(slot) => charge(slot, site, nr),
        // SAFETY: By the caller's promise.
        None => unsafe { charge_elsewhere(page, site, nr) },
    }
}

/// Stores the reference and counts.
#[inline(always)]
fn charge(slot: Slot, tag: &Tag, nr: u32) {
    check::is_clear(|| slot.get());
    let handle = tag.handle();
    slot.set(Reference::new(handle));
    counters::add(handle, nr as usize * PAGE_SIZE);
}

/// Counts where the table does not reach. Takes the door's own arguments, so that the door needs no
/// stack to pass them on.
///
/// # Safety
///
/// As for [`alloctag_page_alloc()`].
#[inline(never)]
unsafe extern "C" fn charge_elsewhere(page: *mut bindings::page, tag: &Tag, nr: u32) {
    // SAFETY: By the caller's promise.
    match unsafe { Page::from_raw(page) }.slot_elsewhere() {
        Some(slot) => charge(slot, tag, nr),
        None => uncounted::note(tag),
    }
}

/// Takes away `nr` pages that are about to be freed.
///
/// # Safety
///
/// `page` is the first of them.
#[export]
pub unsafe extern "C" fn alloctag_page_free(page: *mut bindings::page, nr: u32) {
    // SAFETY: By the caller's promise.
    match unsafe { Page::from_raw(page) }.slot_in_table() {
        Some(slot) => discharge(slot, nr),
        // SAFETY: By the caller's promise.
        None => unsafe { discharge_elsewhere(page, nr) },
    }
}

/// Clears the reference and counts. A page that was not counted is taken from the account of none, as
/// a slab object is.
#[inline(always)]
fn discharge(slot: Slot, nr: u32) {
    let handle = slot.get().handle();
    check::was_seen(handle);
    slot.set(Reference::NONE);
    counters::sub(handle, nr as usize * PAGE_SIZE);
}

/// Takes away where the table does not reach.
///
/// # Safety
///
/// As for [`alloctag_page_free()`].
#[inline(never)]
unsafe extern "C" fn discharge_elsewhere(page: *mut bindings::page, nr: u32) {
    // SAFETY: By the caller's promise.
    if let Some(slot) = unsafe { Page::from_raw(page) }.slot_elsewhere() {
        discharge(slot, nr);
    }
}

/// The account of a page as a number, 0 if it has none.
///
/// # Safety
///
/// `page` is a page, which may be freed meanwhile.
#[export]
pub unsafe extern "C" fn alloctag_page_account(page: *mut bindings::page) -> u32 {
    // SAFETY: By the caller's promise.
    let page = unsafe { Page::from_raw(page) };
    match page.slot().map(|slot| slot.get().handle()) {
        Some(handle) if handle.is_counted() => handle.get(),
        _ => Handle::NONE.get(),
    }
}

/// Takes `nr` pages away from an account whose allocation lives on without them.
#[export]
pub extern "C" fn alloctag_account_sub_pages(account: u32, nr: u32) {
    counters::sub_bytes(Handle::from_word(account), nr as usize * PAGE_SIZE);
}

/// Says that a page is not counted on purpose.
///
/// # Safety
///
/// `page` is a page of which the caller is the owner.
#[export]
pub unsafe extern "C" fn alloctag_page_clear(page: *mut bindings::page) {
    // SAFETY: By the caller's promise.
    // Without a place for a reference the page is not counted anyway.
    if let Some(slot) = unsafe { Page::from_raw(page) }.slot() {
        slot.set(Reference::from_word(bindings::ALLOC_TAG_EMPTY));
    }
}

/// The parts of a split allocation become allocations of their own, of the same account.
///
/// # Safety
///
/// `head` is the first of `2^old_order` pages that the caller owns.
#[export]
pub unsafe extern "C" fn alloctag_page_split(
    head: *mut bindings::page,
    old_order: c_int,
    new_order: c_int,
) {
    // SAFETY: By the caller's promise.
    let head = unsafe { Page::from_raw(head) };
    let Some(reference) = head.slot().map(Slot::get) else {
        return;
    };
    if !reference.handle().is_counted() {
        return;
    }
    let mut parts = 0;
    for part in ((1 << new_order)..(1usize << old_order)).step_by(1 << new_order) {
        // SAFETY: Within the allocation.
        if let Some(slot) = unsafe { head.add(part) }.slot() {
            slot.set(reference);
            parts += 1;
        }
    }
    counters::add_calls(reference.handle(), parts);
}

/// Two folios have changed places: each is charged to where the other one was.
///
/// # Safety
///
/// The caller owns both.
#[export]
pub unsafe extern "C" fn alloctag_page_swap(new: *mut bindings::page, old: *mut bindings::page) {
    // SAFETY: By the caller's promise.
    let (new, old) = unsafe { (Page::from_raw(new), Page::from_raw(old)) };
    // A page without a place for a reference has no account to give and cannot take one.
    let (Some(new), Some(old)) = (new.slot(), old.slot()) else {
        return;
    };
    let (of_new, of_old) = (new.get(), old.get());
    if of_new.handle().is_counted() && of_old.handle().is_counted() {
        new.set(of_old);
        old.set(of_new);
    }
}
