// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is said about one profile of a report.

use serde::Serialize;

use crate::model::{Backing, Profile, Row, Whole};
use crate::render::units::count;
use crate::render::Units;
use crate::time::{duration, Clock};

/// What is said about a profile.
#[derive(Clone, Debug, Serialize)]
pub struct Frame {
    /// Its name among the others: when it was read, or where from.
    pub label: String,
    /// When it was read: milliseconds since 1970.
    pub time: Option<u64>,
    /// Its place among all profiles, those too that are not looked at.
    #[serde(skip)]
    pub place: usize,
    /// In which boot it was read.
    #[serde(skip)]
    pub boot: Option<String>,
    /// Where and when it was read.
    pub about: String,
    /// How many of its sites hold something.
    pub sites: usize,
    /// What the reader should know before trusting the sums.
    pub notes: String,
}

impl Frame {
    /// What to say about `profile`, which has that place among all, and of which `rows` are shown. Moments are by `clock`.
    pub fn of(profile: &Profile, place: usize, rows: &[&Row], units: Units, clock: &Clock) -> Frame {
        let meta = &profile.meta;
        let mut about = Vec::new();
        if let Some(uname) = &meta.uname {
            about.push(format!("{}, Linux {} {}", uname.node, uname.release, uname.machine));
        }
        about.extend(meta.time_ms.map(|time| clock.date(time)));
        about.extend(meta.uptime_ms.map(|uptime| format!("up {}", duration(uptime))));
        if about.is_empty() {
            about.push(meta.origin.to_string());
        }
        let label = meta.time_ms.map_or_else(|| meta.origin.to_string(), |time| clock.date(time));
        let sites = rows.iter().filter(|row| row.bytes != 0 || row.calls != 0).count();
        let (about, notes) = (about.join(" · "), notes(profile, rows, units));
        Frame { label, time: meta.time_ms, place, boot: meta.boot_id.clone(), about, sites, notes }
    }
}

fn notes(profile: &Profile, rows: &[&Row], units: Units) -> String {
    let (whole, shown) = (profile.totals(), Whole::of(rows.iter().copied()));
    let mut notes = Vec::new();
    for kind in Backing::ALL {
        let (there, here) = (whole.backing(kind), shown.backing(kind));
        if there.bytes != 0 && here.sites == 0 {
            let (bytes, holds) = (units.format(there.bytes), kind.holds());
            notes.push(format!("Not in the total: {bytes} of pages for {holds}, which have rows of their own."));
        }
    }
    if shown.sites.sites < whole.sites.sites {
        notes.push(format!("Shown are {} of {}.", shown.sites.sites, count(whole.sites.sites, "site")));
    } else if let Some(used) = profile.meta.memory.used() {
        notes.push(format!("In use by /proc/meminfo: {}.", units.format(used.try_into().unwrap_or(i64::MAX))));
    }
    if shown.sites.inaccurate > 0 {
        notes.push(format!("{} hatched: the kernel vouches for changes only.", count(shown.sites.inaccurate, "site")));
    }
    if profile.unreadable().count > 0 {
        notes.push(format!("{} could not be read.", count(profile.unreadable().count, "row")));
    }
    if profile.meta.torn {
        notes.push("Modules came or went during reading.".to_owned());
    }
    notes.join(" ")
}
