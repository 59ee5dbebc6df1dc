// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The file: page, style, script and data in one.

use serde_json::Value;

use super::document::{self, About, Picture};
use super::plain;
use super::series::Series;
use super::trends::Trends;
use crate::subsystem::Subsystems;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");

/// The script's parts, in the order in which they need each other.
const SCRIPT: [&str; 21] = [
    include_str!("page/data.js"),
    include_str!("page/number.js"),
    include_str!("page/time.js"),
    include_str!("page/tree.js"),
    include_str!("page/colour.js"),
    include_str!("page/text.js"),
    include_str!("page/treemap.js"),
    include_str!("page/icicle.js"),
    include_str!("page/picture.js"),
    include_str!("page/chart.js"),
    include_str!("page/brush.js"),
    include_str!("page/times.js"),
    include_str!("page/tip.js"),
    include_str!("page/table.js"),
    include_str!("page/trends.js"),
    include_str!("page/address.js"),
    include_str!("page/download.js"),
    include_str!("page/shown.js"),
    include_str!("page/around.js"),
    include_str!("page/choice.js"),
    include_str!("page/main.js"),
];

/// Bytes that a report may have: mail and bug trackers take that, and browsers open it at once.
pub const LIMIT: usize = 2_000_000;

/// Sites that are kept apart as long as leaving out profiles can make room instead.
const KEEP: usize = 1000;

/// Profiles that are kept as long as adding up sites can make room instead: a chart shows no more in its width.
const FRAMES: usize = 120;

/// Profiles that are always kept: the first, the peak, the last, and one more that may be between them.
const FEWEST: usize = 4;

/// A finished report.
#[derive(Debug)]
pub struct Report {
    /// The file.
    pub html: String,
    /// How many sites were too small to be kept apart.
    pub folded: usize,
    /// How many profiles were left out.
    pub skipped: usize,
}

/// Makes the report, within [`LIMIT`], out of what [`Series::finish`] has put in order. `places` are those of the sites that
/// `trends` tells of.
pub fn make(
    series: &Series,
    about: &About,
    trends: Option<&Trends>,
    places: &[Option<usize>],
    subsystems: &Subsystems,
) -> Report {
    let frames = series.frames();
    let sums = series.sums();
    let peak = (0..frames).max_by_key(|&frame| sums[frame]).unwrap_or_default();
    let plain = plain::write(series, about, trends, subsystems);
    let stacks = about.stacks.as_ref().map_or(String::new(), stacks);
    let told = places.iter().flatten().count();
    let json = trends.map_or(Value::Null, |trends| trends.json(places, about.units));
    let mut picks: Vec<usize> = (0..frames).collect();
    // What is too large by its courses alone is not written to find that out.
    let mut keep = series.within(LIMIT).max(told);
    loop {
        let tracks = series.fold(keep, KEEP, subsystems);
        let html = assemble(
            &about.title,
            &plain,
            &stacks,
            &document::write(&tracks, &picks, about, &json, &series.counted(), subsystems),
        );
        let least = keep <= told && picks.len() <= FEWEST;
        if html.len() <= LIMIT || least {
            return Report { html, folded: series.len().saturating_sub(keep), skipped: frames - picks.len() };
        }
        if keep > KEEP.max(told) || picks.len() <= FEWEST || (picks.len() <= FRAMES && keep > KEEP / 2) {
            let least = if keep > KEEP && picks.len() > FRAMES { KEEP } else { 0 };
            // A little less than in proportion, so that a few rounds do. CAST: sizes of no more than megabytes.
            keep = ((keep as f64 * (LIMIT as f64 / html.len() as f64) * 0.95) as usize).max(least).max(told);
        } else {
            // Every other one; the first, the last and the peak stay.
            let length = picks.len();
            let stays =
                |place: usize, frame: usize| (length - 1 - place).is_multiple_of(2) || frame == 0 || frame == peak;
            picks = picks
                .iter()
                .enumerate()
                .filter(|&(place, &frame)| stays(place, frame))
                .map(|(_, &frame)| frame)
                .collect();
        }
    }
}

/// What is opened to see who called.
fn stacks(picture: &Picture) -> String {
    let title = plain::escape(&picture.title);
    format!("<details class=\"stacks\"><summary>{title}</summary><div>{}</div></details>\n", picture.svg)
}

/// Fills the page in one pass: what is filled in may hold anything, also what looks like a place to be filled.
fn assemble(title: &str, plain: &str, stacks: &str, data: &str) -> String {
    let title = plain::escape(title);
    let script = SCRIPT.concat();
    let (mut html, mut rest) = (String::with_capacity(data.len() + LIMIT / 20), PAGE);
    while let Some((before, after)) = rest.split_once("{{") {
        let (place, behind) = after.split_once("}}").expect("places are closed");
        html.push_str(before);
        html.push_str(match place {
            "TITLE" => &title,
            "STYLE" => STYLE,
            "SCRIPT" => &script,
            "PLAIN" => plain,
            "STACKS" => stacks,
            "DATA" => data,
            _ => unreachable!("the page has no other places"),
        });
        rest = behind;
    }
    html + rest
}

#[cfg(test)]
#[path = "page/tests.rs"]
mod tests;
