// SPDX-License-Identifier: GPL-2.0-only

//! Hooks of the module loader.
//!
//! A module is known from before its first line of code runs until its memory goes, whatever happens
//! to its load in between: it goes by `codetag_unload_module()` where its init function was reached,
//! by `codetag_free_module_sections()` where it was not.

use crate::{
    detail::rules,
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
pub unsafe extern "C" fn alloctag_module_coming(module: *mut bindings::module) -> c_int {
    if module.is_null() || !switch::supported() {
        return 0;
    }
    // SAFETY: By the caller's promise.
    let module = unsafe { Module::from_raw(module) };
    let loaded = registry::module::load(&module);
    match loaded
        .map_err(Error::from)
        .and_then(|()| rules::lock().meet(&module))
    {
        Ok(()) => 0,
        Err(error) => error.to_errno(),
    }
}

/// A module has been initialised: the code that did it is about to go.
///
/// # Safety
///
/// `module` is one that is being loaded. May sleep.
#[export]
pub unsafe extern "C" fn alloctag_module_live(module: *mut bindings::module) {
    if switch::supported() {
        // SAFETY: By the caller's promise.
        rules::lock().settle(&unsafe { Module::from_raw(module) });
    }
}

/// A module is going, and its functions still have names.
///
/// # Safety
///
/// `module` is one that is being unloaded. May sleep.
#[export]
pub unsafe extern "C" fn alloctag_module_going(module: *mut bindings::module) {
    if switch::supported() {
        // SAFETY: By the caller's promise.
        rules::lock().part_with(&unsafe { Module::from_raw(module) });
    }
}

/// A module has run for the last time, but for what types of parameters free; its memory is about to go.
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
    let module = unsafe { Module::from_raw(module) };
    let accounts = registry::module::quiesce(&module);
    // Before these accounts are others' and have contexts again, those that they have now go.
    let mut rules = rules::lock();
    rules.part_with_lines(&module);
    registry::module::unload(&module);
    rules.leave(&module, accounts);
}

/// The memory of a module is about to go whose load failed before its init function.
///
/// # Safety
///
/// `module` is null or a module that is being unloaded. May sleep.
#[export]
pub unsafe extern "C" fn codetag_free_module_sections(module: *mut bindings::module) {
    // SAFETY: By the caller's promise.
    let has_come = !module.is_null() && unsafe { Module::from_raw(module) }.is_going();
    if has_come {
        // SAFETY: By the caller's promise.
        unsafe { codetag_unload_module(module) }
    }
}
