// SPDX-License-Identifier: GPL-2.0-only

//! References of memory that comes and goes.
//!
//! It is given words before its first page is given out, while nobody else knows of it (`MEM_GOING_ONLINE`), and loses them
//! once its last page has been taken back and its sections are offline (`MEM_OFFLINE`); the allocator never has a page
//! without one in between. Memory for which there are no words stays offline, as it does without `page_ext`. Where
//! references are among the flags of pages, these need no more than to be cleared.
//!
//! Not all pages of memory that goes were freed. A driver of memory, virtio-mem's for one, keeps those that it has unplugged,
//! and they go with the rest: their owner is charged no longer. And offlining passes over a page that has failed while its
//! owner has it, who may free it later, counted or not: then the words of its block stay.
//!
//! C headers: `include/linux/memory.h`, `include/linux/notifier.h`; C part: `plugged.c`.

use super::{
    frame::{Page, COMPRESSED},
    table, words,
};
use crate::{model::reference::Reference, platform::uncounted::EMPTY};
use core::{cell::UnsafeCell, ffi::c_void, mem::zeroed, ops::Range};
use kernel::{
    bindings,
    ffi::{c_int, c_ulong},
    prelude::*,
};

/// Who listens.
struct Listener {
    /// What the hotplug code keeps of us in its list.
    block: UnsafeCell<bindings::notifier_block>,

    /// Who is told what a page says that goes unfreed.
    lost: UnsafeCell<fn(Reference)>,
}

// SAFETY: Only the notifier chain, under its own lock, touches the block once it is registered; the other is written before.
unsafe impl Sync for Listener {}

static LISTENER: Listener = Listener {
    block: UnsafeCell::new(bindings::notifier_block {
        notifier_call: Some(notify),
        // SAFETY: The rest are a pointer and a number.
        ..unsafe { zeroed() }
    }),
    lost: UnsafeCell::new(|_| ()),
};

/// Listens for memory from now on; `lost` is told what a page says that goes unfreed.
///
/// # Safety
///
/// Called during boot, once, while one CPU runs.
#[link_section = ".init.text"]
pub(super) unsafe fn init(lost: fn(Reference)) {
    // SAFETY: The listener is static, and by the caller's promise this is the only call and nobody reads yet.
    unsafe {
        *LISTENER.lost.get() = lost;
        bindings::register_memory_notifier(LISTENER.block.get());
    }
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
    let start = range.start_pfn as usize;
    let frames = start..start + range.nr_pages as usize;
    match action as bindings::memory_block_state {
        bindings::memory_block_state_MEM_GOING_ONLINE => come(frames),
        // It may have got only some of its words, and nobody had a page of it.
        bindings::memory_block_state_MEM_CANCEL_ONLINE => go(frames),
        bindings::memory_block_state_MEM_OFFLINE => {
            settle(&frames);
            go(frames)
        }
        _ => GO_ON,
    }
}

/// What a listener says who has nothing against it.
const GO_ON: c_int = bindings::NOTIFY_OK as c_int;

/// Gives words to memory, unless it has flags for them, and says of each page that it is not counted on purpose: the first
/// that becomes of it is that it is freed. Returns what the notifier chain is told.
fn come(frames: Range<usize>) -> c_int {
    let mut first = frames.start;
    if COMPRESSED.get() == 0 {
        // SAFETY: The memory has its `struct page`s by now.
        let node = unsafe { bindings::alloctag_pfn_node(first) };
        let whole = with_memmap(&frames);
        first = whole.start;
        if table::come(&whole, node).is_err() {
            pr_warn!("no memory for the references of memory that comes: it stays offline\n");
            // As `notifier_from_errno()` has it.
            return bindings::NOTIFY_STOP_MASK as c_int | (GO_ON - ENOMEM.to_errno());
        }
    }
    // Where words have stayed, they may still say who had a page that had failed, of memory that was here before. That memory is
    // not coming back: memory_block_online() takes none that has such a page, before it asks anybody.
    (first..frames.end).for_each(|frame| lose(frame, EMPTY));
    GO_ON
}

/// These page frames with those in front of them, from where their block begins. There is what describes memory, where this
/// lies in itself (`memmap_on_memory`), and is not of what comes or goes; but all that there is has words, as at boot.
fn with_memmap(frames: &Range<usize>) -> Range<usize> {
    // SAFETY: May be called at any time.
    let start = unsafe { bindings::alloctag_pfn_block(frames.start) };
    start..frames.end
}

/// Pages that nobody will free are charged to nobody any more. Where one has failed, so that it may not be back and its memory goes
/// all the same, their words say that the words of all of them stay.
fn settle(frames: &Range<usize>) {
    // One that fails from here on was taken back, and is freed by nobody.
    let some_failed = frames.clone().any(is_poisoned);
    let says = if some_failed && COMPRESSED.get() == 0 {
        words::STAY
    } else {
        EMPTY
    };
    frames
        .clone()
        .filter(|frame| !(some_failed && is_poisoned(*frame)))
        .for_each(|frame| lose(frame, says));
}

/// Whether a page has failed.
fn is_poisoned(frame: usize) -> bool {
    // SAFETY: It has its `struct page` until its memory is removed.
    unsafe { bindings::alloctag_pfn_is_poisoned(frame) }
}

/// Whoever is charged for a page, which he will not free, is charged for it no longer. What its word says then.
fn lose(frame: usize, says: Reference) {
    // SAFETY: It has its `struct page`, and was online a moment ago or is about to be.
    let Some(slot) = unsafe { Page::from_raw(bindings::alloctag_pfn_page(frame)) }.slot() else {
        return;
    };
    let reference = slot.get();
    slot.set(says);
    if reference.handle().is_counted() {
        // SAFETY: It is written no more.
        unsafe { (*LISTENER.lost.get())(reference) }
    }
}

/// Takes away the words of memory, of which nothing is online. Returns what the notifier chain is told.
fn go(frames: Range<usize>) -> c_int {
    if COMPRESSED.get() == 0 {
        table::go(&with_memmap(&frames));
    }
    GO_ON
}
