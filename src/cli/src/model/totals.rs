// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Sums over rows.

use serde::Serialize;

use super::{Backing, Numbers, Row};

/// The sum of some rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Live bytes.
    pub bytes: i64,
    /// Live allocations.
    pub calls: i64,
    /// How many sites.
    pub sites: usize,
    /// How many of them the kernel calls inaccurate.
    pub inaccurate: usize,
    /// What the kernel counts besides, as far as it does for all of them.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// How many of them showed a negative size or count.
    pub negative: usize,
}

impl Totals {
    /// Adds one row.
    pub fn add(&mut self, row: &Row) {
        // Row's invariant rules out overflow.
        self.bytes += row.bytes;
        self.calls += row.calls;
        match self.sites {
            0 => self.numbers = row.numbers.clone(),
            _ => self.numbers.add(&row.numbers),
        }
        self.sites += 1;
        self.inaccurate += usize::from(!row.accurate);
        self.negative += usize::from(row.bytes < 0 || row.calls < 0);
    }

    /// Adds what other rows come to.
    fn join(&mut self, other: &Totals) {
        if self.sites == 0 {
            *self = other.clone();
        } else if other.sites > 0 {
            self.bytes += other.bytes;
            self.calls += other.calls;
            self.sites += other.sites;
            self.inaccurate += other.inaccurate;
            self.numbers.add(&other.numbers);
            self.negative += other.negative;
        }
    }
}

/// The sum of a profile, with the backing store of other rows kept apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whole {
    /// Ordinary rows: nothing in here is counted twice.
    pub sites: Totals,
    /// Pages of the slab allocator.
    pub slab: Totals,
    /// Pages of the per-CPU allocator.
    pub percpu: Totals,
}

impl Whole {
    /// Adds up `rows`.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Self {
        let mut whole = Self::default();
        for row in rows {
            match row.backing() {
                None => whole.sites.add(row),
                Some(Backing::Slab) => whole.slab.add(row),
                Some(Backing::Percpu) => whole.percpu.add(row),
            }
        }
        whole
    }

    /// The sum of ordinary rows, and with `backing` of the others too.
    pub fn total(&self, backing: bool) -> Totals {
        let mut total = self.sites.clone();
        if backing {
            Backing::ALL.into_iter().for_each(|kind| total.join(self.backing(kind)));
        }
        total
    }

    /// The backing store of one kind.
    pub fn backing(&self, kind: Backing) -> &Totals {
        match kind {
            Backing::Slab => &self.slab,
            Backing::Percpu => &self.percpu,
        }
    }
}
