// SPDX-License-Identifier: GPL-2.0-only

//! References of memory that comes and goes.
//!
//! It is given words before its first page is given out, while nobody else knows of it (`MEM_GOING_ONLINE`), and loses them
//! once its last page has been taken back and its sections are offline (`MEM_OFFLINE`); the allocator never has a page
//! without one in between. Memory for which there are no words stays offline, as it does without `page_ext`. Where
//! references are among the flags of pages, these need no more than to be cleared.
//!
//! C headers: `include/linux/memory.h`, `include/linux/notifier.h`; C part: `plugged.c`.

use super::{
    frame::{Page, COMPRESSED},
    table,
};
use crate::platform::uncounted::EMPTY;
use core::{cell::UnsafeCell, ffi::c_void, mem::zeroed, ops::Range};
use kernel::{
    bindings,
    ffi::{c_int, c_ulong},
    prelude::*,
};

/// What the hotplug code keeps of us in its list.
struct Listener(UnsafeCell<bindings::notifier_block>);

// SAFETY: Registered once; only the notifier chain, under its own lock, touches it from then on.
unsafe impl Sync for Listener {}

static LISTENER: Listener = Listener(UnsafeCell::new(bindings::notifier_block {
    notifier_call: Some(notify),
    // SAFETY: The rest are a pointer and a number.
    ..unsafe { zeroed() }
}));

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
    let start = range.start_pfn as usize;
    let frames = start..start + range.nr_pages as usize;
    match action as bindings::memory_block_state {
        bindings::memory_block_state_MEM_GOING_ONLINE => come(frames),
        bindings::memory_block_state_MEM_CANCEL_ONLINE
        | bindings::memory_block_state_MEM_OFFLINE => go(frames),
        _ => GO_ON,
    }
}

/// What a listener says who has nothing against it.
const GO_ON: c_int = bindings::NOTIFY_OK as c_int;

/// Gives words to memory, unless it has flags for them, and says of each page that it is not counted on purpose: the first
/// that becomes of it is that it is freed. Returns what the notifier chain is told.
fn come(frames: Range<usize>) -> c_int {
    if COMPRESSED.get() == 0 {
        // SAFETY: The memory has its `struct page`s by now.
        let node = unsafe { bindings::alloctag_pfn_node(frames.start) };
        if table::come(&frames, node).is_err() {
            pr_warn!("no memory for the references of memory that comes: it stays offline\n");
            // As `notifier_from_errno()` has it.
            return bindings::NOTIFY_STOP_MASK as c_int | (GO_ON - ENOMEM.to_errno());
        }
    }
    for frame in frames {
        // SAFETY: It has its `struct page`, and is about to be online.
        let page = unsafe { Page::from_raw(bindings::alloctag_pfn_page(frame)) };
        if let Some(slot) = page.slot() {
            slot.set(EMPTY);
        }
    }
    GO_ON
}

/// Takes away the words of memory, of which nothing is online. Returns what the notifier chain is told.
fn go(frames: Range<usize>) -> c_int {
    if COMPRESSED.get() == 0 {
        table::go(&frames);
    }
    GO_ON
}
