// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Names that many rows share: of files, functions, modules.

use std::borrow::Borrow;
use std::fmt;
use std::hash::BuildHasher;
use std::ops::Deref;
use std::sync::Arc;

use foldhash::fast::RandomState;
use hashbrown::hash_table::Entry;
use hashbrown::HashTable;
use serde::{Deserialize, Serialize};

/// A shared, immutable string. Cloning it copies a pointer.
///
/// It reads, compares and hashes as the `str` that it holds, wherever it came from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Name(Arc<str>);

impl Name {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where the text lies: equal for two names if one [`Names`] made both from equal texts.
    pub(super) fn address(&self) -> usize {
        self.0.as_ptr().addr()
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name(text.into())
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        &*self.0 == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        &*self.0 == *other
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `pad`, so that widths in format strings work.
        f.pad(&self.0)
    }
}

/// A table that keeps one copy of each name.
///
/// Hand the same table to the reading of many profiles (a recording's, say) and they share their names.
#[derive(Debug, Default)]
pub struct Names {
    seen: HashTable<Name>,
    hasher: RandomState,
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
