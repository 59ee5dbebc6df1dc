// SPDX-License-Identifier: GPL-2.0-only

//! Rust's call sites, where they are not told apart: none.

use super::wanted::Wanted;
use crate::{
    model::{handle::Handle, line::Calls, text::Row},
    platform::{module::Module, tag::Tag},
};
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
use kernel::sync::rcu;

/// How many accounts Rust's call sites have.
pub(super) const ACCOUNTS: usize = 0;

/// The number of changes that the list has seen.
pub(super) fn changes() -> u64 {
    0
}

/// How many rows there are.
pub(super) fn rows() -> usize {
    0
}

/// Gives the places their accounts.
pub(super) fn register(_first: Handle) {}

/// The place of an account, if it is a line's.
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
pub(super) fn place(_account: Handle) -> Option<usize> {
    None
}

/// What is to be shown of a place.
///
/// # Safety
///
/// None.
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
pub(super) unsafe fn row_at(_place: usize, _guard: &rcu::Guard) -> Option<Row<'_>> {
    None
}

/// The place of a tag that is in the table.
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
pub(super) fn place_of_tag(_tag: &Tag) -> Option<usize> {
    None
}

/// The source file of a line that is running.
///
/// # Safety
///
/// None.
#[cfg(CONFIG_ALLOCTAG_CALLS)]
pub unsafe fn file_of(_tag: &Tag) -> Option<&[u8]> {
    None
}

/// The tag that the row of an account shows.
pub(super) fn tag_of(_account: Handle) -> Option<&'static Tag> {
    None
}

/// The rows: none.
pub(super) struct Rows(());

impl Rows {
    /// For the list, once.
    pub(super) const fn new() -> Self {
        Self(())
    }

    /// The first place that is taken.
    pub(super) fn taken_from(&self, _place: usize) -> usize {
        ACCOUNTS
    }

    /// The account of a place.
    pub(super) fn account(&self, _place: usize) -> Option<Handle> {
        None
    }

    /// The place of an account.
    pub(super) fn find(&self, _account: Handle) -> Option<usize> {
        None
    }

    /// What is to be shown of a place.
    pub(super) fn row(&self, _place: usize) -> Option<Row<'_>> {
        None
    }
}

/// Says what is wanted of every line.
pub(super) fn choose(
    _wanted: &mut impl FnMut(&Row<'_>) -> Wanted,
    _mark: &mut impl FnMut(&Tag, Calls),
) {
}

/// The same for lines of which nobody has asked yet.
pub(super) fn choose_new(_wanted: impl FnMut(&Row<'_>) -> Wanted) {}

/// Whether an account is that of a line of a module.
pub(super) fn is_of(_module: &Module, _account: Handle) -> bool {
    false
}

/// What is wanted of lines that come.
pub fn begin_with(_wanted: Wanted) {}

/// Lets go of a module's locations.
pub(super) fn unload(_module: &Module) {}

/// Whether there are places that `retire()` would have nobody find.
pub(super) fn has_free() -> bool {
    false
}

/// Has nobody find places any more.
pub(super) fn retire() -> bool {
    false
}

/// Frees places.
pub(super) fn sweep() {}
