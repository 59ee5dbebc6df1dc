// SPDX-License-Identifier: GPL-2.0-only

//! Stalls, which lie on the stack of whoever waits.
//!
//! C header: `include/alloctag/stall_hooks.h`, which knows the one that the current task is in.

use super::{tag::Tag, ticks};
use crate::model::{
    handle::Handle,
    stall::{Cause, Stall},
};
use core::mem::{align_of, size_of};
use kernel::bindings::{self, alloctag_stall as Frame};

const _: () = assert!(Cause::COUNT == bindings::ALLOCTAG_STALL_CAUSES as usize);
const _: () = assert!(Cause::Reclaim as u32 == bindings::ALLOCTAG_STALL_RECLAIM);
const _: () = assert!(Cause::Vmalloc as u32 == bindings::ALLOCTAG_STALL_VMALLOC);
const _: () = assert!(size_of::<Stall>() == size_of::<[u64; 2 + Cause::COUNT]>());
const _: () = assert!(align_of::<Stall>() <= align_of::<u64>());

/// Where the stall is in its frame.
fn state(frame: *mut Frame) -> *mut Stall {
    // SAFETY: In bounds by the size above. CAST: `begin()` puts one there.
    unsafe { (&raw mut (*frame).state).cast() }
}

/// The stall of a frame.
///
/// # Safety
///
/// One has begun there, which nobody else is at: it is the current task's, on this level of interrupts.
#[inline(always)]
unsafe fn stall<'a>(frame: *mut Frame) -> &'a mut Stall {
    // SAFETY: By the caller's promise.
    unsafe { &mut *state(frame) }
}

/// An allocator leaves its fast path at a time; `false` where the current tag has no account: what is not counted is not in the way of what
/// is, further in.
///
/// # Safety
///
/// `frame` can be written, and `tag` is null or a live tag.
#[inline(always)]
pub unsafe fn begin(
    frame: *mut Frame,
    cause: Cause,
    tag: *const bindings::alloc_tag,
    now: u64,
) -> bool {
    // SAFETY: By the caller's promise.
    let account = unsafe { Tag::from_raw(tag) }.map_or(Handle::NONE, Tag::handle);
    if !account.is_counted() {
        return false;
    }
    // SAFETY: By the caller's promise.
    unsafe {
        (*frame).account = account.get();
        state(frame).write(Stall::begin(cause, now));
    }
    true
}

/// The allocator is through. Returns of which account it was, and what it has waited for.
///
/// # Safety
///
/// [`begin()`] made a stall of `frame`, which is nobody's any more.
#[inline(always)]
pub unsafe fn end<'a>(frame: *mut Frame) -> (Handle, &'a Stall) {
    // SAFETY: By the caller's promise.
    let (account, stall) = unsafe { (Handle::from_word((*frame).account), stall(frame)) };
    stall.end(ticks::elapsed);
    (account, stall)
}

/// Something further in is waited for. Returns what [`leave()`] is to be told.
///
/// # Safety
///
/// A stall has begun in `frame`, and is the current task's on this level of interrupts.
#[inline(always)]
pub unsafe fn enter(frame: *mut Frame, cause: Cause) -> Cause {
    // SAFETY: By the caller's promise.
    unsafe { stall(frame) }.enter(cause, ticks::passed)
}

/// That is over.
///
/// # Safety
///
/// As for [`enter()`].
#[inline(always)]
pub unsafe fn leave(frame: *mut Frame, before: Cause) {
    // SAFETY: By the caller's promise.
    unsafe { stall(frame) }.leave(before, ticks::passed);
}
