// SPDX-License-Identifier: GPL-2.0-only

//! Which call sites may have to fail: a hint for allocations, by the second byte of a tag's address, and a static branch before
//! it.
//!
//! What the hint says of a tag is there before the tag is armed, and until after it is armed no more. Whoever changes it has the
//! rules.

use super::tag::Tag;
use crate::model::line::Arming;
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

/// Says when a call site fails.
pub fn arm(tag: &Tag, arming: Arming) {
    if arming != Arming::NEVER {
        set(place(tag), true);
    }
    tag.arm(arming);
}

/// A look at every call site, after which hints that none needs are taken away.
pub struct Round([bool; HINTS]);

impl Round {
    /// Begins it.
    pub fn begin() -> Self {
        Self([false; HINTS])
    }

    /// Says when a call site fails.
    pub fn arm(&mut self, tag: &Tag, arming: Arming) {
        arm(tag, arming);
        if let (true, Some(seen)) = (arming != Arming::NEVER, self.0.get_mut(place(tag))) {
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
