// SPDX-License-Identifier: GPL-2.0-only

//! The stall that the current task is in.
//!
//! It lies on the task's stack. What an interrupt allocates is no part of it: that has one of its own, above it.
//!
//! C part: `stalling.c`; C header: `include/alloctag/stall_hooks.h`.

use super::{clock, tag::Tag};
use crate::model::{
    handle::Handle,
    stall::{Cause, Stall},
};
use core::{
    mem::{align_of, size_of},
    ptr::NonNull,
    sync::atomic::{compiler_fence, Ordering::AcqRel},
};
use kernel::bindings::{self, alloctag_stall as Frame};

const _: () = assert!(Cause::COUNT == bindings::ALLOCTAG_STALL_CAUSES as usize);
const _: () = assert!(Cause::Reclaim as u32 == bindings::ALLOCTAG_STALL_RECLAIM);
const _: () = assert!(Cause::Vmalloc as u32 == bindings::ALLOCTAG_STALL_VMALLOC);
const _: () = assert!(size_of::<Stall>() == size_of::<[u64; 2 + Cause::COUNT]>());
const _: () = assert!(align_of::<Stall>() <= align_of::<u64>());

/// Where the current task is.
struct Current {
    /// Its word for the stall that it is in.
    word: *mut *mut Frame,
    /// On which level of interrupts it is.
    level: u32,
}

impl Current {
    #[inline(always)]
    fn get() -> Self {
        let mut level = 0;
        // SAFETY: In any context.
        let word = unsafe { bindings::alloctag_stalling(&mut level) };
        Self { word, level }
    }

    /// The stall of this task and level, if it is in one.
    #[inline(always)]
    fn stall(&self) -> Option<&mut Stall> {
        // SAFETY: A word of this task's own.
        let frame = unsafe { NonNull::new(*self.word)? }.as_ptr();
        // SAFETY: What is there is on this task's stack, further out. Of another level it is left alone.
        unsafe {
            if (*frame).level != self.level {
                return None;
            }
            // CAST: `begin()` put it there, which has the same size. Nobody else of this task and level is at it.
            Some(&mut *(&raw mut (*frame).state).cast::<Stall>())
        }
    }
}

/// The account of the current tag, if that has one.
fn account() -> Option<Handle> {
    // SAFETY: Reads this task's own word; what is the current tag is alive.
    let tag = unsafe { Tag::from_raw(bindings::alloctag_current())? };
    Some(tag.handle()).filter(|account| account.is_counted())
}

/// An allocator leaves its fast path.
///
/// # Safety
///
/// `frame` can be written, and says that it is no stall; it is given to [`end()`] before the function returns on whose stack it
/// lies, if it is one then.
pub unsafe fn begin(frame: *mut Frame, cause: Cause) {
    let current = Current::get();
    if let Some(stall) = current.stall() {
        let before = stall.enter(cause, clock::nanoseconds) as u32;
        // SAFETY: By the caller's promise.
        unsafe {
            (*frame).level = bindings::ALLOCTAG_STALL_WITHIN;
            (*frame).before = before;
        }
        return;
    }
    // What is not counted is not in the way of what is, further in.
    let Some(account) = account() else { return };
    // SAFETY: By the caller's promise; and a word of this task's own, which leads to it until `end()`.
    unsafe {
        (&raw mut (*frame).state)
            .cast::<Stall>()
            .write(Stall::begin(cause, clock::nanoseconds()));
        (*frame).outer = *current.word;
        (*frame).account = account.get();
        (*frame).level = current.level;
        // An interrupt finds all of it or nothing.
        compiler_fence(AcqRel);
        current.word.write_volatile(frame);
    }
}

/// The allocator is through. Returns of which account it was, and what it has waited for, if it was furthest out.
///
/// # Safety
///
/// [`begin()`] made a stall of `frame`, or a part of one.
pub unsafe fn end<'a>(frame: *mut Frame) -> Option<(Handle, &'a Stall)> {
    // SAFETY: By the caller's promise.
    if unsafe { (*frame).level } == bindings::ALLOCTAG_STALL_WITHIN {
        // SAFETY: Likewise.
        leave(Cause::of(unsafe { (*frame).before }));
        return None;
    }
    // SAFETY: By the caller's promise.
    unsafe {
        Current::get().word.write_volatile((*frame).outer);
        compiler_fence(AcqRel);
        let stall = &mut *(&raw mut (*frame).state).cast::<Stall>();
        stall.end(clock::nanoseconds());
        Some((Handle::from_word((*frame).account), stall))
    }
}

/// Within a stall, if there is one, something further in is waited for. Returns what [`leave()`] is to be told.
pub fn enter(cause: Cause) -> Option<Cause> {
    Some(Current::get().stall()?.enter(cause, clock::nanoseconds))
}

/// That is over.
pub fn leave(before: Cause) {
    if let Some(stall) = Current::get().stall() {
        stall.leave(before, clock::nanoseconds);
    }
}
