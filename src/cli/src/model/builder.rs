// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Makes a profile out of what a source yields.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::hash_table::Entry;
use hashbrown::HashTable;

use super::magnitudes::Magnitudes;
use super::{Contexts, Meta, Name, Names, Pair, Profile, Refused, Row, Sample, Site, Timings, Unreadable};

/// Collects rows, adds up duplicates, counts what could not be read.
#[derive(Debug)]
pub struct Builder<'n> {
    names: &'n mut Names,
    rows: Vec<Row>,
    /// Where in `rows` each site is.
    places: HashTable<usize>,
    hasher: RandomState,
    magnitudes: Magnitudes,
    unreadable: Unreadable,
    /// The file and module of the row before: neighbours mostly share them.
    last: Option<(Name, Option<Name>)>,
}

impl<'n> Builder<'n> {
    /// An empty profile whose names go into `names`.
    pub fn new(names: &'n mut Names) -> Self {
        Builder {
            names,
            rows: Vec::new(),
            places: HashTable::new(),
            hasher: RandomState::default(),
            magnitudes: Magnitudes::default(),
            unreadable: Unreadable::default(),
            last: None,
        }
    }

    /// Makes room for `rows` more rows.
    pub fn reserve(&mut self, rows: usize) {
        self.rows.reserve(rows);
        self.places.reserve(rows, |&place| hash(&self.hasher, &self.rows[place].site));
    }

    /// Adds a row, or adds it to the row that has the same site.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the magnitudes would pass [`MAGNITUDE_LIMIT`]; nothing is added then.
    pub fn push(&mut self, sample: &Sample<'_>) -> Result<(), Refused> {
        self.magnitudes.admit(sample)?;
        let (file, module) = self.file_and_module(sample);
        let func = self.names.intern(sample.func);
        let site = Site { file, line: sample.line, func, module };
        let (rows, hasher) = (&self.rows, &self.hasher);
        let hash = |site: &Site| hash(hasher, site);
        match self.places.entry(hash(&site), |&place| same(&rows[place].site, &site), |&place| hash(&rows[place].site))
        {
            Entry::Occupied(place) => {
                merge(&mut self.rows[*place.get()], sample, self.names);
                return Ok(());
            }
            Entry::Vacant(place) => place.insert(self.rows.len()),
        };
        self.rows.push(Row {
            site,
            bytes: sample.bytes,
            calls: sample.calls,
            accurate: sample.accurate,
            clipped: sample.clipped,
            merged: sample.merged,
            numbers: sample.numbers.clone(),
            extra: sample.extra.iter().map(|&pair| intern_pair(self.names, pair)).collect(),
        });
        Ok(())
    }

    /// Counts a row that could not be read. `place` says where it is (`line 17`), `reason` what is wrong with it.
    pub fn unreadable(&mut self, place: impl FnOnce() -> String, reason: &str) {
        self.unreadable.count += 1;
        if self.unreadable.first.is_none() {
            self.unreadable.first = Some(format!("{}: {reason}", place()));
        }
    }

    /// Takes over what a saved profile says could not be read when it was made.
    pub fn inherit_unreadable(&mut self, earlier: Unreadable) {
        self.unreadable.count += earlier.count;
        if self.unreadable.first.is_none() {
            self.unreadable.first = earlier.first;
        }
    }

    /// How many rows could not be read so far, and the first of them.
    pub fn unread(&self) -> &Unreadable {
        &self.unreadable
    }

    /// Whether no row has been taken yet.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether a row taken so far may lack the beginning of a name.
    pub fn is_clipped(&self) -> bool {
        self.rows.iter().any(|row| row.clipped)
    }

    /// Forgets everything, to begin anew from another source.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.places.clear();
        self.magnitudes = Magnitudes::default();
        self.unreadable = Unreadable::default();
    }

    /// The finished profile.
    pub fn finish(mut self, meta: Meta) -> Profile {
        self.rows.shrink_to_fit();
        Profile {
            rows: self.rows,
            unreadable: self.unreadable,
            contexts: Contexts::default(),
            timings: Timings::default(),
            meta,
        }
    }

    fn file_and_module(&mut self, sample: &Sample<'_>) -> (Name, Option<Name>) {
        if let Some((file, module)) = &self.last {
            if file == sample.file && module.as_deref() == sample.module {
                return (file.clone(), module.clone());
            }
        }
        let file = self.names.intern(sample.file);
        let module = sample.module.map(|module| self.names.intern(module));
        self.last = Some((file.clone(), module.clone()));
        (file, module)
    }
}

/// A hash of a site by the addresses of its names, of which there is one copy each: cheaper than by the texts.
fn hash(hasher: &RandomState, site: &Site) -> u64 {
    let module = site.module.as_ref().map_or(0, Name::address);
    hasher.hash_one((site.file.address(), site.line, site.func.address(), module))
}

/// Whether two sites of one table of names are the same.
fn same(a: &Site, b: &Site) -> bool {
    let module = |site: &Site| site.module.as_ref().map(Name::address);
    a.line == b.line
        && a.func.address() == b.func.address()
        && a.file.address() == b.file.address()
        && module(a) == module(b)
}

fn merge(row: &mut Row, sample: &Sample<'_>, names: &mut Names) {
    // `push` has checked all sums.
    row.bytes += sample.bytes;
    row.calls += sample.calls;
    row.numbers.add(&sample.numbers);
    row.accurate &= sample.accurate;
    row.clipped |= sample.clipped;
    row.merged = row.merged.saturating_add(sample.merged);
    for &(key, value) in &sample.extra {
        // What a key unknown to us means, and so how to add it up, is the kernel's affair: keep each value once.
        if !row.extra.iter().any(|pair| pair.key == key && pair.value == value) {
            row.extra.push(intern_pair(names, (key, value)));
        }
    }
}

fn intern_pair(names: &mut Names, (key, value): (&str, &str)) -> Pair {
    Pair { key: names.intern(key), value: names.intern(value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Number, Numbers, MAGNITUDE_LIMIT};

    fn sample(line: u32, bytes: i64, calls: i64) -> Sample<'static> {
        let (file, func) = ("mm/a.c", "f");
        let (module, accurate, clipped, merged, numbers, extra) = (None, true, false, 1, Numbers::NONE, Vec::new());
        Sample { file, line, func, module, bytes, calls, accurate, clipped, merged, numbers, extra }
    }

    fn build(samples: &[Sample<'_>]) -> (Profile, Vec<Result<(), Refused>>) {
        let mut names = Names::new();
        let mut builder = Builder::new(&mut names);
        let verdicts = samples.iter().map(|sample| builder.push(sample)).collect();
        (builder.finish(Meta::default()), verdicts)
    }

    #[test]
    fn rows_of_one_site_are_added_up_and_counted() {
        let mut doubtful = sample(1, -50, 1);
        doubtful.accurate = false;
        doubtful.extra = vec![("node", "0"), ("node", "1")];
        let (profile, _) = build(&[sample(1, 100, 2), sample(2, 7, 1), doubtful.clone(), doubtful]);
        let [first, second] = profile.rows() else { panic!("{profile:?}") };
        assert_eq!((first.bytes, first.calls, first.merged, first.accurate), (0, 4, 3, false));
        assert_eq!(first.extra.len(), 2, "equal pairs are kept once");
        assert_eq!((second.bytes, second.merged), (7, 1));
    }

    #[test]
    fn numbers_are_added_up_and_no_row_is_refused_for_them() {
        let limit = i64::try_from(MAGNITUDE_LIMIT).unwrap();
        let with = |slack| Sample { numbers: Numbers::NONE.with(Number::Slack, slack), ..sample(1, 8, 1) };
        let (profile, verdicts) = build(&[with(5), with(-7), with(limit), with(i64::MAX)]);
        assert_eq!(verdicts, [Ok(()); 4]);
        let [row] = profile.rows() else { panic!("{profile:?}") };
        assert_eq!((row.numbers.get(Number::Slack), row.bytes), (Some(limit), 32));
        assert!(profile.counts(Number::Slack) && !profile.counts(Number::Failed));
    }

    #[test]
    fn modules_keep_sites_apart() {
        let modular = Sample { module: Some("m"), ..sample(1, 3, 1) };
        let (profile, _) = build(&[sample(1, 1, 1), modular, sample(1, 1, 1)]);
        assert_eq!(profile.rows().iter().map(|row| row.bytes).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn a_row_that_no_sum_could_hold_is_refused_and_changes_nothing() {
        let limit = i64::try_from(MAGNITUDE_LIMIT).unwrap();
        for (samples, expected) in [
            (vec![sample(1, limit, 0), sample(2, 1, 0), sample(3, 0, 1)], [Ok(()), Err(Refused), Ok(())]),
            (vec![sample(1, -limit, 0), sample(1, -1, 0), sample(3, 0, 1)], [Ok(()), Err(Refused), Ok(())]),
            (
                vec![sample(1, i64::MIN, 0), sample(1, 0, i64::MIN), sample(3, 5, limit)],
                [Err(Refused), Err(Refused), Ok(())],
            ),
        ] {
            let (profile, verdicts) = build(&samples);
            assert_eq!(verdicts, expected);
            assert!(profile.rows().iter().all(|row| row.bytes != 1 && row.bytes > i64::MIN));
        }
    }
}
