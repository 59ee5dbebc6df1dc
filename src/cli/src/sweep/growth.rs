// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What call sites hold more than before.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::{Profile, Site};

/// Whose memory is not looked at: the core keeps its for whoever looks, and the slab allocator its for objects, which are seen
/// themselves. What programs have mapped goes with them, and whoever is still there takes and gives as it likes.
const INNER: [&str; 5] = ["mm/alloctag/", "mm/slub.c", "mm/memory.c", "mm/huge_memory.c", "mm/khugepaged.c"];

/// So much more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct More {
    /// Bytes.
    pub bytes: i64,
    /// Objects, pages or areas.
    pub calls: i64,
}

/// What grew, by call site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Growth(BTreeMap<Site, More>);

impl Growth {
    /// What grew between two profiles, but for what is no caller's.
    pub fn between(before: &Profile, after: &Profile) -> Growth {
        let held: BTreeMap<&Site, More> =
            before.rows().iter().map(|row| (&row.site, More { bytes: row.bytes, calls: row.calls })).collect();
        let is_inner = |site: &Site| INNER.iter().any(|path| site.path().starts_with(path));
        let rows = after.rows().iter().filter(|row| row.backing().is_none() && !is_inner(&row.site));
        let grown = rows.filter_map(|row| {
            let was = held.get(&row.site).copied().unwrap_or(More { bytes: 0, calls: 0 });
            let more = More { bytes: row.bytes - was.bytes, calls: row.calls - was.calls };
            (more.bytes > 0 && more.calls > 0).then(|| (row.site.clone(), more))
        });
        Growth(grown.collect())
    }

    /// The larger one of each call site.
    pub fn at_most(&mut self, other: Growth) {
        for (site, more) in other.0 {
            let most = self.0.entry(site).or_insert(more);
            *most = More { bytes: most.bytes.max(more.bytes), calls: most.calls.max(more.calls) };
        }
    }

    /// What is more than what grows anyhow.
    #[must_use]
    pub fn beyond(mut self, ordinary: &Growth) -> Growth {
        self.0.retain(|site, more| ordinary.0.get(site).is_none_or(|usual| more.calls > usual.calls));
        self
    }

    /// What grew both times, by the smaller amount.
    #[must_use]
    pub fn both(mut self, other: &Growth) -> Growth {
        self.0.retain(|site, _| other.0.contains_key(site));
        for (site, more) in &mut self.0 {
            if let Some(again) = other.0.get(site) {
                *more = More { bytes: more.bytes.min(again.bytes), calls: more.calls.min(again.calls) };
            }
        }
        self
    }

    /// Whether nothing has.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The call sites, with how much, the largest first.
    pub fn into_largest(self) -> Vec<(Site, More)> {
        let mut grown: Vec<_> = self.0.into_iter().collect();
        grown.sort_by_key(|(_, more)| std::cmp::Reverse(more.bytes));
        grown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Builder, Meta, Names, Numbers, Sample};

    fn site(name: &str) -> Site {
        Site { file: "a.c".into(), line: 1, func: name.into(), module: None }
    }

    fn profile(held: &[(&str, i64, i64)]) -> Profile {
        let mut names = Names::new();
        let mut builder = Builder::new(&mut names);
        for &(name, bytes, calls) in held {
            let sample = Sample {
                file: "a.c",
                line: 1,
                func: name,
                module: None,
                bytes,
                calls,
                accurate: true,
                clipped: false,
                merged: 1,
                numbers: Numbers::NONE,
                extra: Vec::new(),
            };
            builder.push(&sample).unwrap();
        }
        builder.finish(Meta::default())
    }

    fn growth(grown: &[(&str, i64, i64)]) -> Growth {
        Growth(grown.iter().map(|&(name, bytes, calls)| (site(name), More { bytes, calls })).collect())
    }

    #[test]
    fn what_holds_more_has_grown() {
        let before = profile(&[("same", 64, 1), ("less", 64, 1), ("more", 64, 1)]);
        let after = profile(&[("same", 64, 1), ("less", 0, 0), ("more", 192, 2), ("new", 8, 1)]);
        assert_eq!(Growth::between(&before, &after), growth(&[("more", 128, 1), ("new", 8, 1)]));
    }

    #[test]
    fn what_grows_anyhow_is_no_leak() {
        let mut ordinary = growth(&[("a", 64, 1)]);
        ordinary.at_most(growth(&[("a", 128, 2), ("b", 8, 1)]));
        assert_eq!(ordinary, growth(&[("a", 128, 2), ("b", 8, 1)]));
        let grown = growth(&[("a", 128, 2), ("b", 16, 2), ("c", 8, 1)]);
        assert_eq!(grown.beyond(&ordinary), growth(&[("b", 16, 2), ("c", 8, 1)]));
    }

    #[test]
    fn a_cache_grows_once_and_a_leak_each_time() {
        let first = growth(&[("cache", 4096, 1), ("leak", 128, 2)]);
        let grown = first.both(&growth(&[("leak", 64, 1), ("other", 8, 1)]));
        assert_eq!(grown.into_largest(), [(site("leak"), More { bytes: 64, calls: 1 })]);
    }
}
