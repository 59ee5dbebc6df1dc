// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The histories of all sites over a series of profiles, cut where numbers before and after cannot be compared.
//!
//! All sites are cut where the machine rebooted and where profiling was off. The sites of a module are cut where it was
//! reloaded. That is not told by the kernel, only that the list of modules changed ([`Meta::content_id`]): the module is
//! taken for reloaded if what it holds fell at the same time, for its counters began anew. If nothing fell, comparing can
//! only understate growth. A site that is gone for a time is cut there.

use std::collections::HashMap;

use super::Point;
use crate::model::{Meta, Name, Profile, Site};

/// A stretch of a site's history without a cut.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// Live bytes at times in seconds.
    pub bytes: Vec<Point>,
    /// Live allocations at the same times.
    pub calls: Vec<Point>,
}

/// What became of the profiles handed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Taken.
    pub taken: usize,
    /// Left out, as modules came or went while they were read.
    pub torn: usize,
    /// Left out, as profiling was off.
    pub off: usize,
    /// Left out, as they are not later than the one before.
    pub disordered: usize,
    /// Reboots between them.
    pub reboots: usize,
    /// Reloads of modules.
    pub reloads: usize,
}

/// The histories of all sites.
#[derive(Debug, Default)]
pub struct History {
    sites: HashMap<Site, Log>,
    last: Option<Last>,
    /// Grows at every cut that concerns all sites.
    era: usize,
    tally: Tally,
    spacing: Option<f64>,
}

/// What is known about the profile before.
#[derive(Debug)]
struct Last {
    meta: Meta,
    time: f64,
    modules: HashMap<Name, (i64, i64)>,
}

/// A site's tracks: the longest finished one, and the current one.
#[derive(Debug, Default)]
struct Log {
    best: Track,
    current: Track,
    era: usize,
    /// The number of the profile that last had it.
    seen: usize,
}

impl Log {
    fn cut(&mut self) {
        let current = std::mem::take(&mut self.current);
        // Of equals the later one counts.
        if current.bytes.len() >= self.best.bytes.len() {
            self.best = current;
        }
    }
}

impl History {
    /// An empty history. Profiles that do not say when they were read are taken to be `spacing` seconds apart.
    pub fn new(spacing: Option<f64>) -> History {
        History { spacing, ..History::default() }
    }

    /// Adds the next profile, which has that place in the series: those that are left out have one, too.
    ///
    /// # Errors
    ///
    /// If the profile does not say when it was read and no spacing was given.
    pub fn push(&mut self, profile: &Profile, place: usize) -> Result<(), Timeless> {
        let meta = &profile.meta;
        if meta.torn {
            self.tally.torn += 1;
            return Ok(());
        }
        if meta.profiling.enabled == Some(false) {
            self.tally.off += 1;
            self.era += 1;
            return Ok(());
        }
        let time = self.time(meta, place).ok_or(Timeless)?;
        if let Some(last) = &self.last {
            if rebooted(&last.meta, meta) {
                self.tally.reboots += 1;
                self.era += 1;
            } else if time <= last.time {
                self.tally.disordered += 1;
                return Ok(());
            }
        }
        let modules = modules(profile);
        let reloaded = self.reloaded(meta, &modules);
        self.tally.reloads += reloaded.len();
        self.tally.taken += 1;
        for row in profile.rows().iter().filter(|row| row.backing().is_none()) {
            let log = match self.sites.get_mut(&row.site) {
                Some(log) => log,
                None => self.sites.entry(row.site.clone()).or_default(),
            };
            let gone = log.seen + 1 != self.tally.taken;
            if log.era != self.era || gone || row.site.module.as_ref().is_some_and(|module| reloaded.contains(module)) {
                log.cut();
            }
            (log.era, log.seen) = (self.era, self.tally.taken);
            // CAST: beyond 2^53 bytes the last bits are lost, which no slope feels.
            log.current.bytes.push((time, row.bytes as f64));
            log.current.calls.push((time, row.calls as f64));
        }
        self.last = Some(Last { meta: meta.clone(), time, modules });
        Ok(())
    }

    /// What became of the profiles.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The circumstances of the last profile taken.
    pub fn last(&self) -> Option<&Meta> {
        self.last.as_ref().map(|last| &last.meta)
    }

    /// The longest track of each site, by the order of the sites.
    pub fn finish(self) -> (Vec<Site>, Vec<Track>) {
        let mut sites: Vec<(Site, Log)> = self.sites.into_iter().collect();
        sites.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let longest = |mut log: Log| {
            log.cut();
            log.best
        };
        sites.into_iter().map(|(site, log)| (site, longest(log))).unzip()
    }

    /// Seconds, on a clock that does not jump if there is one.
    fn time(&self, meta: &Meta, place: usize) -> Option<f64> {
        // CAST: milliseconds of centuries fit; places of profiles too.
        let told = meta.uptime_ms.or(meta.time_ms).map(|ms| ms as f64 / 1000.0);
        told.or_else(|| Some(self.spacing? * place as f64))
    }

    /// The modules that were reloaded since the profile before.
    fn reloaded(&self, meta: &Meta, modules: &HashMap<Name, (i64, i64)>) -> Vec<Name> {
        let Some(last) = &self.last else { return Vec::new() };
        if last.meta.content_id.is_some() && last.meta.content_id == meta.content_id {
            return Vec::new();
        }
        // Without an id (Linux before 7.3) only a module that came back empty can be told from one that freed something.
        let known = last.meta.content_id.is_some() && meta.content_id.is_some();
        let fell = |(module, now): (&Name, &(i64, i64))| {
            let before = last.modules.get(module)?;
            let anew = if known { now.0 < before.0 || now.1 < before.1 } else { before.1 > 0 && *now == (0, 0) };
            anew.then(|| module.clone())
        };
        modules.iter().filter_map(fell).collect()
    }
}

/// A profile that does not say when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeless;

fn rebooted(before: &Meta, now: &Meta) -> bool {
    let boots = (&before.boot_id, &now.boot_id);
    if let (Some(a), Some(b)) = boots {
        return a != b;
    }
    matches!((before.uptime_ms, now.uptime_ms), (Some(a), Some(b)) if b < a)
}

/// What each module holds: bytes and allocations.
fn modules(profile: &Profile) -> HashMap<Name, (i64, i64)> {
    let mut modules = HashMap::new();
    for row in profile.rows() {
        if let Some(module) = &row.site.module {
            let sum: &mut (i64, i64) = modules.entry(module.clone()).or_default();
            sum.0 += row.bytes;
            sum.1 += row.calls;
        }
    }
    modules
}

#[cfg(test)]
#[path = "history/tests.rs"]
mod tests;
