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
pub mod choosing;
mod holders;
pub mod linked;
pub mod module;
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
pub mod names;
pub mod overflow;
pub mod recorded;
mod reserved;
pub mod section;
pub mod uncounted;
pub mod walk;
pub mod wanted;

use crate::{
    model::{
        cursor::{Cursor, Slot},
        handle::{Handle, Run},
        text::Row,
    },
    platform::rwsem::{Guarded, Reader},
};
use accounts::Accounts;
use kernel::prelude::*;
use section::Section;

pub use holders::witness;
pub use reserved::Reserved;

/// All sections.
pub struct Sections {
    builtin: Section,
    callers: Section,
    modules: KVec<Option<Section>>,
    accounts: Accounts,
    /// How many sections there have been.
    sequence: u64,
    /// Moves on whenever rows of modules come or go.
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

/// The same for those who begin to read it: what is kept of modules that have gone is dropped first,
/// as far as its account is free.
///
/// Nobody is told when the last byte goes, for freeing takes no lock. So a row whose account is free
/// stays where it is until somebody comes here, and goes while the list is held for writing; the
/// content id moves with it.
pub fn begin_to_read() -> Reader<'static, Sections> {
    let sections = SECTIONS.read();
    if !sections.has_free() {
        return sections;
    }
    drop(sections);
    let mut sections = SECTIONS.write();
    sections.sweep();
    sections.downgrade()
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

impl Sections {
    const fn new() -> Self {
        Self {
            builtin: Section::empty(),
            callers: Section::callers(),
            modules: KVec::new(),
            accounts: Accounts::new(),
            // That of Rust's call sites, the first of all.
            sequence: Section::CALLERS_SEQUENCE,
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

    /// Moves on with every module that comes or goes, with every row of one that has gone, and with
    /// every row of Rust's call sites. While it stays the same, every row stays in its place.
    pub fn content(&self) -> u64 {
        self.content + callers::changes()
    }

    /// Whether there are rows that [`Sections::sweep()`] would drop.
    fn has_free(&self) -> bool {
        callers::has_free() || self.modules.iter().flatten().any(Section::has_free)
    }

    /// How many handles the dense rows have room for: those of built-in tags, of Rust's call sites and of spare accounts, and
    /// those that name none.
    pub fn handles(&self) -> usize {
        self.accounts.handles()
    }

    /// How many rows there are.
    pub fn count(&self) -> usize {
        (0..self.slots())
            .filter_map(|slot| self.section(slot))
            .map(Section::rows)
            .sum()
    }

    /// Moves the cursor to the next call site that there is, if it is at none. Gives its account with
    /// those that follow it; `None` at the end.
    fn settle(&self, cursor: &mut Cursor) -> Option<Run> {
        loop {
            let found = cursor.settle(|slot| {
                (slot < self.slots()).then(|| self.section(slot).map_or(Slot::EMPTY, Section::slot))
            });
            if !found {
                return None;
            }
            let (slot, index) = cursor.position();
            let section = self.section(slot)?;
            let accounts = section.accounts(index);
            if accounts.is_some() {
                return accounts;
            }
            cursor.advance_to(section.taken_from(index + 1));
        }
    }

    /// The source file of the call site at the cursor.
    fn file(&self, cursor: Cursor) -> Option<&[u8]> {
        let (slot, index) = cursor.position();
        self.section(slot)?.file(index)
    }

    /// The line of the call site at the cursor, and whether every allocation could be counted.
    fn marks(&self, cursor: Cursor) -> Option<(u32, bool)> {
        let (slot, index) = cursor.position();
        self.section(slot)?.marks(index)
    }

    /// What is to be shown of the call site that has an account.
    pub fn row_of(&self, account: Handle) -> Option<Row<'_>> {
        let mut sections = (0..self.slots()).filter_map(|slot| self.section(slot));
        sections.find_map(|section| section.row(section.find(account)?))
    }

    /// The number by which a reader of many records knows the call site that has an account.
    pub fn id_of(&self, account: Handle) -> Option<u64> {
        let mut sections = (0..self.slots()).filter_map(|slot| self.section(slot));
        sections.find_map(|section| {
            let index = section.find(account)?;
            section.row(index)?;
            Some(Cursor::id_of(section.slot().sequence, index))
        })
    }

    /// What is to be shown of the call site at the cursor.
    fn row(&self, cursor: Cursor) -> Option<Row<'_>> {
        let (slot, index) = cursor.position();
        self.section(slot)?.row(index)
    }
}

#[cfg(all(CONFIG_ALLOCTAG_KUNIT_TEST, CONFIG_ALLOCTAG_CALLS))]
#[kernel::macros::kunit_tests(alloctag_list_lock)]
mod tests {
    use super::*;

    #[test]
    fn who_cannot_read_the_list_leaves_it_to_who_writes() {
        let writer = SECTIONS.write();
        let (first, second) = (try_read().is_none(), try_read().is_none());
        drop(writer);
        assert!(first && second);
        assert!(try_read().is_some());
    }

    #[test]
    fn who_cannot_write_the_list_leaves_it_to_who_reads() {
        let reader = SECTIONS.read();
        let (first, second) = (
            SECTIONS.try_write().is_none(),
            SECTIONS.try_write().is_none(),
        );
        drop(reader);
        assert!(first && second);
        assert!(SECTIONS.try_write().is_some());
    }
}
