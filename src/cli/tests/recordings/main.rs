// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Long and large recordings: that what is made of them fits into the memory of a machine that is short of it.

mod generator;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use generator::Recording;
use tempfile::TempDir;

/// Of more profiles than this one in two, in three and so on is looked at; the others need not be made.
const LOOKED_AT: usize = 480;

fn recording(profiles: usize, rows: usize, active: u64) -> TempDir {
    let directory = TempDir::new().expect("there is room");
    let stride = profiles.div_ceil(LOOKED_AT);
    Recording { profiles, rows, active, interval: 60, stride }.make(&directory.path().join("recording"));
    directory
}

/// Makes a report with no more than so many megabytes of memory: an allocation beyond them fails and ends the tool.
fn report(directory: &Path, megabytes: u64) -> Output {
    let limit = megabytes * 1_000_000 / 1024;
    let script = format!("ulimit -d {limit} && exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_alloctag"), "report", "recording", "-o", "r.html"]);
    command.current_dir(directory).output().expect("there is a shell")
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

/// By scripts/test cli-report, which builds it with optimisation.
#[test]
#[ignore = "takes minutes without optimisation"]
fn a_report_of_15000_sites_fits_into_400_megabytes_though_every_site_changes_all_the_time() {
    let directory = recording(3000, 15_000, 100);
    let output = report(directory.path(), 400);
    assert!(output.status.success(), "{output:?}");
    assert!((60..=429).contains(&frames(directory.path())), "{}", frames(directory.path()));
}
