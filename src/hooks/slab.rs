// SPDX-License-Identifier: GPL-2.0-only

//! Hooks for slab objects, on the path of every kmalloc() and kfree(): the plain ones, and what the detailed ones are made of.

#[cfg(CONFIG_ALLOCTAG_SLAB_FREE_ASM)]
mod x86_64;

use super::check;
use crate::{
    model::reference::Reference,
    platform::{
        counters::{self, All, Dense, Reach},
        slab::{Object, Slot},
        tag::Tag,
        uncounted::{self, EMPTY},
    },
};
use kernel::{bindings, prelude::*};

// What kmalloc() takes from elsewhere is no slab object, and other caches have no slack but what their alignment and debugging
// add.
const _: () = assert!(bindings::ALLOCTAG_KMALLOC_MAX as usize <= Reference::SLACK_MAX + 1);

/// Counts an object that was just allocated.
///
/// # Safety
///
/// `offset` is that of an object in `slab`, a live slab of cache `s`, and the caller owns the
/// object. `tag` is null or a live tag.
#[export]
pub unsafe extern "C" fn alloctag_slab_alloc(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
    orig_size: usize,
    tag: *mut bindings::alloc_tag,
    context: u64,
) {
    // SAFETY: By the caller's promise.
    unsafe { alloc::<Dense>(s, slab, offset, orig_size, tag, context) }
}

/// The same for accounts that a hook reaches.
///
/// # Safety
///
/// As for [`alloctag_slab_alloc()`].
#[inline(always)]
pub(super) unsafe fn alloc<R: Reach>(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
    orig_size: usize,
    tag: *mut bindings::alloc_tag,
    context: u64,
) {
    // SAFETY: By the caller's promise.
    let (object, site) = unsafe { (Object::new(s, slab, offset), Tag::from_raw(tag)) };
    let Some(site) = site else {
        // What is never counted, such as kmemleak's own objects, needs no tag.
        if check::ON && object.is_countable() {
            check::tag_is_missing();
        }
        return;
    };
    match object.array_reference() {
        Some(slot) => charge::<R>(object, &slot, site, orig_size),
        // SAFETY: By the caller's promise.
        None => unsafe { charge_elsewhere(s, slab, offset, orig_size, site, context) },
    }
}

/// Stores the reference and counts.
#[inline(always)]
fn charge<R: Reach>(object: Object, slot: &Slot, tag: &Tag, orig_size: usize) {
    check::is_clear(|| Reference::from_word(slot.get()));
    let (handle, size) = (tag.handle(), object.size());
    // Before the handle joins it, there is nothing to mask away.
    let slack = Reference::slack_bits_of(size, orig_size);
    let place = R::place(handle);
    counters::add_slack(place, slack as usize);
    slot.set(Reference::with_slack(handle, size, orig_size).word());
    counters::add(place, size);
}

/// The reference lies in the object, or in KFENCE's care, or the slab has no vector yet: makes it.
/// Takes the hook's own arguments, so that the hook needs no stack to pass them on. May sleep before it asks for the account,
/// during which hooks may be exchanged, so it knows all of them.
///
/// # Safety
///
/// As for [`alloctag_slab_alloc()`].
#[cold]
#[inline(never)]
unsafe extern "C" fn charge_elsewhere(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
    orig_size: usize,
    tag: &Tag,
    context: u64,
) {
    // SAFETY: By the caller's promise.
    let object = unsafe { Object::new(s, slab, offset) };
    if let Some(slot) = object.reference() {
        return charge::<All>(object, &slot, tag, orig_size);
    }
    if !object.is_countable() {
        return;
    }
    if let Some(slot) = object.guarded_reference() {
        return charge::<All>(object, &slot, tag, orig_size);
    }
    match object
        .make_vector(context)
        .and_then(|()| object.reference())
    {
        Some(slot) => charge::<All>(object, &slot, tag, orig_size),
        None => uncounted::note(tag),
    }
}

/// Takes away an object that is about to be freed.
///
/// # Safety
///
/// As for [`alloctag_slab_alloc()`].
#[cfg(not(CONFIG_ALLOCTAG_SLAB_FREE_ASM))]
#[export]
pub unsafe extern "C" fn alloctag_slab_free(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
) {
    // SAFETY: By the caller's promise.
    unsafe { free::<Dense>(s, slab, offset) }
}

/// The same for accounts that a hook reaches.
///
/// # Safety
///
/// As for [`alloctag_slab_alloc()`].
#[cfg(not(CONFIG_ALLOCTAG_SLAB_FREE_ASM))]
#[inline(always)]
pub(super) unsafe fn free<R: Reach>(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
) {
    // SAFETY: By the caller's promise.
    let object = unsafe { Object::new(s, slab, offset) };
    match object.array_reference() {
        Some(slot) => discharge::<R>(object, &slot),
        // SAFETY: By the caller's promise.
        None => unsafe { discharge_elsewhere(s, slab, offset) },
    }
}

/// Clears the reference and counts. An object that was not counted is taken from the account of
/// none, which nobody reads: there are few of them, and asking would cost all others two
/// instructions.
#[inline(always)]
fn discharge<R: Reach>(object: Object, slot: &Slot) {
    let reference = Reference::from_word(slot.get());
    let handle = reference.handle();
    if check::ON && object.is_countable() {
        check::was_seen(handle);
    }
    slot.set(Reference::NONE.word());
    let place = R::place(handle);
    counters::sub_slack(place, reference.slack_bits() as usize);
    counters::sub(place, object.size());
}

/// The reference lies in the object, or in KFENCE's care, or there is none.
///
/// # Safety
///
/// As for [`alloctag_slab_alloc()`].
#[cold]
#[inline(never)]
unsafe extern "C" fn discharge_elsewhere(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
) {
    // SAFETY: By the caller's promise.
    let object = unsafe { Object::new(s, slab, offset) };
    if let Some(slot) = object.any_reference() {
        discharge::<All>(object, &slot);
    }
}

/// Says that an object is not counted on purpose, for the debugging checks.
///
/// # Safety
///
/// As for [`alloctag_slab_alloc()`].
#[export]
pub unsafe extern "C" fn alloctag_slab_mark_empty(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
) {
    // SAFETY: By the caller's promise.
    let object = unsafe { Object::new(s, slab, offset) };
    if let Some(slot) = object.any_reference() {
        check::is_clear(|| Reference::from_word(slot.get()));
        slot.set(EMPTY.word());
    }
}

/// An object keeps its place but is asked for another size: only its slack is another.
///
/// # Safety
///
/// As for [`alloctag_slab_alloc()`].
#[export]
pub unsafe extern "C" fn alloctag_slab_resize(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
    size: usize,
) {
    // SAFETY: By the caller's promise.
    let object = unsafe { Object::new(s, slab, offset) };
    let Some(slot) = object.any_reference() else {
        return;
    };
    let before = Reference::from_word(slot.get());
    let handle = before.handle();
    if handle.is_counted() {
        let after = Reference::with_slack(handle, object.size(), size);
        slot.set(after.word());
        let place = All::place(handle);
        counters::add_slack(place, after.slack_bits() as usize);
        counters::sub_slack(place, before.slack_bits() as usize);
    }
}

/// The bytes that an object has beyond those it was asked for, as far as they are known; for tests.
///
/// # Safety
///
/// As for [`alloctag_slab_alloc()`].
#[cfg(CONFIG_ALLOCTAG_KUNIT_TEST)]
#[export]
pub unsafe extern "C" fn alloctag_slab_slack(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
) -> usize {
    // SAFETY: By the caller's promise.
    let slot = unsafe { Object::new(s, slab, offset) }.any_reference();
    slot.map_or(0, |slot| Reference::from_word(slot.get()).slack())
}
