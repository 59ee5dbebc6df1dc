// SPDX-License-Identifier: GPL-2.0-only

//! The list of call sites: the kernel's own, then those of modules.
//!
//! Slot 0 holds what is built in, every other slot the tags of one module, or what is left of them
//! after it was unloaded with objects alive.

mod accounts;
pub mod builtin;
pub mod module;
mod overflow;
pub mod section;

use crate::{
    model::{
        cursor::{Cursor, Slot},
        handle::Handle,
        text::Row,
    },
    platform::rwsem::{Guarded, Reader},
};
use accounts::Accounts;
use kernel::prelude::*;
use section::Section;

/// All sections.
pub struct Sections {
    builtin: Section,
    modules: KVec<Option<Section>>,
    accounts: Accounts,
    /// How many sections there have been.
    sequence: u64,
    /// Moves on whenever a module's rows come or go.
    content: u64,
}

/// The only list.
static SECTIONS: Guarded<Sections> =
    // SAFETY: Called once.
    unsafe { Guarded::new(Sections::new()) };

/// The list, which stays as it is while the reader lives. May sleep.
pub fn read() -> Reader<'static, Sections> {
    SECTIONS.read()
}

/// The list, for those who may not sleep; `None` while a module is coming or going.
pub fn try_read() -> Option<Reader<'static, Sections>> {
    SECTIONS.try_read()
}

/// The list of a reader that was forgotten.
///
/// # Safety
///
/// As for [`Guarded::resume_read()`].
pub unsafe fn resume_read() -> Reader<'static, Sections> {
    // SAFETY: The caller's promise.
    unsafe { SECTIONS.resume_read() }
}

/// A call site in the list.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    section: &'a Section,
    index: usize,
    /// Its account.
    pub handle: Handle,
    /// How many accounts follow without a gap, itself included.
    pub run: usize,
}

impl<'a> Entry<'a> {
    /// What is to be shown of it.
    pub fn row(&self) -> Row<'a> {
        self.section.row(self.index)
    }
}

impl Sections {
    const fn new() -> Self {
        Self {
            builtin: Section::empty(),
            modules: KVec::new(),
            accounts: Accounts::new(),
            sequence: 0,
            content: 0,
        }
    }

    fn section(&self, slot: usize) -> Option<&Section> {
        match slot.checked_sub(1) {
            None => Some(&self.builtin),
            Some(module) => self.modules.get(module)?.as_ref(),
        }
    }

    /// The number of slots, whether they hold a section or not.
    fn slots(&self) -> usize {
        1 + self.modules.len()
    }

    /// Changes with every module that comes or goes.
    pub fn content(&self) -> u64 {
        self.content
    }

    /// How many call sites there are.
    pub fn count(&self) -> usize {
        (0..self.slots())
            .filter_map(|slot| self.section(slot))
            .map(Section::length)
            .sum()
    }

    /// The call site at the cursor, which moves on to the next that there is; `None` at the end.
    pub fn entry(&self, cursor: &mut Cursor) -> Option<Entry<'_>> {
        loop {
            let found = cursor.settle(|slot| {
                (slot < self.slots()).then(|| match self.section(slot) {
                    Some(section) => section.slot(),
                    None => Slot::EMPTY,
                })
            });
            if !found {
                return None;
            }
            let (slot, index) = cursor.position();
            let section = self.section(slot)?;
            if let Some((handle, run)) = section.account(index) {
                return Some(Entry {
                    section,
                    index,
                    handle,
                    run,
                });
            }
            cursor.advance();
        }
    }
}
