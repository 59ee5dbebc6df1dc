// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What became of contexts from one moment to another.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use super::contexts::{ContextGroup, ContextSelection};
use crate::model::{Context, Number};

/// A group of contexts that share their keys, at two moments.
#[derive(Clone, Debug)]
pub struct ContextChange<'c> {
    before: Option<&'c ContextGroup<'c>>,
    after: Option<&'c ContextGroup<'c>>,
    /// Whether counts began anew in between.
    anew: bool,
}

/// What became of each group, by the same keys: what grew comes first, by how much it did. With `anew`, counts began anew in
/// between.
pub fn changes<'c>(
    before: &'c ContextSelection<'c>,
    after: &'c ContextSelection<'c>,
    anew: bool,
) -> Vec<ContextChange<'c>> {
    let mut old: HashMap<&[Option<Cow<'c, str>>], &ContextGroup<'c>> =
        before.groups.iter().map(|group| (group.values.as_slice(), group)).collect();
    let now = after.groups.iter().map(|group| (old.remove(group.values.as_slice()), Some(group)));
    let now: Vec<_> = now.collect();
    let gone =
        before.groups.iter().filter(|group| old.contains_key(group.values.as_slice())).map(|group| (Some(group), None));
    let mut changes: Vec<_> =
        now.into_iter().chain(gone).map(|(before, after)| ContextChange { before, after, anew }).collect();
    changes.sort_by_key(|change| (Reverse(change.delta()), Reverse(change.allocs())));
    changes
}

impl<'c> ContextChange<'c> {
    /// A context of the group, for what all of it share.
    pub fn context(&self) -> &'c Context {
        // One of them is there.
        self.after.or(self.before).map(|group| group.first).expect("a change is of something")
    }

    /// The value of the key at that place among those that groups were made by.
    pub fn value(&self, place: usize) -> Option<Cow<'c, str>> {
        self.after.or(self.before)?.values.get(place)?.clone()
    }

    /// Live bytes at first.
    pub fn before(&self) -> i64 {
        self.before.map_or(0, |group| group.totals.bytes)
    }

    /// Live bytes at last.
    pub fn after(&self) -> i64 {
        self.after.map_or(0, |group| group.totals.bytes)
    }

    /// Bytes added. Row's invariant rules out overflow.
    pub fn delta(&self) -> i64 {
        self.after() - self.before()
    }

    /// Live allocations added.
    pub fn calls(&self) -> i64 {
        let calls = |group: Option<&ContextGroup<'_>>| group.map_or(0, |group| group.totals.calls);
        calls(self.after) - calls(self.before)
    }

    /// How often there was an allocation meanwhile; of what has begun anew, since then.
    pub fn allocs(&self) -> i64 {
        let allocs = |group: Option<&ContextGroup<'_>>| {
            group.and_then(|group| group.totals.numbers.get(Number::Allocs)).unwrap_or(0)
        };
        match (allocs(self.before), allocs(self.after)) {
            (before, after) if after >= before && !self.anew => after - before,
            (_, after) => after,
        }
    }
}
