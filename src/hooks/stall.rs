// SPDX-License-Identifier: GPL-2.0-only

//! Hooks for allocators that leave their fast path.

#[cfg(CONFIG_ALLOCTAG_EVENTS)]
use crate::{
    detail::events,
    model::stall::Stall,
    platform::{events::tell_stall, tag::Tag},
};
use crate::{detail::stalls, model::stall::Cause, platform::stalling};
use kernel::{
    bindings::{self, alloctag_stall as Frame},
    prelude::*,
};

/// A stall begins at a time, of a call site that is furthest out; `false` where that has no account.
///
/// # Safety
///
/// `frame` can be written, and `tag` is null or a live tag.
#[export]
pub unsafe extern "C" fn alloctag_stall_begin(
    frame: *mut Frame,
    cause: u32,
    tag: *mut bindings::alloc_tag,
    now: u64,
) -> bool {
    // SAFETY: By the caller's promise.
    unsafe { stalling::begin(frame, Cause::of(cause), tag, now) }
}

/// It is over.
///
/// # Safety
///
/// It has begun with `frame`, and is nobody's any more. The caller holds RCU.
#[export]
pub unsafe extern "C" fn alloctag_stall_end(frame: *mut Frame) {
    // SAFETY: By the caller's promise.
    let (account, stall) = unsafe { stalling::end(frame) };
    // SAFETY: Likewise.
    unsafe { stalls::record(account, stall) };
    #[cfg(CONFIG_ALLOCTAG_EVENTS)]
    if tell_stall() {
        tell(stall);
    }
}

/// Tells tracers of the current tag's.
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
#[cold]
#[inline(never)]
fn tell(stall: &Stall) {
    // SAFETY: Reads this task's own word.
    let tag = unsafe { bindings::alloctag_current() };
    // SAFETY: What is the current tag is alive.
    if let Some(tag) = unsafe { Tag::from_raw(tag) } {
        events::stalled(tag, stall);
    }
}

/// Within a stall, something further in is waited for.
///
/// # Safety
///
/// That has begun with `frame`, and is the current task's on this level of interrupts.
#[export]
pub unsafe extern "C" fn alloctag_stall_enter(frame: *mut Frame, cause: u32) -> u32 {
    // SAFETY: By the caller's promise.
    unsafe { stalling::enter(frame, Cause::of(cause)) as u32 }
}

/// That is over.
///
/// # Safety
///
/// As for [`alloctag_stall_enter()`].
#[export]
pub unsafe extern "C" fn alloctag_stall_leave(frame: *mut Frame, before: u32) {
    // SAFETY: By the caller's promise.
    unsafe { stalling::leave(frame, Cause::of(before)) }
}
