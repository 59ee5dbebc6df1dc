// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Profiles side by side: for each call site, what it held in each of them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::Hash;

use foldhash::fast::RandomState;

use super::course::Course;
use crate::compare::{pairs, Confidence};
use crate::model::{Name, Number, Row, Site, Together, TABLE};
use crate::subsystem::Subsystems;

/// A call site, or several of a file or directory.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub(super) site: Site,
    pub(super) accurate: bool,
    /// How many sites were folded into this one; 0 for a site that stands for itself.
    pub(super) folded: usize,
    pub(super) bytes: Course,
    pub(super) calls: Course,
    /// Those of what only some kernels count, in the order of [`Number::all`]; none before anything is known.
    counted: Vec<Course>,
    /// The most that it held, in any profile.
    most: Most,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Most {
    bytes: u64,
    calls: u64,
}

impl Track {
    /// The course of what only some kernels count.
    pub(super) fn counted(&self, number: Number) -> Option<&Course> {
        Number::all().zip(&self.counted).find(|(known, _)| *known == number).map(|found| found.1)
    }

    /// What the courses take: see [`Course::size`].
    fn size(&self) -> usize {
        [&self.bytes, &self.calls].into_iter().chain(&self.counted).map(Course::size).sum()
    }
}

/// Profiles side by side.
#[derive(Debug, Default)]
pub struct Series {
    pub(super) tracks: Vec<Track>,
    /// How many profiles there are.
    frames: usize,
    /// What all kernels so far count besides; `None` before the first.
    counted: Option<Vec<Number>>,
    /// What each site is to be found by: its row in the latest profile that had it.
    latest: Vec<Row>,
    /// The track of every site that any profile had.
    places: HashMap<Site, usize, RandomState>,
    exact: bool,
    /// How many matches were between sites that do not look the same.
    moved: usize,
}

impl Series {
    /// No profile yet. With `exact`, sites whose line has moved are taken for others.
    pub fn new(exact: bool) -> Series {
        Series { exact, ..Series::default() }
    }

    /// Adds the rows of the next profile. They are matched with what is known of earlier ones, as
    /// [`compare`](crate::compare) does. A site is called what the latest profile calls it.
    pub fn push(&mut self, rows: &[&Row]) {
        // The page adds up what it groups: a most is no sum.
        let adds = |number: &Number| number.about().together == Together::Sum;
        let known = |number: &Number| adds(number) && rows.iter().any(|row| row.numbers.get(*number).is_some());
        let counted = self.counted.take().unwrap_or_else(|| Number::all().collect());
        self.counted = Some(counted.into_iter().filter(known).collect());
        let places = self.find(rows);
        for (&row, place) in rows.iter().zip(places) {
            let place = place.unwrap_or_else(|| self.begin(row));
            let track = &mut self.tracks[place];
            if track.site != row.site {
                track.site = row.site.clone();
                self.latest[place] = row.clone();
                self.places.insert(row.site.clone(), place);
            }
            track.bytes.set(self.frames, row.bytes);
            track.calls.set(self.frames, row.calls);
            if !row.numbers.is_empty() {
                track.counted.resize_with(TABLE.len(), Course::default);
                for (course, number) in track.counted.iter_mut().zip(Number::all()) {
                    course.set(self.frames, row.numbers.get(number).unwrap_or(0));
                }
            }
            track.most.bytes = track.most.bytes.max(row.bytes.unsigned_abs());
            track.most.calls = track.most.calls.max(row.calls.unsigned_abs());
            track.accurate &= row.accurate;
        }
        self.frames += 1;
    }

    /// The track of each row, if it is a known site.
    fn find(&mut self, rows: &[&Row]) -> Vec<Option<usize>> {
        let known =
            |row: &Row| self.places.get(&row.site).copied().filter(|&place| self.tracks[place].site == row.site);
        let places: Vec<Option<usize>> = rows.iter().map(|row| known(row)).collect();
        if places.iter().all(Option::is_some) {
            // What `pairs` would say, in a fraction of the time.
            return places;
        }
        let mut places = vec![None; rows.len()];
        let latest: Vec<&Row> = self.latest.iter().collect();
        for pair in pairs(&latest, rows) {
            let moved = pair.confidence != Confidence::Exact;
            if moved && self.exact {
                continue;
            }
            self.moved += usize::from(moved);
            places[pair.after] = Some(pair.before);
        }
        places
    }

    /// Begins the track of a site that is not known; returns its place.
    fn begin(&mut self, row: &Row) -> usize {
        let (bytes, calls, counted, most) = (Course::default(), Course::default(), Vec::new(), Most::default());
        let site = row.site.clone();
        self.places.insert(site.clone(), self.tracks.len());
        self.tracks.push(Track { site, accurate: true, folded: 0, bytes, calls, counted, most });
        self.latest.push(row.clone());
        self.latest.len() - 1
    }

    /// Puts `first` in front and then the largest, as small ones are folded from the end. Sites that never held anything are left
    /// out. Returns where in the series each of `first` is.
    pub fn finish<'s>(&mut self, first: impl IntoIterator<Item = &'s Site>) -> Vec<Option<usize>> {
        self.latest = Vec::new();
        let counted = self.counted();
        for track in &mut self.tracks {
            // What was not counted all the time is not told.
            let told = Number::all().zip(&mut track.counted).filter(|(number, _)| !counted.contains(number));
            told.for_each(|(_, course)| *course = Course::default());
        }
        let places = std::mem::take(&mut self.places);
        let first: Vec<Option<usize>> = first.into_iter().map(|site| places.get(site).copied()).collect();
        let mut ranks = vec![usize::MAX; self.tracks.len()];
        for (rank, &place) in first.iter().enumerate() {
            if let Some(place) = place {
                ranks[place] = ranks[place].min(rank);
            }
        }
        let mut tracks: Vec<(usize, usize, Track)> = std::mem::take(&mut self.tracks)
            .into_iter()
            .enumerate()
            .map(|(place, track)| (ranks[place], place, track))
            .collect();
        tracks.retain(|(rank, _, track)| *rank != usize::MAX || track.most != Most::default());
        tracks.sort_by(|(a, _, x), (b, _, y)| {
            a.cmp(b).then(y.most.bytes.cmp(&x.most.bytes)).then_with(|| x.site.cmp(&y.site))
        });
        let mut now = vec![None; ranks.len()];
        tracks.iter().enumerate().for_each(|(number, (_, place, _))| now[*place] = Some(number));
        self.tracks = tracks.into_iter().map(|(.., track)| track).collect();
        first.into_iter().map(|place| now[place?]).collect()
    }

    /// How often a site was found again at another line or in another file.
    pub fn moved(&self) -> usize {
        self.moved
    }

    /// How many sites there are.
    pub fn len(&self) -> usize {
        self.tracks.len()
    }

    /// Whether no site ever held anything.
    pub fn is_empty(&self) -> bool {
        self.tracks.is_empty()
    }

    /// What the kernels of all profiles count besides.
    pub fn counted(&self) -> Vec<Number> {
        self.counted.clone().unwrap_or_default()
    }

    /// How many profiles there are.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// The bytes of each profile.
    pub fn sums(&self) -> Vec<i64> {
        let mut sums = vec![0; self.frames];
        self.tracks.iter().for_each(|track| track.bytes.add_to(&mut sums));
        sums
    }

    /// How many of the first sites have courses of no more than `bytes` together.
    pub(super) fn within(&self, bytes: usize) -> usize {
        let mut sum = 0;
        let fits = |track: &&Track| {
            sum += track.size();
            sum <= bytes
        };
        self.tracks.iter().take_while(fits).count()
    }

    /// Keeps the first `keep` sites; of the others, those of a file and module become one, or if that leaves more than
    /// `most`, those of a directory.
    pub(super) fn fold(&self, keep: usize, most: usize, subsystems: &Subsystems) -> Vec<Cow<'_, Track>> {
        let (kept, small) = self.tracks.split_at(keep.min(self.tracks.len()));
        let mut groups = grouped(small, |track| (track.site.path(), track.site.module.as_deref()));
        let wide = groups.len() > most;
        if wide {
            // What is told of subsystems stays true.
            let place = |site: &'_ Site| (site.dir().to_owned(), subsystems.of(site).to_owned());
            groups = grouped(small, |track| (place(&track.site), track.site.module.as_deref()));
        }
        let mut folded: Vec<Cow<'_, Track>> = groups.iter().map(|tracks| self.join(tracks, wide)).collect();
        folded.sort_by(|a, b| a.site.cmp(&b.site));
        kept.iter().map(Cow::Borrowed).chain(folded).collect()
    }

    /// Several tracks as one. A single one stays what it is.
    fn join<'t>(&self, tracks: &[&'t Track], wide: bool) -> Cow<'t, Track> {
        let &[first, _, ..] = tracks else { return Cow::Borrowed(tracks[0]) };
        let sum = |course: &dyn Fn(&'t Track) -> Option<&'t Course>| {
            let mut sums = vec![0; self.frames];
            // Row's invariant rules out overflow.
            tracks.iter().filter_map(|track| course(track)).for_each(|course| course.add_to(&mut sums));
            Course::of(&sums)
        };
        let file = if wide { Name::from(first.site.dir()) } else { first.site.file.clone() };
        let func = Name::from(format!("other ({})", tracks.len()).as_str());
        Cow::Owned(Track {
            site: Site { file, line: 0, func, module: first.site.module.clone() },
            accurate: tracks.iter().all(|track| track.accurate),
            folded: tracks.len(),
            bytes: sum(&|track| Some(&track.bytes)),
            calls: sum(&|track| Some(&track.calls)),
            counted: Number::all().map(|number| sum(&|track| track.counted(number))).collect(),
            most: Most::default(),
        })
    }
}

/// Tracks that have the same key, together.
fn grouped<'t, K: Eq + Hash>(tracks: &'t [Track], key: impl Fn(&'t Track) -> K) -> Vec<Vec<&'t Track>> {
    let mut groups: HashMap<K, Vec<&Track>> = HashMap::new();
    for track in tracks {
        groups.entry(key(track)).or_default().push(track);
    }
    groups.into_values().collect()
}

#[cfg(test)]
#[path = "series/tests.rs"]
mod tests;
