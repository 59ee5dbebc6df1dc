// SPDX-License-Identifier: GPL-2.0-only

//! Hooks at boot, and the report of the biggest call sites.

use super::page::lost;
#[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
use crate::platform::followed;
use crate::{
    detail::rules::{self, capacity, Owner},
    model::{boot::Boot, capacity::Capacity},
    platform::{counters, page, slab, switch},
    registry::{self, builtin},
    surface,
};
#[cfg(CONFIG_ALLOCTAG_STALLS)]
use crate::{detail::stalls, platform::histograms};
use kernel::{
    ffi::{c_char, c_int},
    prelude::*,
};

/// Takes the argument of `sysctl.vm.mem_profiling=`.
///
/// # Safety
///
/// `argument` is null or a C string.
#[export]
#[link_section = ".init.text"]
pub unsafe extern "C" fn alloctag_boot_parameter(argument: *mut c_char) -> c_int {
    if argument.is_null() {
        return EINVAL.to_errno();
    }
    // SAFETY: Not null, so a C string.
    let value = unsafe { CStr::from_char_ptr(argument) }.to_bytes();
    let Some(boot) = Boot::parse(value) else {
        return EINVAL.to_errno();
    };
    match boot {
        Boot::Never => {
            switch::set_supported(false);
            switch::set_counting(false);
            switch::set_compressed(false);
            pr_info!("switched off until the next boot\n");
        }
        Boot::Ready { on, compressed } => {
            switch::set_supported(true);
            switch::set_counting(on);
            let state = if on { "on" } else { "off" };
            pr_info!("allocations can be counted; counting is {state}\n");
            switch::set_compressed(compressed);
        }
    }
    0
}

/// The capacity that a parameter asks for, if it asks for one.
///
/// # Safety
///
/// `argument` is null or a C string.
#[link_section = ".init.text"]
unsafe fn capacity_of(argument: *mut c_char) -> Option<Capacity> {
    if argument.is_null() {
        return None;
    }
    // SAFETY: Not null, so a C string.
    Capacity::parse(unsafe { CStr::from_char_ptr(argument) }.to_bytes())
}

/// Takes the argument of `alloctag.contexts=`.
///
/// # Safety
///
/// `argument` is null or a C string.
#[export]
#[link_section = ".init.text"]
pub unsafe extern "C" fn alloctag_contexts_parameter(argument: *mut c_char) -> c_int {
    // SAFETY: By the caller's promise.
    match unsafe { capacity_of(argument) } {
        Some(given) => {
            capacity::set(given);
            0
        }
        None => EINVAL.to_errno(),
    }
}

/// Takes the argument of `alloctag.histograms=`.
///
/// # Safety
///
/// `argument` is null or a C string.
#[cfg(CONFIG_ALLOCTAG_STALLS)]
#[export]
#[link_section = ".init.text"]
pub unsafe extern "C" fn alloctag_histograms_parameter(argument: *mut c_char) -> c_int {
    // SAFETY: By the caller's promise.
    match unsafe { capacity_of(argument) } {
        Some(given) => {
            histograms::set_capacity(given);
            0
        }
        None => EINVAL.to_errno(),
    }
}

/// Takes the argument of `alloctag.lifetimes=`.
///
/// # Safety
///
/// `argument` is null or a C string.
#[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
#[export]
#[link_section = ".init.text"]
pub unsafe extern "C" fn alloctag_lifetimes_parameter(argument: *mut c_char) -> c_int {
    // SAFETY: By the caller's promise.
    match unsafe { capacity_of(argument) } {
        Some(given) if followed::set_capacity(given) => 0,
        _ => EINVAL.to_errno(),
    }
}

/// Makes the histograms of stalls, if allocations are counted.
///
/// # Safety
///
/// Called during boot, once.
#[cfg(CONFIG_ALLOCTAG_STALLS)]
#[export]
#[link_section = ".init.text"]
pub unsafe extern "C" fn alloctag_histograms_prepare() {
    if switch::supported() && switch::counting() {
        stalls::prepare();
    }
}

/// Chooses the clock of what is timed, if allocations are counted.
///
/// # Safety
///
/// Called during boot, once.
#[cfg(CONFIG_ALLOCTAG_STALLS)]
#[export]
#[link_section = ".init.text"]
pub unsafe extern "C" fn alloctag_ticks_choose() {
    if switch::supported() {
        rules::lock().tidy();
    }
}

/// Obeys the argument of `alloctag.detail=`. May sleep.
///
/// # Safety
///
/// `text` is a C string.
#[export]
#[link_section = ".init.text"]
pub unsafe extern "C" fn alloctag_detail(text: *const c_char) {
    if !switch::supported() {
        pr_err!("alloctag.detail= is not obeyed: allocations cannot be counted\n");
        return;
    }
    // SAFETY: By the caller's promise.
    let text = unsafe { CStr::from_char_ptr(text) }.to_bytes();
    match rules::lock().obey(text, Owner::NOBODY, || true) {
        // What is wrong with a rule was said.
        Ok(()) | Err(EINVAL | ENOENT | ENOSPC) => {}
        Err(error) => pr_err!("alloctag.detail= is not obeyed: {error:?}\n"),
    }
}

/// Registers the built-in tags and makes room for the references of pages.
///
/// # Safety
///
/// Called during boot, once, while one CPU runs.
#[export]
#[link_section = ".init.text"]
pub unsafe extern "C" fn alloc_tag_sec_init() {
    if !switch::supported() {
        return;
    }
    // SAFETY: Once, and before there are files or modules, by which one comes to the rules.
    unsafe { rules::init() };
    let (tags, nameless) = builtin::register();
    if nameless > 0 {
        pr_warn!("{nameless} call sites of {tags} share an account: handles ran out\n");
    }
    slab::init();
    let handles = registry::read().handles();
    // SAFETY: One CPU runs.
    unsafe { counters::DENSE.set(handles) };
    #[cfg(CONFIG_ALLOCTAG_STATS)]
    // SAFETY: `mm_core_init()` calls this before it gives the buddy allocator its memory.
    unsafe {
        crate::platform::tally::make(handles)
    };
    if switch::compressed() && fit_into_flags(handles) {
        // SAFETY: One CPU runs, and those of dense rows fit.
        unsafe { page::compress(lost) };
        pr_info!("{tags} call sites, the references of pages are among their flags\n");
        return;
    }
    // SAFETY: `mm_core_init()` calls this before it gives the buddy allocator its memory.
    match unsafe { page::make_table(lost) } {
        Some(bytes) => {
            let kib = bytes / 1024;
            pr_info!("{tags} call sites, {kib} KiB for the references of pages\n");
        }
        None => {
            switch::set_supported(false);
            switch::set_counting(false);
            pr_err!("no memory for the references of pages: nothing is counted\n");
        }
    }
}

/// Whether the flags of a page can hold every handle of a dense row; others are seen to when they come (`page::fitting()`).
/// Where they cannot, references go to the table, as if they had never been asked for.
#[link_section = ".init.text"]
fn fit_into_flags(handles: usize) -> bool {
    let fit = handles <= page::HANDLES_IN_FLAGS;
    if !fit {
        switch::set_compressed(false);
        let room = page::HANDLES_IN_FLAGS;
        pr_warn!("the flags of a page have room for {room} accounts, not for {handles}: not compressed\n");
    }
    fit
}

/// Creates what users see.
///
/// # Safety
///
/// Called during boot, once.
#[export]
#[link_section = ".init.text"]
pub unsafe extern "C" fn alloctag_surface_init() -> c_int {
    match surface::init() {
        Ok(()) => 0,
        Err(error) => {
            switch::set_counting(false);
            switch::set_supported(false);
            pr_err!("cannot create its files: {error:?}\n");
            error.to_errno()
        }
    }
}

/// Whether profiling can never be turned on before the next boot.
///
/// # Safety
///
/// None: it is what bindgen makes of its prototype.
#[export]
pub unsafe extern "C" fn mem_alloc_profiling_permanently_disabled() -> bool {
    !switch::supported()
}

/// Prints the ten biggest call sites.
///
/// # Safety
///
/// None but that one may print.
#[cfg(CONFIG_PRINTK)]
#[export]
pub unsafe extern "C" fn alloctag_show_top_users() {
    surface::oom::show_top_users();
}
