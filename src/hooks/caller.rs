// SPDX-License-Identifier: GPL-2.0-only

//! Doors from the kernel crate's allocators: what they allocate is charged to the line of Rust code
//! that asked for it, unless an `alloc_hooks!` covers it.

use crate::registry::callers;
use core::panic::Location;
use kernel::{
    alloc_tag::{counting, is_covered, Scope},
    bindings,
    ffi::{c_int, c_ulong, c_void},
    prelude::*,
};

/// Allocates on behalf of a location.
///
/// # Safety
///
/// `location` points to a location that exists as long as its module, whose code this runs for.
#[inline(always)]
unsafe fn charge<T>(location: *const c_void, allocate: impl FnOnce() -> T) -> T {
    if !counting() || is_covered() {
        return allocate();
    }
    // SAFETY: By the caller's promise. CAST: That is what the kernel crate passes.
    let location = unsafe { &*location.cast::<Location<'static>>() };
    // SAFETY: The tag is in a static table, and the scope ends with this function.
    let _scope = unsafe { Scope::enter(callers::tag(location).as_alloc_tag()) };
    allocate()
}

/// A door to a C function that resizes, or allocates where there is nothing yet.
macro_rules! resizing {
    ($(#[$doc:meta])* $door:ident, $resize:ident) => {
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// As for that function, and `location` is of a `#[track_caller]` function that called it.
        #[export]
        pub unsafe extern "C" fn $door(
            object: *const c_void,
            size: usize,
            align: c_ulong,
            flags: bindings::gfp_t,
            node: c_int,
            location: *const c_void,
        ) -> *mut c_void {
            // SAFETY: The caller's promise.
            let resize = || unsafe { bindings::$resize(object, size, align, flags, node) };
            // Freeing is resizing to nothing.
            if size == 0 {
                return resize();
            }
            // SAFETY: The caller's promise.
            unsafe { charge(location, resize) }
        }
    };
}

resizing! {
    /// `krealloc_node_align()` for Rust code.
    alloctag_krealloc, krealloc_node_align_noprof
}
resizing! {
    /// `kvrealloc_node_align()` for Rust code.
    alloctag_kvrealloc, kvrealloc_node_align_noprof
}
resizing! {
    /// `vrealloc_node_align()` for Rust code.
    alloctag_vrealloc, vrealloc_node_align_noprof
}

/// `alloc_pages()` for Rust code.
///
/// # Safety
///
/// `location` is of a `#[track_caller]` function that called it.
#[export]
pub unsafe extern "C" fn alloctag_alloc_pages(
    flags: bindings::gfp_t,
    order: u32,
    location: *const c_void,
) -> *mut bindings::page {
    // SAFETY: The caller's promise; pages can be asked for at any time.
    unsafe {
        charge(location, || {
            bindings::alloctag_alloc_pages_noprof(flags, order)
        })
    }
}
