// SPDX-License-Identifier: GPL-2.0-only

//! The list of call sites: the kernel's own, then those of modules.
//!
//! Slot 0 holds what is built in, slot 1 the call sites of Rust code that were met, every other slot
//! the tags of one module, or what is left of them after it was unloaded with objects alive.

mod accounts;
pub mod builtin;
#[cfg(CONFIG_ALLOCTAG_RUST_CALLERS)]
pub mod callers;
#[cfg(not(CONFIG_ALLOCTAG_RUST_CALLERS))]
#[path = "registry/no_callers.rs"]
pub mod callers;
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
    callers: Section,
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
pub struct Entry<'a> {
    /// What is to be shown of it.
    pub row: Row<'a>,
    /// Its account.
    pub handle: Handle,
    /// How many accounts follow without a gap, itself included.
    pub run: usize,
}

impl Sections {
    const fn new() -> Self {
        Self {
            builtin: Section::empty(),
            callers: Section::callers(),
            modules: KVec::new(),
            accounts: Accounts::new(),
            sequence: 0,
            content: 0,
        }
    }

    fn section(&self, slot: usize) -> Option<&Section> {
        match slot {
            0 => Some(&self.builtin),
            1 => Some(&self.callers),
            _ => self.modules.get(slot - 2)?.as_ref(),
        }
    }

    /// The number of slots, whether they hold a section or not.
    fn slots(&self) -> usize {
        2 + self.modules.len()
    }

    /// Changes with every module that comes or goes, and with every row of Rust's call sites.
    pub fn content(&self) -> u64 {
        self.content + callers::changes()
    }

    /// How many handles there can ever be until the next boot: those of built-in tags and of spare
    /// accounts, and those that name none.
    pub fn handles(&self) -> usize {
        self.accounts.handles()
    }

    /// How many call sites there are.
    pub fn count(&self) -> usize {
        (0..self.slots())
            .filter_map(|slot| self.section(slot))
            .map(Section::rows)
            .sum()
    }

    /// The call site at the cursor, which moves on to the next that there is; `None` at the end.
    pub fn entry(&self, cursor: &mut Cursor) -> Option<Entry<'_>> {
        let (section, index, account) = self.place(cursor)?;
        Some(Entry {
            row: section.row(index)?,
            handle: account.0,
            run: account.1,
        })
    }

    /// Moves the cursor on to the next call site that there is, if it is at none; `false` at the
    /// end.
    pub fn settle(&self, cursor: &mut Cursor) -> bool {
        self.place(cursor).is_some()
    }

    /// The section at the cursor, the number of the call site in it, and its account with the
    /// length of the run that it begins.
    fn place(&self, cursor: &mut Cursor) -> Option<(&Section, usize, (Handle, usize))> {
        loop {
            let found = cursor.settle(|slot| {
                (slot < self.slots()).then(|| self.section(slot).map_or(Slot::EMPTY, Section::slot))
            });
            if !found {
                return None;
            }
            let (slot, index) = cursor.position();
            let section = self.section(slot)?;
            if let Some(account) = section.account(index) {
                return Some((section, index, account));
            }
            cursor.advance_to(section.taken_from(index + 1));
        }
    }
}
