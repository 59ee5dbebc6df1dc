// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Long recordings and large profiles: what is made of them fits into the memory of a machine that is short of it, and is made in
//! the time that the manual says.

mod generator;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use alloctag::model::{Builder, Meta, Names};
use alloctag::source::text;
use generator::Recording;
use rustix::time::{clock_gettime, ClockId};
use tempfile::TempDir;

/// Of more profiles than this one in two, in three and so on is looked at; the others need not be made.
const LOOKED_AT: usize = 480;

fn recording(profiles: usize, rows: usize, active: u64) -> TempDir {
    let directory = TempDir::new().expect("there is room");
    let stride = profiles.div_ceil(LOOKED_AT);
    Recording { profiles, rows, active, interval: 60, stride }.make(&directory.path().join("recording"));
    directory
}

/// Runs a line of shell for which `"$@"` is the tool.
fn shell(script: &str, directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_alloctag")]).args(arguments);
    command.current_dir(directory).output().expect("there is a shell")
}

/// Runs the tool with no more than so many megabytes of memory: an allocation beyond them fails and ends it.
fn within(megabytes: u64, directory: &Path, arguments: &[&str]) -> Output {
    shell(&format!("ulimit -d {} && exec \"$@\"", megabytes * 1_000_000 / 1024), directory, arguments)
}

/// CPU time of a run, the user's and the system's, in seconds: the last line that `times` writes is of what the shell has run.
fn seconds(directory: &Path, arguments: &[&str]) -> f64 {
    let output = shell("\"$@\" >/dev/null && times", directory, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).expect("it is text");
    let times = said.lines().last().expect("it has lines").split_ascii_whitespace();
    let seconds = |time: &str| -> Option<f64> {
        let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    times.map(|time| seconds(time).unwrap_or_else(|| panic!("{said}"))).sum()
}

/// CPU time that this thread has used, in seconds.
fn used() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    // CAST: a few seconds.
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// What the least of ten tries takes, which is shown and has to be below twice `limit`. CPU time is what a busy machine changes
/// least, and the same instructions still take it half as long again: what is twice as slow in every try has become slower.
fn takes(what: &str, limit: f64, attempt: impl FnMut() -> f64) {
    let least = std::iter::repeat_with(attempt).take(10).fold(f64::INFINITY, f64::min);
    println!("{what}: {:.1} ms of CPU time, of {:.1}", least * 1e3, limit * 1e3);
    assert!(least < 2.0 * limit, "{what}: {least} s");
}

/// Makes a report within so many megabytes.
fn report(directory: &Path, megabytes: u64) -> Output {
    within(megabytes, directory, &["report", "recording", "-o", "r.html"])
}

/// As many rows as ten distributions' kernels have, of the capture's sites at ever other lines, each `times` as large.
fn large(rows: usize, times: u64) -> String {
    const CAPTURE: &str = include_str!("../data/c-7.3.4-modules.txt");
    let mut text = String::from("allocinfo - version: 2.0\n");
    for (number, line) in CAPTURE.lines().skip(2).cycle().take(rows).enumerate() {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (place, rest) = (words[2].rsplit_once(':').expect("it has a line"), words[3..].join(" "));
        let (bytes, line): (u64, u64) = (words[0].parse().unwrap(), place.1.parse().unwrap());
        let line = line + 5000 * (number as u64 / 1000);
        text.push_str(&format!("{} {} {}:{line} {rest} \n", bytes * times, words[1], place.0));
    }
    text
}

fn frames(directory: &Path) -> usize {
    let page = fs::read_to_string(directory.join("r.html")).expect("it was written");
    assert!(page.len() < 2_000_000, "{}", page.len());
    let (_, data) = page.split_once("id=\"data\">").expect("it has data");
    let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").expect("they end").0).unwrap();
    data["frames"].as_array().unwrap().len()
}

#[test]
fn a_report_of_ten_thousand_profiles_fits_into_150_megabytes() {
    let directory = recording(10_000, 1500, 10);
    let output = report(directory.path(), 150);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "alloctag: of 10000 profiles, one in 21 is looked at\n");
    assert_eq!(frames(directory.path()), 477);
    // The limit is one: nothing runs with a megabyte.
    assert!(!report(directory.path(), 1).status.success());
}

/// A directory of two profiles of 200,000 rows.
fn two_large() -> TempDir {
    let directory = TempDir::new().expect("there is room");
    for (name, times) in [("a.txt", 1), ("b.txt", 3)] {
        fs::write(directory.path().join(name), large(200_000, times)).expect("there is room");
    }
    directory
}

#[test]
fn two_hundred_thousand_rows_fit_into_100_megabytes() {
    let directory = two_large();
    for arguments in [&["list", "a.txt"][..], &["summary", "a.txt"], &["diff", "a.txt", "b.txt"]] {
        let output = within(100, directory.path(), arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(!within(30, directory.path(), &["diff", "a.txt", "b.txt"]).status.success(), "the limit is one");
}

// By scripts/test cli-report, which builds with optimisation.

#[test]
#[cfg_attr(debug_assertions, ignore = "takes ten times as long without optimisation")]
fn two_hundred_thousand_rows_take_no_more_cpu_time_than_the_manual_says() {
    let directory = two_large();
    for (limit, arguments) in
        [(0.15, &["list", "a.txt"][..]), (0.45, &["summary", "a.txt"]), (0.7, &["diff", "a.txt", "b.txt"])]
    {
        takes(arguments[0], limit, || seconds(directory.path(), arguments));
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes ten times as long without optimisation")]
fn a_text_of_15000_rows_is_parsed_in_no_more_cpu_time_than_the_manual_says() {
    let text = large(15_000, 1);
    let parse = || {
        let (begin, mut names) = (used(), Names::new());
        let mut builder = Builder::new(&mut names);
        text::parse(text.as_bytes(), &mut builder).expect("it is a profile");
        let profile = builder.finish(Meta::default());
        let time = used() - begin;
        assert!(profile.rows().len() > 14_000, "few rows are of one site");
        time
    };
    takes("parsing", 0.0035, parse);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn a_report_of_15000_sites_fits_into_400_megabytes_though_every_site_changes_all_the_time() {
    let directory = recording(3000, 15_000, 100);
    let output = report(directory.path(), 400);
    assert!(output.status.success(), "{output:?}");
    assert!((60..=429).contains(&frames(directory.path())), "{}", frames(directory.path()));
}
