// SPDX-License-Identifier: GPL-2.0-only

//! Lines of the log that are written from where memory is allocated.
//!
//! They are deferred, because allocations come from where the console's locks may be held.
//!
//! C header: [`include/linux/printk.h`](srctree/include/linux/printk.h).

use core::ffi::CStr;
#[cfg(CONFIG_PRINTK)]
use kernel::bindings;
use kernel::sync::atomic::{Atomic, Relaxed};

/// A warning that is not repeated until it is taken back.
pub struct Warning {
    /// What it says.
    text: &'static CStr,
    is_said: Atomic<bool>,
}

impl Warning {
    /// A warning that was not said yet.
    pub const fn new(text: &'static CStr) -> Self {
        let is_said = Atomic::new(false);
        Self { text, is_said }
    }

    /// Says it, unless it was said. In any context.
    #[cold]
    pub fn say(&self) {
        if self.is_said.load(Relaxed) || self.is_said.xchg(true, Relaxed) {
            return;
        }
        let text = self.text.as_ptr();
        #[cfg(not(CONFIG_PRINTK))]
        let _ = text;
        #[cfg(CONFIG_PRINTK)]
        // SAFETY: The format takes a C string.
        unsafe {
            bindings::_printk_deferred(c"\x014alloctag: %s\n".as_ptr().cast(), text);
        }
    }

    /// From now on it can be said again.
    pub fn take_back(&self) {
        self.is_said.store(false, Relaxed);
    }
}
