// SPDX-License-Identifier: GPL-2.0-only

//! Hooks for slab objects, on the path of every kmalloc() and kfree(): the plain ones, and what the detailed ones are made of.

#[cfg(CONFIG_ALLOCTAG_SLAB_FREE_ASM)]
mod x86_64;

use super::check;
use crate::{
    detail::{account::Account, circumstances::Allocation, context},
    model::{handle::Handle, reference::Reference, scale::Scale},
    platform::{
        countdown,
        counters::{Counted, Detailed, Place, Plain, Reach},
        slab::{Object, Slot},
        tag::Tag,
        uncounted::EMPTY,
    },
    registry,
};
use kernel::{bindings, prelude::*, sync::rcu};

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
    unsafe { alloc::<Plain>(s, slab, offset, orig_size, tag, context) }
}

/// The same for either set of hooks.
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
    // In this order nothing is computed in vain that the other way would need registers beside.
    let near = R::account(site, || object.size())
        .and_then(|account| Some((account, object.array_reference()?)));
    match near {
        Some((account, slot)) => charge(&slot, account, Taken::by(object, orig_size, Scale::EXACT)),
        // SAFETY: By the caller's promise.
        None => unsafe { charge_elsewhere(s, slab, offset, orig_size, site, context) },
    }
}

/// What an object takes.
#[derive(Clone, Copy)]
struct Taken {
    /// Bytes in its slab.
    bytes: usize,
    /// What of them nobody asked for, as the reference says it.
    said: u32,
    /// The same as counters have it, with what the reference does not say.
    slack: usize,
}

impl Taken {
    /// By an object that was asked for with such a size, whose reference says slack on such a scale.
    #[inline(always)]
    fn by(object: Object, orig_size: usize, scale: Scale) -> Self {
        let bytes = object.size();
        let said = scale.said(bytes, orig_size);
        Self {
            bytes,
            said,
            slack: scale.counted(said),
        }
    }
}

/// Stores the reference and counts.
#[inline(always)]
fn charge(slot: &Slot, (handle, account): (Handle, Place), taken: Taken) {
    check::is_clear(|| Reference::from_word(slot.get()));
    // Before the handle joins what is said, there is nothing to mask away.
    account.add(taken.bytes, Some(taken.slack), || {
        slot.set(Reference::with_slack_bits(handle, taken.said).word());
    });
}

/// The call site is chosen, or its account is beyond the dense rows, or the object keeps its reference elsewhere. Takes the
/// hook's own arguments, so that the hook needs no stack to pass them on.
///
/// # Safety
///
/// As for [`alloctag_slab_alloc()`].
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
    match object.array_reference() {
        Some(slot) => {
            let taken = Taken::by(object, orig_size, Scale::EXACT);
            charge_far(object, &slot, tag, taken, context)
        }
        // SAFETY: By the caller's promise.
        None => unsafe { charge_oddly(s, slab, offset, orig_size, tag, context) },
    }
}

/// Counts in whatever account, and in a context where the call site is chosen.
#[inline(always)]
fn charge_far(object: Object, slot: &Slot, tag: &Tag, taken: Taken, flags: u64) {
    let allocation = Allocation {
        page: Some(object.page()),
        bytes: taken.bytes,
        order: 0,
        gfp: flags as u32,
    };
    let guard = rcu::read_lock();
    let account = context::charge(tag, allocation, taken.slack, &guard);
    charge(slot, account, taken);
}

/// The reference lies in the object, or in KFENCE's care, or has no room for the slack, or the slab has no vector yet: makes
/// it. May sleep before it asks for the account, during which hooks may be exchanged, so it knows all of them.
///
/// # Safety
///
/// As for [`alloctag_slab_alloc()`].
#[cold]
#[inline(never)]
unsafe extern "C" fn charge_oddly(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
    orig_size: usize,
    tag: &Tag,
    context: u64,
) {
    // SAFETY: By the caller's promise.
    let object = unsafe { Object::new(s, slab, offset) };
    // What is not is kmemleak's own, say, under the tag of what it keeps track of.
    let is_countable = object.is_countable();
    let make = || {
        object.make_vector(context)?;
        object.reference()
    };
    let slot = object.reference().or_else(|| {
        if !is_countable {
            return None;
        }
        object.guarded_reference().or_else(make)
    });
    if let Some(slot) = slot {
        let taken = Taken::by(object, orig_size, object.scale());
        return charge_far(object, &slot, tag, taken, context);
    }
    if let Some(by_hook) = tag.name().by_hook() {
        countdown::count_back(by_hook, object.size());
    }
    if is_countable {
        registry::uncounted::note(tag);
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
    unsafe { free::<Plain>(s, slab, offset) }
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
    let near = object.array_reference().and_then(|slot| {
        let reference = Reference::from_word(slot.get());
        Some((slot, reference, R::place(reference.handle())?))
    });
    match near {
        Some((slot, reference, place)) => discharge(object, &slot, reference, place, Scale::EXACT),
        // SAFETY: By the caller's promise.
        None => unsafe { discharge_elsewhere(s, slab, offset) },
    }
}

/// Clears the reference and counts what it said. An object that was not counted is taken from the account of
/// none, which nobody reads: there are few of them, and asking would cost all others two
/// instructions.
#[inline(always)]
fn discharge(
    object: Object,
    slot: &Slot,
    reference: Reference,
    account: impl Counted,
    scale: Scale,
) {
    if check::ON && object.is_countable() {
        check::was_seen(reference.handle());
    }
    slot.set(Reference::NONE.word());
    account.sub(object.size(), Some(scale.counted(reference.slack_bits())));
}

/// The account is beyond the dense rows, or the reference lies in the object, or in KFENCE's care, or has no room for the slack,
/// or there is none.
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
        let reference = Reference::from_word(slot.get());
        let scale = object.scale();
        match Detailed::place(reference.handle()) {
            Some(place) => discharge(object, &slot, reference, place, scale),
            None => {
                let account = Account::of(reference.handle());
                discharge(object, &slot, reference, account, scale);
            }
        }
    }
}

/// Takes away an object whose account is beyond the dense rows, where its reference is taken from an array already.
///
/// # Safety
///
/// `s` is the object's cache, and `reference` its own.
#[cfg(CONFIG_ALLOCTAG_SLAB_FREE_ASM)]
#[cold]
#[inline(never)]
unsafe extern "C" fn discharge_far(s: *const bindings::kmem_cache, reference: u32) {
    let reference = Reference::from_word(reference);
    let account = Account::of(reference.handle());
    // SAFETY: By the caller's promise.
    let size = unsafe { (*s).size as usize };
    account.sub(size, Some(reference.slack_bits() as usize));
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
        let scale = object.scale();
        let after = Reference::with_slack_bits(handle, scale.said(object.size(), size));
        slot.set(after.word());
        // What the reference does not say stays.
        let [now, before] = [after, before].map(|reference| scale.counted(reference.slack_bits()));
        Account::of(handle).change_slack(object.size(), now, before);
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
    let object = unsafe { Object::new(s, slab, offset) };
    let said = |slot: Slot| Reference::from_word(slot.get()).slack_bits();
    object.scale().bytes(object.any_reference().map_or(0, said))
}
