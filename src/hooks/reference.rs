// SPDX-License-Identifier: GPL-2.0-only

//! Hooks for allocations that keep a reference of their own, per-CPU areas, and for reading a tag.

use super::check;
use crate::{
    detail::{
        account::Account,
        circumstances::{Allocation, NO_FLAGS},
        context,
    },
    model::{handle::Handle, reference::Reference},
    platform::{
        counters::{self, Counted, Detailed, Reach},
        failures,
        tag::Tag,
    },
};
use kernel::{bindings, prelude::*, sync::rcu};

/// Counts an area.
///
/// # Safety
///
/// `word` is null or a reference of which the caller is the owner; `tag` is null or a live tag.
#[export]
pub unsafe extern "C" fn alloctag_ref_charge(
    word: *mut bindings::codetag_ref,
    tag: *mut bindings::alloc_tag,
    bytes: usize,
) {
    // SAFETY: By the caller's promise.
    let (word, tag) = unsafe { (word.cast::<u32>().as_mut(), Tag::from_raw(tag)) };
    let Some(tag) = tag else {
        return check::tag_is_missing();
    };
    let Some(word) = word else { return };
    check::is_clear(|| Reference::from_word(*word));
    if let Some((handle, place)) = Detailed::account(tag, || bytes) {
        return place.add(bytes, None, || *word = Reference::new(handle).word());
    }
    charge_far(word, tag, bytes);
}

/// Counts an area in an account beyond the dense rows.
#[cold]
#[inline(never)]
fn charge_far(word: &mut u32, tag: &Tag, bytes: usize) {
    let allocation = Allocation {
        page: None,
        bytes,
        order: 0,
        gfp: NO_FLAGS,
    };
    let guard = rcu::read_lock();
    let (kept, place) = context::charge(tag, allocation, 0, &guard);
    place.add(bytes, None, || *word = Reference::new(kept).word());
}

/// Takes an area away.
///
/// # Safety
///
/// As for [`alloctag_ref_charge()`].
#[export]
pub unsafe extern "C" fn alloctag_ref_uncharge(word: *mut bindings::codetag_ref, bytes: usize) {
    // SAFETY: By the caller's promise.
    let Some(word) = (unsafe { word.cast::<u32>().as_mut() }) else {
        return;
    };
    let handle = Reference::from_word(*word).handle();
    check::was_seen(handle);
    *word = Reference::NONE.word();
    match Detailed::place(handle) {
        Some(place) => place.sub(bytes, None),
        None => discharge_far(handle, bytes),
    }
}

/// Takes an area from an account beyond the dense rows.
#[cold]
#[inline(never)]
fn discharge_far(handle: Handle, bytes: usize) {
    Account::of(handle).sub(bytes, None);
}

/// Gives the totals of a call site.
///
/// # Safety
///
/// `tag` is a live tag, and `totals` can be written.
#[export]
pub unsafe extern "C" fn alloctag_read(
    tag: *const bindings::alloc_tag,
    totals: *mut bindings::alloctag_totals,
) {
    // SAFETY: By the caller's promise.
    let (tag, totals) = unsafe { (Tag::from_raw(tag), &mut *totals) };
    let handle = tag.map_or(Handle::NONE, Tag::handle);
    let sum = counters::total(handle);
    *totals = bindings::alloctag_totals {
        bytes: sum.bytes,
        calls: sum.calls,
        slack: sum.slack,
        allocs: sum.allocs,
        frees: sum.frees,
        allocated: sum.allocated,
        failed: failures::count(handle),
    };
}
