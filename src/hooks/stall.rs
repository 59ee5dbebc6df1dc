// SPDX-License-Identifier: GPL-2.0-only

//! Hooks for allocators that leave their fast path.

use crate::{detail::stalls, model::stall::Cause, platform::stalling};
use kernel::{
    bindings::{self, alloctag_stall as Frame},
    prelude::*,
};

/// A stall begins, or a part of one.
///
/// # Safety
///
/// `frame` can be written, lies on the stack, and says that it is no stall.
#[export]
pub unsafe extern "C" fn alloctag_stall_begin(frame: *mut Frame, cause: u32) {
    // SAFETY: By the caller's promise; the compiler calls what ends it.
    unsafe { stalling::begin(frame, Cause::of(cause)) }
}

/// It is over.
///
/// # Safety
///
/// It has begun with `frame`.
#[export]
pub unsafe extern "C" fn alloctag_stall_end(frame: *mut Frame) {
    // SAFETY: By the caller's promise.
    if let Some((account, stall)) = unsafe { stalling::end(frame) } {
        stalls::record(account, stall);
    }
}

/// Within a stall, something further in is waited for.
#[export]
pub extern "C" fn alloctag_stall_enter(cause: u32) -> u32 {
    stalling::enter(Cause::of(cause)).map_or(bindings::ALLOCTAG_STALL_NONE, |before| before as u32)
}

/// That is over.
#[export]
pub extern "C" fn alloctag_stall_leave(before: u32) {
    stalling::leave(Cause::of(before));
}
