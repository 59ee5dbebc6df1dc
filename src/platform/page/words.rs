// SPDX-License-Identifier: GPL-2.0-only

//! Words of the table that may have to stay although their memory goes.

use crate::model::reference::Reference;

/// Whether one of so many words, one behind the other, still says who is charged for a page.
///
/// # Safety
///
/// They are words of the table, and stay meanwhile.
pub(super) unsafe extern "C" fn refer(words: *const u32, number: usize) -> bool {
    (0..number).any(|index| {
        // SAFETY: By the caller's promise. A volatile read does not tear, should the page be freed meanwhile.
        let word = unsafe { words.add(index).read_volatile() };
        Reference::from_word(word).handle().is_counted()
    })
}
