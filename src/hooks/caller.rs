// SPDX-License-Identifier: GPL-2.0-only

//! Hooks of the kernel crate's allocators: what they allocate is charged to the line of Rust code
//! that asked for it, unless an `alloc_hooks!` covers it.

use crate::{platform::tag::Tag, registry::callers};
use core::panic::Location;
use kernel::{
    alloc_tag::{counting, is_covered, is_marked, AllocTag, Scope},
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

/// The tag of a location that is at hand, and that nothing covers, as it mostly is where allocations are counted. What else
/// there is takes registers.
///
/// # Safety
///
/// `location` points to a location that exists as long as its module, whose code this runs for.
#[inline(always)]
unsafe fn tag_at_hand(location: *const c_void) -> Option<&'static AllocTag> {
    if is_marked() {
        return None;
    }
    // SAFETY: By the caller's promise. CAST: That is what the kernel crate passes.
    let location = unsafe { &*location.cast::<Location<'static>>() };
    callers::known(location).map(Tag::as_alloc_tag)
}

/// Allocates on behalf of a location, where allocations are counted.
///
/// # Safety
///
/// As for [`tag_at_hand()`].
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
/// where allocations are counted is a function of its own, so that elsewhere it is a jump; and so is what it seldom takes.
macro_rules! resizing {
    ($(#[$doc:meta])* $hook:ident, $charging:ident, $charging_any:ident, $resize:path) => {
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
            // Freeing is resizing to nothing.
            if counting() && size != 0 {
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
            let Some(tag) = (unsafe { tag_at_hand(location) }) else {
                // SAFETY: The caller's promise.
                return unsafe { $charging_any(object, size, align, flags, node, location) };
            };
            // SAFETY: The tag is in a static table, and the scope ends with this function.
            let _scope = unsafe { Scope::enter(tag) };
            // SAFETY: The caller's promise.
            unsafe { $resize(object, size, align, flags, node) }
        }

        /// The same for a location that may be new or covered.
        ///
        /// # Safety
        ///
        /// The same.
        #[cold]
        #[inline(never)]
        unsafe extern "C" fn $charging_any(
            object: *const c_void,
            size: usize,
            align: c_ulong,
            flags: bindings::gfp_t,
            node: c_int,
            location: *const c_void,
        ) -> *mut c_void {
            // SAFETY: The caller's promise.
            let resize = || unsafe { $resize(object, size, align, flags, node) };
            // SAFETY: The caller's promise.
            unsafe { charge(location, resize) }
        }
    };
}

resizing! {
    /// `krealloc_node_align()` for Rust code.
    alloctag_krealloc, krealloc_charging, krealloc_charging_any, krealloc_noprof
}
resizing! {
    /// `kvrealloc_node_align()` for Rust code.
    alloctag_kvrealloc, kvrealloc_charging, kvrealloc_charging_any, kvrealloc_noprof
}
resizing! {
    /// `vrealloc_node_align()` for Rust code.
    alloctag_vrealloc, vrealloc_charging, vrealloc_charging_any, bindings::vrealloc_node_align_noprof
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
