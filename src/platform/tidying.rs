// SPDX-License-Identifier: GPL-2.0-only

//! Having things tidied up by a work item, which calls `alloctag_tidy()`.
//!
//! C part: `tidying.c`.

use kernel::bindings;

/// Within a second, however often it is asked for. In any context.
pub fn ask() {
    // SAFETY: In any context.
    unsafe { bindings::alloctag_tidy_ask() }
}

/// In so many seconds, whatever was said before.
pub fn within(seconds: u32) {
    // SAFETY: May be called where work can be queued.
    unsafe { bindings::alloctag_tidy_in(seconds) }
}
