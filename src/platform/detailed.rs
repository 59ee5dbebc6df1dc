// SPDX-License-Identifier: GPL-2.0-only

//! Which set of hooks is in place: the plain ones, which know the dense rows, or the detailed ones, which know everything.
//!
//! C part: `detailed.c`.

use kernel::bindings;

/// The detailed hooks are in place while one of these lives.
pub struct Detailed(());

impl Detailed {
    /// Puts them in place, if they are not, and waits until no plain hook runs any more: until every task that may have been
    /// in the middle of one has slept. That may take long where tasks do not sleep.
    pub fn engage() -> Self {
        // SAFETY: May sleep; `drop()` takes it back.
        unsafe { bindings::alloctag_detailed_get() };
        Self(())
    }
}

impl Drop for Detailed {
    fn drop(&mut self) {
        // SAFETY: Once for every `engage()`; may sleep.
        unsafe { bindings::alloctag_detailed_put() }
    }
}

/// Waits until every hook that runs now has ended.
pub fn wait() {
    // SAFETY: May sleep.
    unsafe { bindings::alloctag_hooks_wait() }
}

/// Has `registry::module::reap()` called, later and elsewhere.
pub fn reap_soon() {
    // SAFETY: In any context.
    unsafe { bindings::alloctag_reap_soon() }
}
