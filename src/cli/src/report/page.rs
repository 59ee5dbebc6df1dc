// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The file: page, style, script and data in one.

use std::borrow::Cow;

use super::document::{self, About};
use super::series::Series;
use crate::subsystem::Subsystems;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");

/// The script's parts, in the order in which they need each other.
const SCRIPT: [&str; 8] = [
    include_str!("page/data.js"),
    include_str!("page/tree.js"),
    include_str!("page/colour.js"),
    include_str!("page/treemap.js"),
    include_str!("page/icicle.js"),
    include_str!("page/picture.js"),
    include_str!("page/table.js"),
    include_str!("page/main.js"),
];

/// Bytes that a report may have: mail and bug trackers take that, and browsers open it at once.
pub const LIMIT: usize = 2_000_000;

/// Sites that are kept apart as long as leaving out profiles can make room instead.
const KEEP: usize = 1000;

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

/// Makes the report, within [`LIMIT`].
pub fn make(series: &Series, about: &About, subsystems: &Subsystems) -> Report {
    let frames = about.frames.len();
    let mut shown: Vec<usize> = (0..frames).collect();
    let mut series = Cow::Borrowed(series);
    let mut about = Cow::Borrowed(about);
    let mut keep = series.len();
    loop {
        let folded = series.fold(keep);
        let html = assemble(&about.title, &document::write(&folded, &about, subsystems));
        if html.len() <= LIMIT || (keep == 0 && shown.len() <= 2) {
            return Report { html, folded: series.len() - keep, skipped: frames - shown.len() };
        }
        if keep > KEEP || shown.len() <= 2 {
            // A little less than in proportion, so that a few rounds do. CAST: sizes of no more than megabytes.
            keep = (keep as f64 * (LIMIT as f64 / html.len() as f64) * 0.95) as usize;
            if shown.len() > 2 {
                keep = keep.max(KEEP);
            }
        } else {
            // Every other one; the last stays.
            let places: Vec<usize> =
                (0..shown.len()).filter(|place| (shown.len() - 1 - place).is_multiple_of(2)).collect();
            series = Cow::Owned(series.pick(&places));
            about = Cow::Owned(about.pick(&places));
            shown = places.iter().map(|&place| shown[place]).collect();
        }
    }
}

/// Fills the page in one pass: what is filled in may hold anything, also what looks like a place to be filled.
fn assemble(title: &str, data: &str) -> String {
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let script = SCRIPT.concat();
    let (mut html, mut rest) = (String::with_capacity(data.len() + LIMIT / 20), PAGE);
    while let Some((before, after)) = rest.split_once("{{") {
        let (place, behind) = after.split_once("}}").expect("places are closed");
        html.push_str(before);
        html.push_str(match place {
            "TITLE" => &title,
            "STYLE" => STYLE,
            "SCRIPT" => &script,
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
