// SPDX-License-Identifier: GPL-2.0-only

//! Events for tracers.
//!
//! C part: `events.c`.

use super::{page::Page, slab::Object};
#[cfg(CONFIG_ALLOCTAG_STALLS)]
use crate::model::stall::Cause;
use crate::model::{handle::Handle, text::Row};
use kernel::{bindings, jump_label::static_branch_unlikely, sync::rcu};

/// Whether somebody looks at an event: a nop while nobody does.
macro_rules! is_looked_at {
    ($(#[$doc:meta])* $name:ident, $point:ident) => {
        $(#[$doc])*
        #[inline(always)]
        pub fn $name() -> bool {
            // SAFETY: The key is that of a tracepoint, which lives for ever.
            unsafe { static_branch_unlikely!(bindings::$point, bindings::tracepoint, key) }
        }
    };
}

is_looked_at! {
    /// Whether somebody looks at what is allocated.
    tell_alloc, __tracepoint_alloc
}
is_looked_at! {
    /// Whether somebody looks at what is freed.
    tell_free, __tracepoint_free
}
is_looked_at! {
    /// Whether somebody looks at failures.
    tell_fail, __tracepoint_fail
}
#[cfg(CONFIG_ALLOCTAG_STALLS)]
is_looked_at! {
    /// Whether somebody looks at what waits.
    tell_stall, __tracepoint_stall
}

/// A call site, as events name it.
pub struct Site<'a> {
    /// What it is called.
    pub row: Row<'a>,
    /// Its account.
    pub account: Handle,
}

impl Site<'_> {
    fn raw(&self) -> bindings::alloctag_site {
        let Row { file, function, .. } = self.row;
        let module = self.row.module.unwrap_or_default();
        bindings::alloctag_site {
            file: file.as_ptr(),
            function: function.as_ptr(),
            module: module.as_ptr(),
            file_length: file.len(),
            function_length: function.len(),
            module_length: module.len(),
            line: self.row.line,
            account: self.account.get(),
        }
    }
}

/// What is given or taken.
pub struct Piece(bindings::alloctag_object);

impl Piece {
    /// An object of which so many bytes were asked for.
    pub fn object(object: Object, asked: usize) -> Self {
        Self(bindings::alloctag_object {
            ptr: object.address(),
            pfn: 0,
            bytes_req: asked,
            bytes_alloc: object.size(),
            order: 0,
            nid: object.page().node().into(),
        })
    }

    /// Pages of an order, or as many bytes of such.
    pub fn pages(page: Page, order: u32, bytes: usize) -> Self {
        Self(bindings::alloctag_object {
            ptr: core::ptr::null(),
            pfn: page.number(),
            bytes_req: bytes,
            bytes_alloc: bytes,
            order,
            nid: page.node().into(),
        })
    }

    /// A per-CPU area: what was asked for on each CPU, and what it takes on all.
    pub fn area(address: *const core::ffi::c_void, asked: usize, bytes: usize) -> Self {
        Self(bindings::alloctag_object {
            ptr: address,
            pfn: 0,
            bytes_req: asked,
            bytes_alloc: bytes,
            order: 0,
            nid: bindings::NUMA_NO_NODE,
        })
    }
}

/// It was allocated, with these flags.
pub fn alloc(site: &Site<'_>, piece: &Piece, flags: bindings::gfp_t) {
    // SAFETY: All is there for as long as this lasts.
    unsafe { bindings::alloctag_trace_alloc(&site.raw(), &piece.0, flags) }
}

/// It is about to be freed, by whoever called the function that does.
pub fn free(site: &Site<'_>, piece: &Piece, _guard: &rcu::Guard) {
    // SAFETY: In any context, and RCU is held off.
    #[cfg(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS))]
    let by = unsafe { bindings::alloctag_freed_by() };
    #[cfg(not(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS)))]
    let by = 0;
    // SAFETY: As in `alloc()`.
    unsafe { bindings::alloctag_trace_free(&site.raw(), &piece.0, by) }
}

/// What was asked for, and not given.
#[derive(Clone, Copy)]
pub struct Asked {
    /// Bytes; 0 where nobody knows.
    pub bytes: usize,
    /// The order of pages.
    pub order: u32,
    /// The flags that were asked with.
    pub flags: bindings::gfp_t,
}

/// It was not given; because a rule says so, if `injected`, and if `again` the one that was told of last was no failure.
pub fn fail(site: &Site<'_>, asked: Asked, injected: bool, again: bool) {
    let Asked {
        bytes,
        order,
        flags,
    } = asked;
    // SAFETY: As in `alloc()`.
    unsafe { bindings::alloctag_trace_fail(&site.raw(), bytes, order, flags, injected, again) }
}

/// It has waited for something, so many nanoseconds.
#[cfg(CONFIG_ALLOCTAG_STALLS)]
pub fn stall(site: &Site<'_>, cause: Cause, ns: u64) {
    // SAFETY: As in `alloc()`.
    unsafe { bindings::alloctag_trace_stall(&site.raw(), cause as u32, ns) }
}
