// SPDX-License-Identifier: GPL-2.0-only

//! Loadable modules, where the kernel has none.

use super::tag::Tag;
use core::ptr::NonNull;
use kernel::bindings;

/// The module that has this address in its memory.
///
/// # Safety
///
/// None.
pub unsafe fn containing(_address: usize) -> Option<NonNull<bindings::module>> {
    None
}

/// A module; nobody has one.
pub struct Module(());

impl Module {
    /// Names a module.
    ///
    /// # Safety
    ///
    /// There is one.
    pub unsafe fn from_raw(_module: *mut bindings::module) -> Self {
        Self(())
    }

    #[cfg(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS))]
    pub(super) fn as_raw(&self) -> *mut bindings::module {
        core::ptr::null_mut()
    }

    /// The module's address.
    pub fn address(&self) -> usize {
        0
    }

    /// Whether an address lies in the module's memory.
    pub fn has(&self, _address: usize) -> bool {
        false
    }

    /// Whether it lies in the module's init code.
    pub fn has_in_init(&self, _address: usize) -> bool {
        false
    }

    /// The module's name.
    pub fn name(&self) -> &[u8] {
        b""
    }

    /// The module's name, for as long as its memory stays.
    ///
    /// # Safety
    ///
    /// None.
    pub unsafe fn into_name<'a>(self) -> &'a [u8] {
        b""
    }

    /// The module's tags.
    ///
    /// # Safety
    ///
    /// None.
    pub unsafe fn tags(&self) -> &'static [Tag] {
        &[]
    }
}
