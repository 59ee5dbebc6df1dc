// SPDX-License-Identifier: GPL-2.0-only

//! Words of the table that have to stay although their memory goes.

use crate::model::{handle::Handle, reference::Reference};

/// What the words of pages say that nobody has, while one beside them is still to be freed: that all of them stay. It is the
/// reference of nobody with an order, which there is nowhere else. Nobody writes over it before the memory comes again, as he
/// who frees the page does with what that page's own word says.
pub(super) const STAY: Reference = Reference::of_pages(Handle::NONE, 1);

/// Whether one of so many words, one behind the other, says that they stay.
///
/// # Safety
///
/// They are words of the table, and stay meanwhile.
pub(super) unsafe extern "C" fn stay(words: *const u32, number: usize) -> bool {
    (0..number).any(|index| {
        // SAFETY: By the caller's promise. Some may be written meanwhile, but a volatile read does not tear.
        let word = unsafe { words.add(index).read_volatile() };
        Reference::from_word(word) == STAY
    })
}
