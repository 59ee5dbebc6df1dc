// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the readings of many profiles share.

use std::hash::BuildHasher;
use std::path::PathBuf;
use std::sync::Arc;

use foldhash::fast::RandomState;
use hashbrown::hash_table::Entry;
use hashbrown::HashTable;

use super::{Name, Row};

/// A table that keeps one copy of each name.
///
/// Hand the same table to the reading of many profiles (a recording's, say) and they share their names.
#[derive(Debug, Default)]
pub struct Names {
    seen: HashTable<Name>,
    hasher: RandomState,
    /// The snapshot on which the last one that was read rests: its neighbours mostly rest on it, too.
    pub(crate) base: Option<Rows>,
}

/// The rows of a saved profile.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// The file.
    pub(crate) path: PathBuf,
    /// What tells it from one of the same name.
    pub(crate) checksum: u32,
    /// Its rows.
    pub(crate) rows: Arc<[Row]>,
}

impl Names {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The one copy of `text`, made now if this is the first time that it is seen.
    pub fn intern(&mut self, text: &str) -> Name {
        let hash = |text: &str| self.hasher.hash_one(text);
        match self.seen.entry(hash(text), |name| name.as_str() == text, |name| hash(name.as_str())) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(place) => place.insert(Name::from(text)).get().clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_share_one_copy() {
        let mut names = Names::new();
        let (a, b) = (names.intern("mm/slub.c"), names.intern(&String::from("mm/slub.c")));
        assert_eq!(a.address(), b.address());
        assert_ne!(a.address(), names.intern("mm/slub.h").address());
    }

    #[test]
    fn names_of_different_tables_compare_by_their_text() {
        assert_eq!(Names::new().intern("a"), Names::new().intern("a"));
    }
}
