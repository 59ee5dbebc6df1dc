// SPDX-License-Identifier: GPL-2.0-only

//! Hooks for pages, on the path of every alloc_pages() and free_pages(): the plain ones, and what the detailed ones are made of.

use super::check;
use crate::{
    detail::{account::Account, circumstances::Allocation, context, lifetimes},
    model::{handle::Handle, reference::Reference},
    platform::{
        counters::{Counted, Place, Plain, Reach},
        followed::Followed,
        log::Warning,
        page::{Page, Slot, HANDLES_IN_FLAGS, PAGE_SIZE},
        tag::Tag,
        uncounted::EMPTY,
    },
    registry::{self, overflow},
};
use core::ops::Range;
use kernel::{bindings, ffi::c_int, prelude::*, sync::rcu};

/// Counts `2^order` pages that were just allocated with these flags.
///
/// # Safety
///
/// `page` is the first of them, and `tag` is null or a live tag.
#[export]
pub unsafe extern "C" fn alloctag_page_alloc(
    page: *mut bindings::page,
    tag: *mut bindings::alloc_tag,
    order: u32,
    flags: bindings::gfp_t,
) {
    // SAFETY: By the caller's promise.
    unsafe { alloc::<Plain>(page, tag, order, flags) }
}

/// The same for either set of hooks.
///
/// # Safety
///
/// As for [`alloctag_page_alloc()`].
#[inline(always)]
pub(super) unsafe fn alloc<R: Reach>(
    page: *mut bindings::page,
    tag: *mut bindings::alloc_tag,
    order: u32,
    flags: bindings::gfp_t,
) {
    // SAFETY: By the caller's promise.
    let (pages, site) = unsafe { (Page::from_raw(page), Tag::from_raw(tag)) };
    let Some(site) = site else {
        return check::tag_is_missing();
    };
    // Asked for last: with an account an allocation that is drawn may be counted down already.
    let near = pages
        .slot_in_table()
        .and_then(|slot| Some((slot, R::account(site, || bytes(order))?)));
    match near {
        Some((slot, account)) => charge(slot, account, order),
        // SAFETY: By the caller's promise.
        None => unsafe { charge_elsewhere(page, site, order, flags) },
    }
}

/// Bytes of `2^order` pages. An order is far below the bits of a word, and asking would cost two instructions.
#[inline(always)]
pub(super) const fn bytes(order: u32) -> usize {
    PAGE_SIZE.wrapping_shl(order)
}

/// Stores the reference and counts.
#[inline(always)]
fn charge(slot: Slot, (handle, account): (Handle, Place), order: u32) {
    check::is_clear(|| slot.get());
    account.add(bytes(order), None, || {
        slot.set(Reference::of_pages(handle, order));
    });
}

/// Counts where the table does not reach, or in an account beyond the dense rows, or for a chosen call site. Takes the hook's
/// own arguments, so that the hook needs no stack to pass them on.
///
/// # Safety
///
/// As for [`alloctag_page_alloc()`].
#[inline(never)]
unsafe extern "C" fn charge_elsewhere(
    page: *mut bindings::page,
    tag: &Tag,
    order: u32,
    flags: bindings::gfp_t,
) {
    // SAFETY: By the caller's promise.
    let page = unsafe { Page::from_raw(page) };
    match page.slot_elsewhere() {
        Some(slot) if tag.name().following().is_some() => charge_missed(slot, tag, order),
        Some(slot) => charge_in_flags(slot, tag, order),
        None => charge_far(page, tag, order, flags),
    }
}

/// Counts where a context has no handle that fits.
#[inline(always)]
fn charge_in_flags(slot: Slot, tag: &Tag, order: u32) {
    let handle = fitting(tag.handle());
    charge(slot, (handle, Place::of(handle)), order);
}

/// The same of what would be followed, which has none either.
#[cold]
#[inline(never)]
fn charge_missed(slot: Slot, tag: &Tag, order: u32) {
    lifetimes::miss(tag.name(), bytes(order));
    charge_in_flags(slot, tag, order);
}

/// Counts in an account beyond the dense rows.
#[inline(never)]
fn charge_far(page: Page, tag: &Tag, order: u32, flags: bindings::gfp_t) {
    let Some(slot) = page.slot_in_table() else {
        return registry::uncounted::note(tag);
    };
    let allocation = Allocation {
        page: Some(page),
        bytes: bytes(order),
        order,
        gfp: flags,
    };
    let guard = rcu::read_lock();
    charge(slot, context::charge(tag, allocation, 0, &guard), order);
}

/// The account itself, or the shared one where the flags of a page have too few bits for a chunk's handle.
fn fitting(account: Handle) -> Handle {
    static TOO_FAR: Warning = Warning::new(
        c"the pages of some modules share an account: their own do not fit into the flags of pages",
    );

    if account.index() < HANDLES_IN_FLAGS {
        return account;
    }
    TOO_FAR.say();
    overflow::tag().handle()
}

/// Takes away `2^order` pages that are about to be freed.
///
/// # Safety
///
/// `page` is the first of them.
#[export]
pub unsafe extern "C" fn alloctag_page_free(page: *mut bindings::page, order: u32) {
    // SAFETY: By the caller's promise.
    unsafe { free::<Plain>(page, order) }
}

/// The same for either set of hooks.
///
/// # Safety
///
/// As for [`alloctag_page_free()`].
#[inline(always)]
pub(super) unsafe fn free<R: Reach>(page: *mut bindings::page, order: u32) {
    // SAFETY: By the caller's promise.
    let slot = unsafe { Page::from_raw(page) }.slot_in_table();
    let near = slot.and_then(|slot| {
        let reference = slot.get();
        Some((slot, reference, R::place(reference.handle())?))
    });
    match near {
        Some((slot, reference, place)) => discharge(slot, reference, place, order),
        // SAFETY: By the caller's promise.
        None => unsafe { discharge_elsewhere(page, order) },
    }
}

/// Clears the reference and counts what it said. A page that was not counted is taken from the account of none, as
/// a slab object is.
#[inline(always)]
fn discharge(slot: Slot, reference: Reference, account: impl Counted, order: u32) {
    check::was_seen(reference.handle());
    slot.set(Reference::NONE);
    account.sub(bytes(reference.order(order)), None);
}

/// Takes away where the table does not reach, or from an account beyond the dense rows.
///
/// # Safety
///
/// As for [`alloctag_page_free()`].
#[inline(never)]
unsafe extern "C" fn discharge_elsewhere(page: *mut bindings::page, order: u32) {
    // SAFETY: By the caller's promise.
    let page = unsafe { Page::from_raw(page) };
    match page.slot_elsewhere() {
        Some(slot) => {
            let reference = slot.get();
            discharge(slot, reference, Place::of(reference.handle()), order);
        }
        None => discharge_far(page, order),
    }
}

/// Takes away from an account beyond the dense rows.
#[inline(never)]
fn discharge_far(page: Page, order: u32) {
    if let Some(slot) = page.slot_in_table() {
        let reference = slot.get();
        discharge(slot, reference, Account::of(reference.handle()), order);
    }
}

/// Takes away what a page was charged with that goes with its memory. Nobody is about to free it.
pub(super) fn lost(reference: Reference) {
    let account = Account::of(reference.handle());
    account.sub(bytes(reference.charged_order()), None);
}

/// The reference of a page as a word, 0 if there is no place for one; that of what is followed as if it were not.
///
/// # Safety
///
/// `page` is a page, which may be freed meanwhile.
#[export]
pub unsafe extern "C" fn alloctag_page_reference(page: *mut bindings::page) -> u32 {
    // SAFETY: By the caller's promise.
    let slot = unsafe { Page::from_raw(page) }.slot();
    let reference = slot.map_or(Reference::NONE, Slot::get);
    // The page is still there, which it need not be when this is used, nor need what says what is followed.
    match Followed::of(reference.handle()) {
        Some(followed) => {
            Reference::with_slack_bits(followed.kept(), reference.slack_bits()).word()
        }
        None => reference.word(),
    }
}

/// Takes away all of `2^order` pages but the first, which lives on; `reference` was theirs.
///
/// # Safety
///
/// What has that reference was allocated, and is freed by nobody else.
#[export]
pub unsafe extern "C" fn alloctag_page_free_tail(reference: u32, order: u32) {
    let reference = Reference::from_word(reference);
    let whole = bytes(reference.order(order));
    Account::of(reference.handle()).shrink(whole, PAGE_SIZE);
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
        let handle = slot.get().handle();
        slot.set(EMPTY);
        if let Some(followed) = Followed::of(handle) {
            lifetimes::undo(followed);
        }
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
    let Some((head, slot)) = (unsafe { reference_of_folio(head) }) else {
        return;
    };
    let whole = slot.get();
    if !whole.handle().is_counted() {
        if check::ON && whole == EMPTY {
            let parts = 1 << new_order..1 << old_order;
            // SAFETY: Within the allocation.
            unsafe { store(head, parts, 1 << new_order, || EMPTY) };
        }
        return;
    }
    let account = Account::of(whole.handle());
    let old = bytes(whole.order(old_order as u32));
    let split = |handle| whole.split(handle, new_order as u32);
    let part = || account.part(old, bytes(whole.order(new_order as u32)));
    let part_of = || split(part());
    let (step, end) = (1 << new_order, 1 << old_order);
    let charged = step.max(1 << whole.order(old_order as u32));
    let (head_part, rest) = (part(), step..charged);
    // What is followed is so in its first part.
    slot.set(split(account.go_on(head_part)));
    let first = split(head_part);
    let parts = if account.is_sampled() {
        // SAFETY: Within the allocation.
        unsafe { store(head, rest, step, part_of) }
    } else {
        // SAFETY: Likewise.
        unsafe { store(head, rest, step, || first) }
    };
    if charged < end {
        // SAFETY: Within the allocation.
        unsafe { store(head, charged..end, step, || EMPTY) };
    }
    account.split(old, parts);
}

/// The first page of a folio and where its reference lies, if it has one.
///
/// # Safety
///
/// The caller owns the folio.
unsafe fn reference_of_folio(folio: *mut bindings::page) -> Option<(Page, Slot)> {
    // SAFETY: By the caller's promise.
    let head = unsafe { Page::of_folio(folio)? };
    Some((head, head.slot()?))
}

/// Stores a reference at every `step`th of these pages, counted from the head, and returns for
/// how many of them there was a place.
///
/// # Safety
///
/// They belong to the head's allocation.
unsafe fn store(
    head: Page,
    pages: Range<usize>,
    step: usize,
    mut reference: impl FnMut() -> Reference,
) -> usize {
    let mut stored = 0;
    let mut at = pages.start;
    while at < pages.end {
        // SAFETY: By the caller's promise.
        if let Some(slot) = unsafe { head.add(at) }.slot() {
            slot.set(reference());
            stored += 1;
        }
        at += step;
    }
    stored
}

/// Two folios have changed places: each is charged to where the other one was.
///
/// # Safety
///
/// The caller owns both.
#[export]
pub unsafe extern "C" fn alloctag_page_swap(new: *mut bindings::page, old: *mut bindings::page) {
    // SAFETY: By the caller's promise.
    let both = unsafe { (reference_of_folio(new), reference_of_folio(old)) };
    // A page without a place for a reference has no account to give and cannot take one.
    let (Some((_, new)), Some((_, old))) = both else {
        return;
    };
    let (of_new, of_old) = (new.get(), old.get());
    if of_new.handle().is_counted() && of_old.handle().is_counted() {
        new.set(of_old);
        old.set(of_new);
    }
}
