// SPDX-License-Identifier: GPL-2.0-only

//! Doors from the module loader.

use crate::{
    platform::{module::Module, switch},
    registry,
};
use kernel::{bindings, ffi::c_int, prelude::*};

/// A module is about to run: from now on its call sites are counted.
///
/// # Safety
///
/// `module` is null or a module that is being loaded. May sleep.
#[export]
pub unsafe extern "C" fn codetag_load_module(module: *mut bindings::module) -> c_int {
    if module.is_null() || !switch::supported() {
        return 0;
    }
    // SAFETY: By the caller's promise.
    match registry::module::load(&unsafe { Module::from_raw(module) }) {
        Ok(()) => 0,
        Err(error) => Error::from(error).to_errno(),
    }
}

/// A module has run for the last time; its memory is about to go.
///
/// # Safety
///
/// `module` is null or a module that is being unloaded. May sleep.
#[export]
pub unsafe extern "C" fn codetag_unload_module(module: *mut bindings::module) {
    if module.is_null() || !switch::supported() {
        return;
    }
    // What the module frees by kfree_rcu() is gone afterwards, so that it keeps no row.
    // SAFETY: The caller may sleep.
    unsafe { bindings::kvfree_rcu_barrier() };
    // SAFETY: By the caller's promise.
    registry::module::unload(&unsafe { Module::from_raw(module) });
}
