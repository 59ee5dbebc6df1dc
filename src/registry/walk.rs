// SPDX-License-Identifier: GPL-2.0-only

//! A walk over the list of call sites.

use super::Sections;
use crate::model::{
    cursor::Cursor,
    handle::{Handle, Run},
    text::Row,
};

/// A reader's place in the list: at a call site, or before the first. All zeroes is before the first.
///
/// What it knows of the call site holds as long as the list is held; after that,
/// [`Walk::settle()`] finds out anew.
#[derive(Clone, Copy)]
pub struct Walk {
    cursor: Cursor,
    accounts: Run,
}

impl Walk {
    /// Before the first call site.
    pub const START: Self = Self::at(Cursor::START);

    /// Where that cursor is.
    pub const fn at(cursor: Cursor) -> Self {
        Self {
            cursor,
            accounts: Run::of(Handle::NONE, 0),
        }
    }

    /// The place, to come back to.
    pub fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// Goes to the next call site that there is, if it is at none; `false` at the end.
    pub fn settle(&mut self, sections: &Sections) -> bool {
        let accounts = sections.settle(&mut self.cursor);
        self.accounts = accounts.unwrap_or(Run::of(Handle::NONE, 0));
        accounts.is_some()
    }

    /// Goes on to the next call site; `false` at the end.
    #[inline]
    pub fn advance(&mut self, sections: &Sections) -> bool {
        self.leave();
        if let Some(accounts) = self.accounts.next() {
            self.accounts = accounts;
            return true;
        }
        self.settle(sections)
    }

    /// Leaves the call site, without looking for the next.
    pub fn leave(&mut self) {
        self.cursor.advance();
    }

    /// Leaves the call site and those that follow it without a gap, but no more than `most` in all.
    /// Returns how many.
    pub fn leave_run(&mut self, most: u64) -> u64 {
        let length = most.min(self.accounts.length() as u64);
        self.cursor.advance_by(length as usize);
        length
    }

    /// The source file of the call site, unless that has gone meanwhile; less work than all of it.
    pub fn file<'a>(&self, sections: &'a Sections) -> Option<&'a [u8]> {
        sections.file(self.cursor)
    }

    /// The line of the call site, and whether every allocation could be counted, unless it has gone meanwhile; less work than
    /// all of it.
    pub fn marks(&self, sections: &Sections) -> Option<(u32, bool)> {
        sections.marks(self.cursor)
    }

    /// What is to be shown of the call site, unless it has gone meanwhile.
    pub fn row<'a>(&self, sections: &'a Sections) -> Option<Row<'a>> {
        sections.row(self.cursor)
    }

    /// The call site's account, with those of the call sites that follow it without a gap.
    pub fn accounts(&self) -> Run {
        self.accounts
    }

    /// The call site's account.
    pub fn account(&self) -> Handle {
        self.accounts.first()
    }
}
