// SPDX-License-Identifier: GPL-2.0-only

//! The switches: whether allocations are counted, and whether they ever can be.

use kernel::{
    bindings,
    sync::atomic::{Atomic, Relaxed},
};

/// Whether profiling can be had at all; settled by the boot parameter or Kconfig.
#[link_section = ".data..ro_after_init"]
static SUPPORTED: Atomic<bool> = Atomic::new(cfg!(CONFIG_MEM_ALLOC_PROFILING_ENABLED_BY_DEFAULT));

/// Whether profiling can be had at all.
pub fn supported() -> bool {
    SUPPORTED.load(Relaxed)
}

/// Says whether profiling can be had. From `false` there is no way back once pages are given out.
pub fn set_supported(supported: bool) {
    SUPPORTED.store(supported, Relaxed);
}

/// Whether allocations are counted now.
pub fn counting() -> bool {
    // SAFETY: Reads a static key.
    unsafe { bindings::alloctag_counting() }
}

/// Whether the references of pages are to be among their flags; the sysctl shows it.
pub fn compressed() -> bool {
    // SAFETY: Reads a static key.
    unsafe { bindings::alloctag_compressed() }
}

/// Says where the references of pages are to be; settled before the first page is given out.
pub fn set_compressed(compressed: bool) {
    // SAFETY: The static key exists; the caller is alone during boot.
    unsafe { bindings::alloctag_set_compressed(compressed) }
}

/// Starts or stops the counting.
pub fn set_counting(on: bool) {
    if on != counting() {
        // SAFETY: The static key exists; the caller may sleep, or is alone during boot.
        unsafe { bindings::alloctag_set_counting(on) }
    }
}
