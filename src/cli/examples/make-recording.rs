// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Makes a recording to measure with:
//! `cargo run --release -p alloctag --example make-recording -- DIR PROFILES ROWS ACTIVE INTERVAL`.
//!
//! ACTIVE of a hundred sites change from snapshot to snapshot; INTERVAL is in seconds.

use std::path::Path;
use std::process::ExitCode;

#[path = "../tests/recordings/generator.rs"]
mod generator;

use generator::Recording;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u64> = arguments.iter().skip(1).filter_map(|text| text.parse().ok()).collect();
    let (Some(directory), &[profiles, rows, active, interval]) = (arguments.first(), numbers.as_slice()) else {
        eprintln!("make-recording: expected DIR PROFILES ROWS ACTIVE INTERVAL");
        return ExitCode::from(2);
    };
    let size = |number: u64| usize::try_from(number).expect("it fits into memory");
    let recording = Recording { profiles: size(profiles), rows: size(rows), active, interval, stride: 1 };
    recording.make(Path::new(directory));
    ExitCode::SUCCESS
}
