// SPDX-License-Identifier: GPL-2.0-only

//! A loadable module, as far as its tags go.
//!
//! C header: [`include/linux/module.h`](srctree/include/linux/module.h).

use super::tag::Tag;
use core::{ffi::CStr, ptr::NonNull, slice};
use kernel::{bindings, prelude::*};

/// The module that has this address in its memory.
///
/// # Safety
///
/// Preemption is off or RCU held off, and the module is used no longer than that lasts or than it stays for another reason.
pub unsafe fn containing(address: usize) -> Option<NonNull<bindings::module>> {
    // SAFETY: By the caller's promise.
    NonNull::new(unsafe { bindings::__module_address(address) })
}

/// A module that is being loaded or unloaded.
///
/// # Invariants
///
/// Points to a module whose memory stays while this is used.
pub struct Module(*mut bindings::module);

impl Module {
    /// Names a module.
    ///
    /// # Safety
    ///
    /// `module` points to a module that the caller is loading or unloading.
    pub unsafe fn from_raw(module: *mut bindings::module) -> Self {
        // INVARIANT: By the caller's promise.
        Self(module)
    }

    #[cfg(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS))]
    pub(super) fn as_raw(&self) -> *mut bindings::module {
        self.0
    }

    /// The module's address, which tells it from others as long as it is loaded.
    pub fn address(&self) -> usize {
        self.0.addr()
    }

    /// Whether an address lies in the module's memory.
    pub fn has(&self, address: usize) -> bool {
        // SAFETY: The module stays.
        unsafe { bindings::alloctag_is_in_module(address, self.0) }
    }

    /// Whether it lies in the module's init code, while there is any.
    pub fn has_in_init(&self, address: usize) -> bool {
        // SAFETY: The module stays.
        unsafe { bindings::alloctag_is_in_init(address, self.0) }
    }

    /// The module's name.
    pub fn name(&self) -> &[u8] {
        // SAFETY: The name is a C string within the module, which stays.
        unsafe { CStr::from_char_ptr((&raw const (*self.0).name).cast()) }.to_bytes()
    }

    /// The module's name, for as long as its memory stays.
    ///
    /// # Safety
    ///
    /// That is as long as `'a`.
    pub unsafe fn into_name<'a>(self) -> &'a [u8] {
        // SAFETY: The name is a C string within the module, which stays.
        unsafe { CStr::from_char_ptr((&raw const (*self.0).name).cast()) }.to_bytes()
    }

    /// Whether its memory is about to go although it had come, so that its code may have run.
    pub fn is_going(&self) -> bool {
        // SAFETY: In bounds of the module, which stays; only its loader changes it now.
        unsafe { (&raw const (*self.0).state).read() == bindings::module_state_MODULE_STATE_GOING }
    }

    /// The module's tags; none for one that was built without profiling.
    ///
    /// To be asked for while the module is being loaded: afterwards its symbol table need not name
    /// their bounds any more.
    ///
    /// # Safety
    ///
    /// They are not used any more once the module's memory goes.
    pub unsafe fn tags(&self) -> &'static [Tag] {
        let (start, stop) = (
            self.symbol(c"__start_alloc_tags"),
            self.symbol(c"__stop_alloc_tags"),
        );
        if start.is_null() || stop <= start {
            return &[];
        }
        // SAFETY: `scripts/module.lds.S` puts the symbols at the ends of an array of tags.
        unsafe { slice::from_raw_parts(start, stop.offset_from(start) as usize) }
    }

    /// The address of one of the module's own symbols, or null.
    fn symbol(&self, name: &'static CStr) -> *const Tag {
        // SAFETY: The module stays, and its symbol table with it.
        let address = unsafe { bindings::find_kallsyms_symbol_value(self.0, name.as_char_ptr()) };
        address as *const Tag
    }
}
