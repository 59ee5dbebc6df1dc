// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is to be read where scripts do not run: the sums, the leaks and the largest sites as HTML.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::document::About;
use super::series::{Series, Track};
use super::trends::Trends;
use crate::render::Units;
use crate::subsystem::Subsystems;

/// Rows of each table.
const ROWS: usize = 50;

/// A text as it can stand in an element or a quoted attribute.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// That, of the last profile and how it came about.
pub(super) fn write(series: &Series, about: &About, trends: Option<&Trends>, subsystems: &Subsystems) -> String {
    let units = about.units;
    let sums = series.sums();
    let (Some(last), Some(&sum)) = (about.frames.last(), sums.last()) else { return String::new() };
    let mut out = format!("<h1>{}</h1>\n<p>{}</p>\n", escape(&about.title), escape(&last.about));
    let _ = writeln!(out, "<p><b>{}</b> in {} call sites. {}</p>", units.format(sum), last.sites, escape(&last.notes));
    if let (Some(&first), true) = (sums.first(), sums.len() > 1) {
        let (peak, most) = sums.iter().enumerate().max_by_key(|(_, sum)| **sum).unwrap_or((0, &first));
        let (from, at) = (escape(&about.frames[0].label), escape(&about.frames[peak].label));
        let _ = writeln!(
            out,
            "<p>{} at first ({from}), {} at the peak ({at}). {} profiles.</p>",
            units.format(first),
            units.format(*most),
            sums.len()
        );
    }
    if let Some(trends) = trends {
        let _ = writeln!(out, "<p><b>{}</b></p>", escape(&trends.sentence(units)));
        let rows = trends.told().iter().take(ROWS).map(|finding| {
            let site = &finding.row.site;
            // CAST: a sum of sizes, which are integers.
            let growth = units.format(finding.judgement.growth as i64);
            [finding.judgement.verdict.name().to_owned(), growth, units.format(finding.row.bytes), site.to_string()]
        });
        table(&mut out, "What became of them", ["Verdict", "Growth", "Now", "Call site"], rows);
    }
    let mut shares: BTreeMap<&str, i64> = BTreeMap::new();
    let mut held: Vec<(i64, i64, &Track)> = Vec::with_capacity(series.len());
    for track in &series.tracks {
        let value = |values: Vec<i64>| values.last().copied().unwrap_or_default();
        let (bytes, calls) = (value(track.bytes.values(sums.len())), value(track.calls.values(sums.len())));
        *shares.entry(subsystems.of(&track.site)).or_default() += bytes;
        held.push((bytes, calls, track));
    }
    let mut shares: Vec<(&str, i64)> = shares.into_iter().filter(|(_, bytes)| *bytes != 0).collect();
    shares.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    let share = |(name, bytes): (&str, i64)| [units.format(bytes), percent(bytes, sum), name.to_owned()];
    table(&mut out, "By subsystem", ["Bytes", "Share", "Subsystem"], shares.into_iter().take(ROWS).map(share));
    held.retain(|(bytes, ..)| *bytes != 0);
    held.sort_by_key(|(bytes, ..)| std::cmp::Reverse(*bytes));
    let whole = held.len();
    let row = |(bytes, calls, track): (i64, i64, &Track)| {
        [units.format(bytes), Units::Raw.format(calls), track.site.to_string()]
    };
    table(&mut out, "The largest call sites", ["Bytes", "Calls", "Call site"], held.into_iter().take(ROWS).map(row));
    if whole > ROWS {
        let _ = writeln!(out, "<p>{} others are shown where scripts may run.</p>", whole - ROWS);
    }
    out
}

fn percent(part: i64, whole: i64) -> String {
    // CAST: of sizes only their proportion matters.
    if whole > 0 {
        crate::render::units::percent(part as f64 / whole as f64 * 100.0)
    } else {
        String::new()
    }
}

fn table<const N: usize>(out: &mut String, caption: &str, head: [&str; N], rows: impl Iterator<Item = [String; N]>) {
    let cells = |name: &str, texts: &[&str]| -> String {
        texts.iter().map(|text| format!("<{name}>{}</{name}>", escape(text))).collect()
    };
    let rows: Vec<String> = rows.map(|row| cells("td", &row.each_ref().map(String::as_str))).collect();
    if rows.is_empty() {
        return;
    }
    let _ = write!(out, "<table><caption>{caption}</caption>\n<tr>{}</tr>\n", cells("th", &head));
    for row in rows {
        let _ = writeln!(out, "<tr>{row}</tr>");
    }
    out.push_str("</table>\n");
}
