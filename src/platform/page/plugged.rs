// SPDX-License-Identifier: GPL-2.0-only

//! References of memory that is plugged in after boot.
//!
//! A section of it gets a piece of table before its first page is given out, and loses it once its
//! last one has been taken back. `struct mem_section` keeps the address. Where references are among
//! the flags of pages, these need no more than to be cleared.
//!
//! C headers: `include/linux/memory.h`, `include/linux/mmzone.h`.

use super::{Page, COMPRESSED, FRAMES};
use crate::model::reference::Reference;
use core::{
    cell::UnsafeCell,
    ffi::c_void,
    mem::zeroed,
    ops::Range,
    ptr::{null_mut, replace},
};
use kernel::{
    alloc_hooks, bindings,
    ffi::{c_int, c_ulong},
    prelude::*,
};

/// Page frames, and so words, of a section.
const SECTION: usize = bindings::ALLOCTAG_SECTION_PAGES as usize;

/// What the hotplug code keeps of us in its list.
struct Listener(UnsafeCell<bindings::notifier_block>);

// SAFETY: Registered once; only the notifier chain, under its own lock, touches it from then on.
unsafe impl Sync for Listener {}

static LISTENER: Listener = Listener(UnsafeCell::new(bindings::notifier_block {
    notifier_call: Some(notify),
    // SAFETY: The rest are a pointer and a number.
    ..unsafe { zeroed() }
}));

/// The reference's word of a page that was plugged in.
#[inline(always)]
pub(super) fn word(page: *mut bindings::page) -> Option<*mut u32> {
    // SAFETY: The caller's page is one.
    let word = unsafe { bindings::alloctag_plugged_word(page) };
    (!word.is_null()).then_some(word)
}

/// Listens for memory from now on.
#[link_section = ".init.text"]
pub(super) fn init() {
    // SAFETY: The listener is static, and this is the only call.
    unsafe { bindings::register_memory_notifier(LISTENER.0.get()) };
}

/// Memory comes or has gone.
///
/// # Safety
///
/// As the notifier chain of memory hotplug calls it.
unsafe extern "C" fn notify(
    _listener: *mut bindings::notifier_block,
    action: c_ulong,
    range: *mut c_void,
) -> c_int {
    // SAFETY: By the caller's promise.
    let range = unsafe { &*range.cast::<bindings::memory_notify>() };
    let (start, pages) = (range.start_pfn as usize, range.nr_pages as usize);
    match action as bindings::memory_block_state {
        bindings::memory_block_state_MEM_GOING_ONLINE => {
            sections(start, pages).for_each(come);
            (start..start + pages).for_each(mark);
        }
        bindings::memory_block_state_MEM_CANCEL_ONLINE
        | bindings::memory_block_state_MEM_OFFLINE => sections(start, pages).for_each(go),
        _ => {}
    }
    bindings::NOTIFY_OK as c_int
}

/// The sections of these page frames that need pieces of table, which those within the table do not.
fn sections(start: usize, pages: usize) -> Range<usize> {
    if COMPRESSED.get() != 0 {
        return 0..0;
    }
    start.max(FRAMES.get()) / SECTION..(start + pages).div_ceil(SECTION)
}

/// Says that a page is not counted on purpose: the first that becomes of it is that it is freed.
fn mark(frame: usize) {
    // SAFETY: The page frame is coming online, so it has its `struct page`, and nobody else yet.
    let page = unsafe { Page::from_raw(bindings::alloctag_pfn_page(frame)) };
    if let Some(slot) = page.slot() {
        slot.set(Reference::from_word(bindings::ALLOC_TAG_EMPTY));
    }
}

/// Gives a section its piece of table. Without memory for it the section's pages go uncounted.
fn come(section: usize) {
    let mut piece = Piece::of(section);
    if piece.is_there() {
        return;
    }
    match alloc_hooks!(KVVec::from_elem(0, SECTION, GFP_KERNEL)) {
        Ok(words) => piece.put(words),
        Err(_) => pr_warn!("no memory for the references of memory that was plugged in\n"),
    }
}

/// Takes a section's piece of table away: it has no pages in use.
fn go(section: usize) {
    drop(Piece::of(section).take());
}

/// Where a section keeps the address of its piece of table.
///
/// # Invariants
///
/// Points to that word, which nobody else writes; it is null or the address of `SECTION` words that
/// [`Piece::put()`] was given.
struct Piece(*mut *mut u32);

impl Piece {
    /// Of a section that comes or goes.
    fn of(section: usize) -> Self {
        // SAFETY: The section exists while memory of it comes or goes. INVARIANT: Hotplug is
        // serialized, and this file alone writes the word.
        Self(unsafe { bindings::alloctag_section_words(section) })
    }

    fn is_there(&self) -> bool {
        // SAFETY: By the type's invariant.
        unsafe { !(*self.0).is_null() }
    }

    fn put(&mut self, words: KVVec<u32>) {
        // SAFETY: By the type's invariant. INVARIANT: As many words as said, by the caller.
        unsafe { *self.0 = words.into_raw_parts().0 }
    }

    fn take(&mut self) -> Option<KVVec<u32>> {
        // SAFETY: By the type's invariant.
        let words = unsafe { replace(self.0, null_mut()) };
        // SAFETY: `put()` was given a vector of that length and capacity.
        (!words.is_null()).then(|| unsafe { KVVec::from_raw_parts(words, SECTION, SECTION) })
    }
}
