// SPDX-License-Identifier: GPL-2.0-only

//! The detailed hooks: in the place of the plain ones as long as there are accounts beyond the dense rows.

use super::{page, slab};
use crate::{
    detail::rules,
    platform::{counters::Detailed, switch},
    registry,
};
use kernel::{bindings, prelude::*};

/// [`slab::alloctag_slab_alloc()`] for all accounts.
///
/// # Safety
///
/// The same.
#[export]
pub unsafe extern "C" fn alloctag_slab_alloc_detailed(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
    orig_size: usize,
    tag: *mut bindings::alloc_tag,
    context: u64,
) {
    // SAFETY: By the caller's promise.
    unsafe { slab::alloc::<Detailed>(s, slab, offset, orig_size, tag, context) }
}

/// `alloctag_slab_free()` for all accounts.
///
/// # Safety
///
/// The same.
#[cfg(not(CONFIG_ALLOCTAG_SLAB_FREE_ASM))]
#[export]
pub unsafe extern "C" fn alloctag_slab_free_detailed(
    s: *mut bindings::kmem_cache,
    slab: *mut bindings::slab,
    offset: usize,
) {
    // SAFETY: By the caller's promise.
    unsafe { slab::free::<Detailed>(s, slab, offset) }
}

/// [`page::alloctag_page_alloc()`] for all accounts.
///
/// # Safety
///
/// The same.
#[export]
pub unsafe extern "C" fn alloctag_page_alloc_detailed(
    page: *mut bindings::page,
    tag: *mut bindings::alloc_tag,
    order: u32,
    flags: bindings::gfp_t,
) {
    // SAFETY: By the caller's promise.
    unsafe { page::alloc::<Detailed>(page, tag, order, flags) }
}

/// [`page::alloctag_page_free()`] for all accounts.
///
/// # Safety
///
/// The same.
#[export]
pub unsafe extern "C" fn alloctag_page_free_detailed(page: *mut bindings::page, order: u32) {
    // SAFETY: By the caller's promise.
    unsafe { page::free::<Detailed>(page, order) }
}

/// Some time after a chunk has lost its last account.
///
/// # Safety
///
/// Called where one may sleep.
#[export]
pub unsafe extern "C" fn alloctag_chunks_reap() {
    registry::module::reap();
}

/// Some time after an allocation has found that there is something to be done.
///
/// # Safety
///
/// Called where one may sleep.
#[export]
pub unsafe extern "C" fn alloctag_tidy() {
    // Without files nobody is told of modules that go.
    if switch::supported() {
        rules::lock().tidy();
    }
}
