// SPDX-License-Identifier: GPL-2.0-only

//! The tags of what is built in.

use super::{callers, linked, overflow, section::Section, SECTIONS};
use crate::model::handle::Handle;

/// Gives every built-in tag its account, in the order of the section.
///
/// Returns how many tags there are, and for how many of them there was no handle.
#[link_section = ".init.text"]
pub fn register() -> (usize, usize) {
    let tags = linked::tags();
    let mut named = 0;
    for (index, tag) in tags.iter().enumerate() {
        let Some(handle) = Handle::nth(index) else {
            break;
        };
        tag.set_handle(handle);
        named += 1;
    }
    let (named, nameless) = tags.split_at_checked(named).unwrap_or((tags, &[]));
    overflow::take_in(nameless);
    let mut sections = SECTIONS.write();
    sections.sequence += 1;
    sections.content += 1;
    sections.builtin = Section::builtin(named, Handle::from_word(Handle::FIRST), sections.sequence);
    if let Some(first) = callers::ACCOUNTS
        .checked_sub(1)
        .and_then(|last| Handle::nth(named.len() + last).and(Handle::nth(named.len())))
    {
        callers::register(first);
    }
    sections
        .accounts
        .begin_behind(named.len() + callers::ACCOUNTS);
    (tags.len(), nameless.len())
}
