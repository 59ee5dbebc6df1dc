// SPDX-License-Identifier: GPL-2.0-only

//! Hooks of the kernel crate's allocators: what they allocate is charged to the line of Rust code
//! that asked for it, unless an `alloc_hooks!` covers it.

use crate::registry::callers;
use core::panic::Location;
use kernel::{
    alloc_tag::{counting, is_covered, Scope},
    bindings,
    ffi::{c_int, c_ulong, c_void},
    prelude::*,
};

// Where caches are partitioned, C has to add from where they are called.
#[cfg(CONFIG_KMALLOC_PARTITION_CACHES)]
use kernel::bindings::{
    alloctag_krealloc_noprof as krealloc_noprof, alloctag_kvrealloc_noprof as kvrealloc_noprof,
};
#[cfg(not(CONFIG_KMALLOC_PARTITION_CACHES))]
use kernel::bindings::{
    krealloc_node_align_noprof as krealloc_noprof, kvrealloc_node_align_noprof as kvrealloc_noprof,
};

/// Allocates on behalf of a location, where allocations are counted.
///
/// # Safety
///
/// `location` points to a location that exists as long as its module, whose code this runs for.
#[inline(always)]
unsafe fn charge<T>(location: *const c_void, allocate: impl FnOnce() -> T) -> T {
    if is_covered() {
        return allocate();
    }
    // SAFETY: By the caller's promise. CAST: That is what the kernel crate passes.
    let location = unsafe { &*location.cast::<Location<'static>>() };
    // SAFETY: The tag is in a static table, and the scope ends with this function.
    let _scope = unsafe { Scope::enter(callers::tag(location).as_alloc_tag()) };
    allocate()
}

/// A hook around a C function that resizes, or allocates where there is nothing yet. What it takes
/// where allocations are counted is a function of its own, so that elsewhere it is a jump.
macro_rules! resizing {
    ($(#[$doc:meta])* $hook:ident, $charging:ident, $resize:path) => {
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// As for that function, and `location` is of a `#[track_caller]` function that called it.
        #[export]
        pub unsafe extern "C" fn $hook(
            object: *const c_void,
            size: usize,
            align: c_ulong,
            flags: bindings::gfp_t,
            node: c_int,
            location: *const c_void,
        ) -> *mut c_void {
            if counting() {
                // SAFETY: The caller's promise.
                unsafe { $charging(object, size, align, flags, node, location) }
            } else {
                // SAFETY: The caller's promise.
                unsafe { $resize(object, size, align, flags, node) }
            }
        }

        /// The same where allocations are counted.
        ///
        /// # Safety
        ///
        /// The same.
        #[inline(never)]
        unsafe extern "C" fn $charging(
            object: *const c_void,
            size: usize,
            align: c_ulong,
            flags: bindings::gfp_t,
            node: c_int,
            location: *const c_void,
        ) -> *mut c_void {
            // SAFETY: The caller's promise.
            let resize = || unsafe { $resize(object, size, align, flags, node) };
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
    alloctag_krealloc, krealloc_charging, krealloc_noprof
}
resizing! {
    /// `kvrealloc_node_align()` for Rust code.
    alloctag_kvrealloc, kvrealloc_charging, kvrealloc_noprof
}
resizing! {
    /// `vrealloc_node_align()` for Rust code.
    alloctag_vrealloc, vrealloc_charging, bindings::vrealloc_node_align_noprof
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
    // SAFETY: Pages can be asked for at any time.
    let allocate = || unsafe { bindings::alloctag_alloc_pages_noprof(flags, order) };
    if !counting() {
        return allocate();
    }
    // SAFETY: The caller's promise.
    unsafe { charge(location, allocate) }
}
