// SPDX-License-Identifier: GPL-2.0-only

//! Totals of some consecutive accounts, summed together so that every CPU's row of counters is read
//! as a stream.

use crate::{
    model::{handle::Run, totals::Totals},
    platform::counters,
};

/// The totals of up to `ROOM` accounts. All zeroes are the totals of none.
pub(super) struct Window<const ROOM: usize> {
    first: u32,
    length: usize,
    totals: [Totals; ROOM],
}

impl<const ROOM: usize> Window<ROOM> {
    /// The totals of no account.
    pub(super) fn new() -> Self {
        Self {
            first: 0,
            length: 0,
            totals: [Totals::default(); ROOM],
        }
    }

    /// Forgets all totals, because time has passed.
    pub(super) fn forget(&mut self) {
        self.length = 0;
    }

    /// The totals of the first of some accounts. Where they are not known, those that follow are
    /// summed with it: as many as there is room for, but no more than `most` in all.
    #[inline]
    pub(super) fn totals(&mut self, accounts: Run, most: usize) -> Totals {
        let first = accounts.first();
        if most == 1 {
            return counters::total(first);
        }
        let place = first.get().wrapping_sub(self.first) as usize;
        if let (true, Some(&totals)) = (place < self.length, self.totals.get(place)) {
            return totals;
        }
        self.first = first.get();
        self.length = accounts.length().min(ROOM).min(most);
        let summed = self.totals.get_mut(..self.length).unwrap_or_default();
        counters::sum(first, summed);
        summed.first().copied().unwrap_or_default()
    }
}
