// SPDX-License-Identifier: GPL-2.0-only

//! The stall that the current task is in.
//!
//! It lies on the task's stack. What an interrupt allocates is no part of it: that has one of its own, above it.
//!
//! C part: `stalling.c`; C header: `include/alloctag/stall_hooks.h`.

use super::{clock, tag::Tag};
use crate::model::stall::{Cause, Stall};
use core::{
    mem::{align_of, size_of},
    ptr::NonNull,
    sync::atomic::{compiler_fence, Ordering::AcqRel},
};
use kernel::bindings::{self, alloctag_stall as Frame, alloctag_stalling as Current};

const _: () = assert!(Cause::COUNT == bindings::ALLOCTAG_STALL_CAUSES as usize);
const _: () = assert!(Cause::Reclaim as u32 == bindings::ALLOCTAG_STALL_RECLAIM);
const _: () = assert!(Cause::Vmalloc as u32 == bindings::ALLOCTAG_STALL_VMALLOC);
const _: () = assert!(size_of::<Stall>() == size_of::<[u64; 2 + Cause::COUNT]>());
const _: () = assert!(align_of::<Stall>() <= align_of::<u64>());

/// The stall of this task and level of interrupts, if it is in one.
fn around(current: &Current) -> Option<&mut Stall> {
    // SAFETY: A word of this task's own.
    let frame = unsafe { NonNull::new(*current.stall)? }.as_ptr();
    // SAFETY: What is there is on this task's stack, further out. Of another level it is left alone.
    unsafe {
        if (*frame).level != current.level {
            return None;
        }
        // CAST: `begin()` put it there, which has the same size. Nobody else of this task and level is at it.
        Some(&mut *(&raw mut (*frame).state).cast::<Stall>())
    }
}

/// An allocator leaves its fast path.
///
/// # Safety
///
/// `frame` can be written; it is given to [`end()`] before the function returns on whose stack it lies.
pub unsafe fn begin(frame: *mut Frame, cause: Cause) {
    // SAFETY: In any context.
    let current = unsafe { bindings::alloctag_stalling() };
    if let Some(stall) = around(&current) {
        let before = stall.enter(cause, clock::nanoseconds) as u32;
        // SAFETY: By the caller's promise.
        unsafe {
            (*frame).level = bindings::ALLOCTAG_STALL_WITHIN;
            (*frame).before = before;
        }
        return;
    }
    // SAFETY: By the caller's promise; and a word of this task's own, which leads to it until `end()`.
    unsafe {
        (&raw mut (*frame).state)
            .cast::<Stall>()
            .write(Stall::begin(cause, clock::nanoseconds()));
        (*frame).outer = *current.stall;
        (*frame).tag = current.tag;
        (*frame).level = current.level;
        // An interrupt finds all of it or nothing.
        compiler_fence(AcqRel);
        current.stall.write_volatile(frame);
    }
}

/// The allocator is through. Returns of which call site it was, and what it has waited for, if it was furthest out.
///
/// # Safety
///
/// `frame` was given to [`begin()`].
pub unsafe fn end<'a>(frame: *mut Frame) -> Option<(&'a Tag, &'a Stall)> {
    // SAFETY: By the caller's promise.
    if unsafe { (*frame).level } == bindings::ALLOCTAG_STALL_WITHIN {
        // SAFETY: Likewise.
        leave(Cause::of(unsafe { (*frame).before }));
        return None;
    }
    // SAFETY: In any context; `begin()` filled in the frame. What was the current tag then still is alive.
    unsafe {
        bindings::alloctag_stalling()
            .stall
            .write_volatile((*frame).outer);
        compiler_fence(AcqRel);
        let stall = &mut *(&raw mut (*frame).state).cast::<Stall>();
        stall.end(clock::nanoseconds());
        Some((Tag::from_raw((*frame).tag)?, stall))
    }
}

/// Within a stall, if there is one, something further in is waited for. Returns what [`leave()`] is to be told.
pub fn enter(cause: Cause) -> Option<Cause> {
    // SAFETY: In any context.
    let current = unsafe { bindings::alloctag_stalling() };
    Some(around(&current)?.enter(cause, clock::nanoseconds))
}

/// That is over.
pub fn leave(before: Cause) {
    // SAFETY: In any context.
    let current = unsafe { bindings::alloctag_stalling() };
    if let Some(stall) = around(&current) {
        stall.leave(before, clock::nanoseconds);
    }
}
