// SPDX-License-Identifier: GPL-2.0-only

//! Call sites with whose calls something is done, which may have to fail or are timed: a hint for allocations, by the second byte
//! of a tag's address, and a static branch before it.
//!
//! The hint of a tag is set before the tag says it, and taken back after it says so no more. Whoever changes it has the rules.
//! Other CPUs may see the one without the other for a while: to them a rule comes later, or goes earlier.
//!
//! C part: `calls.c`.

use super::tag::Tag;
use crate::model::line::Calls;
use core::ptr::addr_of_mut;
use kernel::bindings;

const HINTS: usize = 256;

/// Which hint an allocation with the tag as the current one looks at.
fn place(tag: &Tag) -> usize {
    tag.as_raw().addr() >> 8 & (HINTS - 1)
}

fn set(place: usize, armed: bool) {
    if place < HINTS {
        // SAFETY: In bounds; a byte, which is read and written whole.
        unsafe {
            let hints: *mut [u8; HINTS] = addr_of_mut!(bindings::alloctag_armed);
            hints.cast::<u8>().add(place).write_volatile(armed.into());
        }
    }
}

/// Whether something is done with calls of any call site. May sleep.
pub fn switch(on: bool) {
    // SAFETY: May sleep.
    unsafe { bindings::alloctag_arm(on) };
}

/// Says what is done with a call site's calls.
pub fn mark(tag: &Tag, calls: Calls) {
    if calls != Calls::LEFT_ALONE {
        set(place(tag), true);
    }
    tag.set_calls(calls);
}

/// A look at every call site, after which hints that none needs are taken away.
pub struct Round([bool; HINTS]);

impl Round {
    /// Begins it.
    pub fn begin() -> Self {
        Self([false; HINTS])
    }

    /// Says what is done with a call site's calls.
    pub fn mark(&mut self, tag: &Tag, calls: Calls) {
        mark(tag, calls);
        if let (true, Some(seen)) = (calls != Calls::LEFT_ALONE, self.0.get_mut(place(tag))) {
            *seen = true;
        }
    }

    /// Ends it: every call site was looked at.
    pub fn end(self) {
        for (place, seen) in self.0.into_iter().enumerate() {
            if !seen {
                set(place, false);
            }
        }
    }
}
