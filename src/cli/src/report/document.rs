// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the page's script is given, as JSON: texts once in a table, sizes as their changes from profile to profile.
//!
//! A list of changes begins with the first value. A 0 in it is followed by how many values in a row are those before them:
//! `[5, 0, 2, -1]` is 5, 5, 5, 4.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;

use serde_json::{json, Value};

use super::frame::Frame;
use super::series::Track;
use super::times;
use crate::model::{Number, Timings, Unit};
use crate::render::Units;
use crate::subsystem::Subsystems;
use crate::time::Clock;

/// A picture that is drawn already.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What it shows.
    pub title: String,
    /// The picture, as SVG.
    pub svg: String,
}

/// What the page says besides the sites.
#[derive(Clone, Debug)]
pub struct About {
    /// The heading.
    pub title: String,
    /// How sizes are written.
    pub units: Units,
    /// Whether the page opens on the difference between the first profile and the last.
    pub diff: bool,
    /// How many milliseconds profiles are apart that do not say when they were read.
    pub every: Option<u64>,
    /// By which clock moments are told, one of no seasons.
    pub clock: Clock,
    /// What to say about each profile.
    pub frames: Vec<Frame>,
    /// A picture of who called, of the last profile; none if nothing is known of that.
    pub stacks: Option<Picture>,
    /// How long allocations took and lived, as of the last profile.
    pub timings: Timings,
}

impl About {
    /// By what the profiles are put on the axis of time: when they were read; how far they are apart; their number.
    fn axis(&self) -> &'static str {
        let times: Option<Vec<u64>> = self.frames.iter().map(|frame| frame.time).collect();
        match times {
            Some(times) if times.is_sorted() => "wall",
            _ if self.every.is_some() => "every",
            _ => "number",
        }
    }
}

/// The document as JSON that can stand in an HTML `<script>`: the profiles `picks` of the tracks.
pub(super) fn write(
    tracks: &[Cow<'_, Track>],
    picks: &[usize],
    about: &About,
    trends: &Value,
    counted: &[Number],
    subsystems: &Subsystems,
) -> String {
    let mut names = Table::default();
    let mut sites = Vec::with_capacity(tracks.len());
    for track in tracks {
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
    let units = match about.units {
        Units::Iec => "iec",
        Units::Si => "si",
        Units::Raw => "raw",
    };
    let axis = about.axis();
    let frame = |&number: &usize| {
        let frame = about.frames[number].clone();
        match (axis, about.every) {
            // CAST: a number of profiles.
            ("every", Some(every)) => Frame { time: Some(every.saturating_mul(frame.place as u64)), ..frame },
            _ => frame,
        }
    };
    // Which frame is the first of that boot: enough to tell them apart.
    let boot = |&number: &usize| {
        let boot = about.frames[number].boot.as_ref()?;
        about.frames.iter().position(|frame| frame.boot.as_ref() == Some(boot))
    };
    let told = |number: &Number| json!([number.name(), unit(number), number.about().grows()]);
    let head = json!({
        "schema": "alloctag.report/3",
        "title": about.title,
        "units": units,
        "diff": about.diff,
        "clock": axis,
        "zone": {"name": about.clock.name(0), "ahead": about.clock.ahead_ms(0)},
        "frames": picks.iter().map(frame).collect::<Vec<Frame>>(),
        "boots": picks.iter().map(boot).collect::<Vec<Option<usize>>>(),
        "names": names.texts,
        "counted": counted.iter().map(told).collect::<Vec<_>>(),
        "sites": sites,
        "times": times::of_sites(tracks, &about.timings),
        "trends": trends,
    });
    // No text can end the element or open a comment in it. In JSON `<` stands in strings only.
    let mut out = head.to_string().replace('<', "\\u003c");
    out.pop();
    let frames = about.frames.len();
    let mut write = |name: &str, course: &dyn Fn(&Track) -> Vec<i64>| {
        let _ = write!(out, ",\"{name}\":[");
        for (number, track) in tracks.iter().enumerate() {
            if number > 0 {
                out.push(',');
            }
            changes(&course(track), picks, &mut out);
        }
        out.push(']');
    };
    write("bytes", &|track| track.bytes.values(frames));
    write("calls", &|track| track.calls.values(frames));
    for &number in counted {
        let values =
            |track: &Track| track.counted(number).map_or_else(|| vec![0; frames], |course| course.values(frames));
        write(number.name(), &values);
    }
    out + "}"
}

/// What the page writes a number as.
fn unit(number: &Number) -> &'static str {
    match number.about().unit {
        Unit::Bytes => "bytes",
        Unit::Times => "calls",
        Unit::Nanoseconds => "ns",
    }
}

/// Writes the changes among the picked values.
fn changes(values: &[i64], picks: &[usize], out: &mut String) {
    let (mut before, mut still) = (0, 0);
    let mut sign = '[';
    let mut put = |out: &mut String, still: &mut usize, change: Option<i64>| {
        if *still > 0 {
            let _ = write!(out, "{sign}0,{still}");
            (sign, *still) = (',', 0);
        }
        if let Some(change) = change {
            let _ = write!(out, "{sign}{change}");
            sign = ',';
        }
    };
    for &place in picks {
        match values[place] - std::mem::replace(&mut before, values[place]) {
            0 => still += 1,
            change => put(out, &mut still, Some(change)),
        }
    }
    put(out, &mut still, None);
    out.push_str(if picks.is_empty() { "[]" } else { "]" });
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
    fn changes_begin_with_the_first_value_and_count_what_stays() {
        for (values, expected) in [
            (&[][..], "[]"),
            (&[5], "[5]"),
            (&[5, 5, 5, -2, 0], "[5,0,2,-7,2]"),
            (&[0, 0], "[0,2]"),
            (&[0, 3, 3], "[0,1,3,0,1]"),
        ] {
            let mut out = String::new();
            changes(values, &(0..values.len()).collect::<Vec<_>>(), &mut out);
            assert_eq!(out, expected);
        }
        let mut out = String::new();
        changes(&[1, 9, 1, 4], &[0, 2, 3], &mut out);
        assert_eq!(out, "[1,0,1,3]");
    }
}
