// SPDX-License-Identifier: GPL-2.0-only

//! The tags of what is built in.

use super::{callers, overflow, section::Section, SECTIONS};
use crate::{model::handle::Handle, platform::tag::Tag};
use core::slice;

extern "C" {
    /// The bounds of section `alloctag`, from the linker script.
    static __start_alloc_tags: [Tag; 0];
    static __stop_alloc_tags: [Tag; 0];
}

/// All built-in tags.
fn tags() -> &'static [Tag] {
    let (start, stop) = (&raw const __start_alloc_tags, &raw const __stop_alloc_tags);
    // SAFETY: The section is an array of tags from the one address to the other, and lives for ever.
    unsafe {
        let start = start.cast::<Tag>();
        slice::from_raw_parts(start, stop.cast::<Tag>().offset_from(start) as usize)
    }
}

/// The tag of an account, if it is that of a built-in one.
pub fn tag(handle: Handle) -> Option<&'static Tag> {
    tags().get(handle.index().checked_sub(Handle::FIRST as usize)?)
}

/// Gives every built-in tag its account, in the order of the section.
///
/// Returns how many tags there are, and for how many of them there was no handle.
#[link_section = ".init.text"]
pub fn register() -> (usize, usize) {
    let tags = tags();
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
