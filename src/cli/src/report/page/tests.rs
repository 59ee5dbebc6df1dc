// SPDX-License-Identifier: GPL-2.0-only OR MIT

use serde_json::Value;

use super::*;
use crate::model::{Builder, Meta, Names, Numbers, Profile, Row, Sample, Timings};
use crate::render::Units;
use crate::report::Frame;
use crate::time::Clock;

/// A profile as large as those of distribution kernels: `rows` sites with names of the usual length.
fn large(rows: u32, growth: i64) -> Profile {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    for number in 0..rows {
        let file = format!("drivers/net/ethernet/vendor{}/driver_file{}.c", number / 100, number / 8);
        let func = format!("driver_allocate_something_{number}");
        let bytes = 1 + i64::from(number).pow(2) % 1_000_003 * growth;
        let (line, calls, module) = (number % 3000, bytes / 64, Some("vendor_driver"));
        let (accurate, clipped, merged, numbers, extra) = (true, false, 1, Numbers::NONE, Vec::new());
        let sample =
            Sample { file: &file, line, func: &func, module, bytes, calls, accurate, clipped, merged, numbers, extra };
        builder.push(&sample).unwrap();
    }
    builder.finish(Meta::default())
}

fn report(profiles: &[Profile], title: &str) -> Report {
    let (mut series, mut frames) = (Series::new(false), Vec::new());
    for (place, profile) in profiles.iter().enumerate() {
        let rows: Vec<&Row> = profile.rows().iter().collect();
        series.push(&rows);
        frames.push(Frame::of(profile, place, &rows, Units::Iec, &Clock::utc()));
    }
    let diff = profiles.len() == 2;
    let about = About {
        title: title.to_owned(),
        units: Units::Iec,
        diff,
        every: None,
        clock: Clock::utc(),
        frames,
        stacks: None,
        timings: Timings::default(),
    };
    series.finish([]);
    make(&series, &about, None, &[], &Subsystems::built_in())
}

fn data(report: &Report) -> Value {
    let start = report.html.find(r#"id="data">"#).unwrap() + r#"id="data">"#.len();
    let end = start + report.html[start..].find("</script>").unwrap();
    serde_json::from_str(&report.html[start..end]).unwrap()
}

/// A list of changes as the values that it stands for.
fn unpacked(changes: &Value) -> Vec<i64> {
    let mut changes = changes.as_array().unwrap().iter().map(|change| change.as_i64().unwrap());
    let (mut values, mut value) = (Vec::new(), 0);
    while let Some(change) = changes.next() {
        let times = if change == 0 { changes.next().unwrap() } else { 1 };
        value += change;
        values.extend((0..times).map(|_| value));
    }
    values
}

/// The bytes of each profile.
fn sums(data: &Value) -> Vec<i64> {
    let mut sums = vec![0; data["frames"].as_array().unwrap().len()];
    for site in data["bytes"].as_array().unwrap() {
        let values = unpacked(site);
        assert_eq!(values.len(), sums.len());
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    sums
}

#[test]
fn fifteen_thousand_rows_fit() {
    let profile = large(15_000, 1);
    let expected = profile.totals().sites.bytes;
    let report = report(&[profile], "large");
    assert!(report.html.len() <= LIMIT, "{}", report.html.len());
    assert_eq!(sums(&data(&report)), [expected]);
}

#[test]
fn many_profiles_are_folded_until_they_fit_and_sums_stay() {
    let profiles: Vec<Profile> = (1..=6).map(|growth| large(15_000, growth)).collect();
    let expected: Vec<i64> = profiles.iter().map(|profile| profile.totals().sites.bytes).collect();
    let report = report(&profiles, "many");
    assert!(report.html.len() <= LIMIT, "{}", report.html.len());
    assert!(report.folded > 0 && report.skipped == 0, "{} {}", report.folded, report.skipped);
    assert_eq!(sums(&data(&report)), expected);
}

#[test]
fn profiles_are_left_out_before_everything_is_folded_away() {
    // The peak is in between, at an odd place.
    let growths = (1..=78).chain([300]).chain((79..=171).rev()).collect::<Vec<i64>>();
    let profiles: Vec<Profile> = growths.iter().map(|&growth| large(3000, growth)).collect();
    let whole: Vec<i64> = profiles.iter().map(|profile| profile.totals().sites.bytes).collect();
    let report = report(&profiles, "a long time");
    assert!(report.html.len() <= LIMIT && report.skipped > 0, "{}", report.html.len());
    let shown = sums(&data(&report));
    assert_eq!(shown.len(), growths.len() - report.skipped);
    assert_eq!((shown.first(), shown.last()), (whole.first(), whole.last()), "first and last stay");
    assert_eq!(shown.iter().max(), Some(&whole[78]), "the peak stays");
}

#[test]
fn what_no_folding_makes_small_ends_with_the_fewest_profiles() {
    // As many directories as there are sites, so that adding up by directory makes nothing smaller.
    let wide = |bytes: i64| {
        let mut names = Names::new();
        let mut builder = Builder::new(&mut names);
        for number in 0..26_000 {
            let file = format!("a_directory_whose_name_is_as_long_as_{number}/that_of_no_other.c");
            let (func, line, calls, module) = ("f", 1, 1, None);
            let (accurate, clipped, merged, numbers, extra) = (true, false, 1, Numbers::NONE, Vec::new());
            let bytes = bytes + i64::from(number);
            let sample =
                Sample { file: &file, line, func, module, bytes, calls, accurate, clipped, merged, numbers, extra };
            builder.push(&sample).unwrap();
        }
        builder.finish(Meta::default())
    };
    // The peak is where halving would always leave it beside the others that stay.
    let report = report(&[1, 2, 3, 99, 5].map(wide), "wide");
    assert_eq!((data(&report)["frames"].as_array().unwrap().len(), report.skipped), (4, 1));
}

#[test]
fn no_name_can_end_the_script() {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    let hostile = "</script><script>alert(1)</script><!--{{DATA}}{{SCRIPT}}";
    let (file, func, module) = (hostile, hostile, Some(hostile));
    let (line, bytes, calls, accurate, clipped, merged, numbers, extra) =
        (1, 8, 1, true, false, 1, Numbers::NONE, Vec::new());
    builder
        .push(&Sample { file, line, func, module, bytes, calls, accurate, clipped, merged, numbers, extra })
        .unwrap();
    let report = report(&[builder.finish(Meta::default())], hostile);
    assert_eq!(report.html.matches("</script>").count(), 2);
    assert!(!report.html.contains("alert(1)</script>") && !report.html.contains("<!--{{"));
    assert!(data(&report)["names"].as_array().unwrap().iter().any(|name| name == hostile));
}

#[test]
fn the_page_asks_nothing_of_any_network() {
    let html = report(&[large(10, 1)], "alone").html;
    assert!(html.contains("default-src 'none'"));
    // The name of SVG's elements is no address.
    let rest = html.replace("http://www.w3.org/2000/svg", "");
    for sign in ["http:", "https:", "src=\"", "href=", "@import", "url(\"", "fetch(", "XMLHttpRequest", "{{"] {
        assert!(!rest.contains(sign), "{sign}");
    }
    // Texts become elements only through text nodes.
    for sign in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
        assert!(!rest.contains(sign), "{sign}");
    }
}
