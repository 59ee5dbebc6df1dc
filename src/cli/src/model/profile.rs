// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A memory allocation profile.

use super::{Contexts, Meta, Number, Row, Timings, Unreadable, Whole};

/// All call sites at one moment. Made by [`Builder`](super::Builder).
///
/// # Invariants
///
/// No two rows have the same site, and the rows obey [`Row`]'s invariant.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    pub(super) rows: Vec<Row>,
    pub(super) unreadable: Unreadable,
    /// What call sites have by where it comes from and for whom; none unless some are chosen and that was asked for.
    pub contexts: Contexts,
    /// How long allocations took and lived; nothing unless that was asked for.
    pub timings: Timings,
    /// When, where and how it was read.
    pub meta: Meta,
}

impl Profile {
    /// Contexts alone, of whose call sites nothing else is known.
    pub fn of_contexts(contexts: Contexts, meta: Meta) -> Profile {
        Profile { rows: Vec::new(), unreadable: Unreadable::default(), contexts, timings: Timings::default(), meta }
    }

    /// How long allocations took and lived alone.
    pub fn of_timings(timings: Timings, meta: Meta) -> Profile {
        Profile { timings, ..Profile::of_contexts(Contexts::default(), meta) }
    }

    /// One row per site, in the source's order.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Removes the rows that `keep` does not want.
    pub fn retain(&mut self, keep: impl FnMut(&Row) -> bool) {
        self.rows.retain(keep);
    }

    /// What could not be read.
    pub fn unreadable(&self) -> &Unreadable {
        &self.unreadable
    }

    /// Whether its kernel counts `number`.
    pub fn counts(&self, number: Number) -> bool {
        self.rows.iter().any(|row| row.numbers.get(number).is_some())
    }

    /// Forgets what is known of `number`.
    pub fn forget(&mut self, number: Number) {
        self.rows.iter_mut().filter(|row| !row.numbers.is_empty()).for_each(|row| row.numbers.forget(number));
    }

    /// The sums, with the backing store of other rows apart.
    pub fn totals(&self) -> Whole {
        Whole::of(&self.rows)
    }
}
