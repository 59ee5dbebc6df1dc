// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the page's script is given, as JSON: texts once in a table, sizes as their changes from profile to profile.

use std::collections::HashMap;

use serde_json::{json, Value};

use super::series::{Held, Series};
use crate::model::{Backing, Profile, Row, Whole};
use crate::render::time::{date, duration};
use crate::render::units::count;
use crate::render::Units;
use crate::subsystem::Subsystems;

/// What the page says besides the sites.
#[derive(Clone, Debug)]
pub struct About {
    /// The heading.
    pub title: String,
    /// How sizes are written.
    pub units: Units,
    /// Whether the page opens on the difference between the first profile and the last.
    pub diff: bool,
    /// What to say about each profile.
    pub(super) frames: Vec<Value>,
}

impl About {
    /// What to say about `profiles`, of each of which `rows` are shown.
    pub fn new(title: String, units: Units, diff: bool, profiles: &[Profile], rows: &[Vec<&Row>]) -> About {
        let frames = profiles.iter().zip(rows).map(|(profile, rows)| frame(profile, rows, units)).collect();
        About { title, units, diff, frames }
    }

    /// The same for some of the profiles.
    pub(super) fn pick(&self, profiles: &[usize]) -> About {
        About { frames: profiles.iter().map(|&number| self.frames[number].clone()).collect(), ..self.clone() }
    }
}

fn frame(profile: &Profile, rows: &[&Row], units: Units) -> Value {
    let meta = &profile.meta;
    let mut about = Vec::new();
    if let Some(uname) = &meta.uname {
        about.push(format!("{}, Linux {} {}", uname.node, uname.release, uname.machine));
    }
    about.extend(meta.time_ms.map(date));
    about.extend(meta.uptime_ms.map(|uptime| format!("up {}", duration(uptime))));
    if about.is_empty() {
        about.push(meta.origin.to_string());
    }
    let label = meta.time_ms.map_or_else(|| meta.origin.to_string(), date);
    let held = rows.iter().filter(|row| row.bytes != 0 || row.calls != 0).count();
    json!({"label": label, "about": about.join(" · "), "sites": held, "notes": notes(profile, rows, units)})
}

/// What the reader should know before trusting the sums.
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

/// The document as JSON that can stand in an HTML `<script>`.
pub(super) fn write(series: &Series, about: &About, subsystems: &Subsystems) -> String {
    let mut names = Table::default();
    let mut sites = Vec::with_capacity(series.len());
    for track in &series.tracks {
        let site = &track.site;
        let module = site.module.as_ref().map_or(json!(-1), |module| json!(names.number(module)));
        sites.push(json!([
            names.number(site.path()),
            site.line,
            names.number(&site.func),
            module,
            names.number(subsystems.of(site)),
            u8::from(track.accurate),
            track.folded
        ]));
    }
    let values = |of: fn(&Held) -> i64| -> Vec<Vec<i64>> {
        series.tracks.iter().map(|track| changes(track.held.iter().map(of))).collect()
    };
    let units = match about.units {
        Units::Iec => "iec",
        Units::Si => "si",
        Units::Raw => "raw",
    };
    let document = json!({
        "schema": "alloctag.report/1",
        "title": about.title,
        "units": units,
        "diff": about.diff,
        "frames": about.frames,
        "names": names.texts,
        "sites": sites,
        "bytes": values(|held| held.bytes),
        "calls": values(|held| held.calls),
    });
    // No text can end the element or open a comment in it. In JSON `<` stands in strings only.
    document.to_string().replace('<', "\\u003c")
}

/// The first value and then what was added to it.
fn changes(values: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut before = 0;
    values.map(|value| value - std::mem::replace(&mut before, value)).collect()
}

/// Texts by number.
#[derive(Default)]
struct Table {
    numbers: HashMap<String, usize>,
    texts: Vec<String>,
}

impl Table {
    fn number(&mut self, text: &str) -> usize {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), self.texts.len() - 1);
        self.texts.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::changes;

    #[test]
    fn changes_begin_with_the_first_value() {
        assert_eq!(changes([5, 5, -2, 0].into_iter()), [5, 0, -7, 2]);
        assert_eq!(changes([].into_iter()), [0i64; 0]);
    }
}
