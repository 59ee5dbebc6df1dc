// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the sites held at earlier moments.

use std::collections::{HashMap, VecDeque};

use foldhash::fast::RandomState;

use crate::model::{per_second, Numbers, Profile, Row, Site};

/// Readings kept: at the default interval of two seconds, eight minutes. For the 15,000 sites of a distribution's kernel they
/// take 240 × 15,000 × 8 bytes = 29 MB.
const KEPT: usize = 240;

/// The bytes of every site over time.
///
/// A site's *track* is its number here. A site that is absent from a reading held 0 bytes then.
#[derive(Debug, Default)]
pub struct History {
    tracks: HashMap<Site, usize, RandomState>,
    /// The latest row of every track.
    rows: Vec<Row>,
    moments: VecDeque<Moment>,
    /// Whether there is a first one.
    begun: bool,
    first: Moment,
    baseline: Moment,
    /// What only some kernels count, by track, at the latest reading; none of a track that was not there.
    counted: Vec<Option<Numbers>>,
    /// What was added to that since the reading before.
    added: Vec<Option<Numbers>>,
}

/// One reading.
#[derive(Clone, Debug, Default)]
struct Moment {
    /// Milliseconds since boot.
    time_ms: u64,
    /// What must not change between two moments if their difference is to be a rate.
    era: (Option<u64>, Option<bool>, Option<String>),
    /// By track.
    bytes: Vec<i64>,
}

/// A reading, with the tracks of its rows.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The reading.
    pub profile: Profile,
    /// Sites that were there earlier and are no more, holding nothing.
    pub gone: Vec<Row>,
    tracks: Vec<usize>,
}

impl Sample {
    /// The rows of the reading, then those that are gone; each with its track and whether it is still there.
    pub fn rows(&self) -> impl Iterator<Item = (&Row, usize, bool)> {
        let present = self.profile.rows().iter().map(|row| (row, true));
        let all = present.chain(self.gone.iter().map(|row| (row, false)));
        all.zip(&self.tracks).map(|((row, present), &track)| (row, track, present))
    }
}

impl Moment {
    fn sum(&self, tracks: &[usize]) -> i64 {
        // A track that is younger than this moment held nothing.
        tracks.iter().map(|&track| self.bytes.get(track).copied().unwrap_or(0)).sum()
    }
}

impl History {
    /// Takes a reading in. The first one becomes the baseline.
    pub fn record(&mut self, profile: Profile) -> Sample {
        let mut tracks = Vec::with_capacity(profile.rows().len());
        let mut present = vec![false; self.rows.len()];
        for row in profile.rows() {
            let track = match self.tracks.get(&row.site) {
                Some(&track) => track,
                None => {
                    self.tracks.insert(row.site.clone(), self.rows.len());
                    self.rows.push(row.clone());
                    present.push(true);
                    self.rows.len() - 1
                }
            };
            present[track] = true;
            tracks.push(track);
        }
        let mut bytes = vec![0; self.rows.len()];
        for (row, &track) in profile.rows().iter().zip(&tracks) {
            bytes[track] = row.bytes;
        }
        let mut counted = vec![None; self.rows.len()];
        for (row, &track) in profile.rows().iter().zip(&tracks) {
            counted[track] = Some(row.numbers.clone());
        }
        let before = std::mem::take(&mut self.counted);
        // Of another boot no pace is told at all.
        let added =
            |(now, before): (&Option<Numbers>, &Option<Numbers>)| Some(now.as_ref()?.since(before.as_ref()?, false));
        self.added = counted.iter().zip(&before).map(added).collect();
        self.counted = counted;
        let mut gone = Vec::new();
        for (track, _) in present.iter().enumerate().filter(|(_, present)| !**present) {
            gone.push(Row { bytes: 0, calls: 0, numbers: Numbers::NONE, ..self.rows[track].clone() });
            tracks.push(track);
        }
        let meta = &profile.meta;
        let era = (meta.content_id, meta.profiling.enabled, meta.boot_id.clone());
        let moment = Moment { time_ms: meta.uptime_ms.or(meta.time_ms).unwrap_or_default(), era, bytes };
        if !self.begun {
            self.begun = true;
            (self.first, self.baseline) = (moment.clone(), moment.clone());
        } else if self.moments.len() == KEPT {
            self.moments.pop_front();
        }
        self.moments.push_back(moment);
        Sample { profile, gone, tracks }
    }

    /// The call site of a track.
    pub fn site(&self, track: usize) -> &Site {
        &self.rows[track].site
    }

    /// Forgets the latest readings, so that the next one may be an earlier one. The baseline stays.
    pub fn rewind(&mut self, readings: usize) {
        self.moments.truncate(self.moments.len().saturating_sub(readings));
        // Of that moment only the bytes are kept.
        (self.counted, self.added) = (Vec::new(), Vec::new());
    }

    /// Makes the latest reading the baseline.
    pub fn mark(&mut self) {
        if let Some(latest) = self.moments.back() {
            self.baseline = latest.clone();
        }
    }

    /// Makes the first reading the baseline again.
    pub fn unmark(&mut self) {
        self.baseline = self.first.clone();
    }

    /// Milliseconds from the baseline to the latest reading, or back.
    pub fn age_ms(&self) -> u64 {
        self.moments.back().map_or(0, |latest| latest.time_ms.abs_diff(self.baseline.time_ms))
    }

    /// Whether there is only one reading, so that nothing can have changed.
    pub fn is_young(&self) -> bool {
        self.moments.len() < 2
    }

    /// Whether call sites came or went, counting was turned on or off, or the machine was booted, between the last two readings.
    pub fn is_cut(&self) -> bool {
        self.last_two().is_some_and(|(before, latest)| before.era != latest.era)
    }

    /// What the tracks hold more than at the baseline, in bytes; `None` while there is only one reading, and that is the baseline.
    pub fn delta(&self, tracks: &[usize]) -> Option<i64> {
        let latest = self.moments.back()?;
        if self.is_young() && latest.time_ms == self.baseline.time_ms {
            return None;
        }
        Some(latest.sum(tracks) - self.baseline.sum(tracks))
    }

    /// By how much what only some kernels count has grown in a second between the last two readings, as far as these could be
    /// compared.
    pub fn pace(&self, tracks: &[usize]) -> Numbers {
        let Some(ms) = self.last_two().and_then(|(before, latest)| latest.time_ms.checked_sub(before.time_ms)) else {
            return Numbers::NONE;
        };
        if self.is_cut() {
            return Numbers::NONE;
        }
        let mut added = tracks.iter().filter_map(|&track| self.added.get(track)?.as_ref());
        let Some(mut sum) = added.next().cloned() else { return Numbers::NONE };
        added.for_each(|numbers| sum.add(numbers));
        sum.known().filter_map(|(number, added)| Some((number, per_second(added, ms)?))).collect()
    }

    /// Net bytes a second between the last two readings; `None` if there are none that could be compared.
    pub fn rate(&self, tracks: &[usize]) -> Option<i64> {
        let (before, latest) = self.last_two()?;
        let ms = latest.time_ms.checked_sub(before.time_ms).filter(|&ms| ms > 0)?;
        if self.is_cut() {
            return None;
        }
        let change = i128::from(latest.sum(tracks) - before.sum(tracks));
        i64::try_from(change * 1000 / i128::from(ms)).ok()
    }

    /// What the tracks held at each of the last `count` readings: bytes, oldest first.
    pub fn series(&self, tracks: &[usize], count: usize) -> Vec<i64> {
        let skipped = self.moments.len().saturating_sub(count);
        self.moments.iter().skip(skipped).map(|moment| moment.sum(tracks)).collect()
    }

    /// Milliseconds that the last `count` readings span.
    pub fn span_ms(&self, count: usize) -> u64 {
        let first = self.moments.len().saturating_sub(count);
        match (self.moments.get(first), self.moments.back()) {
            (Some(first), Some(last)) => last.time_ms.saturating_sub(first.time_ms),
            _ => 0,
        }
    }

    fn last_two(&self) -> Option<(&Moment, &Moment)> {
        let last = self.moments.len().checked_sub(1)?;
        Some((self.moments.get(last.checked_sub(1)?)?, self.moments.get(last)?))
    }
}

#[cfg(test)]
#[path = "history/tests.rs"]
mod tests;
