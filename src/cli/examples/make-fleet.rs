// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Makes recordings of many hosts, of which it is known which leak: a directory for each, and `leaks.txt` with their names.
//! `cargo run --release -p alloctag --example make-fleet -- DIR HOSTS SNAPSHOTS ROWS`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use alloctag::model::{Builder, Meta, Names, Numbers, Sample, Uname};
use alloctag::snapshot;

/// When the recordings begin: 2026-11-20 00:00:00 UTC, in milliseconds, with a snapshot an hour.
const START: u64 = 1_795_132_800_000;
const HOUR: u64 = 3_600_000;

/// One host in so many leaks.
const LEAKS: u64 = 37;

const MI: i64 = 1 << 20;

/// What a site holds at a part of the time, from 0 to 1; `shake` is anything from 0 to 99.
fn course(host: u64, row: u64, part: f64, shake: i64) -> i64 {
    // CAST: far from any bound.
    let by = |size: i64, part: f64| (size as f64 * part) as i64;
    match row {
        0 if host % LEAKS == 5 => 2 * MI + by(40 * MI, part) + shake * 2048,
        // What looks like one: a cache that fills, teeth, a step, a load that comes and goes, slow growth that does not matter.
        1 => by(64 * MI, 1.0 - (-9.0 * part).exp()) + shake * 512,
        2 => by(30 * MI, (part * 4.0 + host as f64 / 7.0).fract()),
        3 if host.is_multiple_of(3) => {
            if part < 0.4 {
                MI
            } else {
                24 * MI
            }
        }
        4 => 20 * MI + by(12 * MI, (part * 9.0).sin()) + shake * 4096,
        5 => by(MI / 2, part),
        _ => i64::try_from(row * 4096).unwrap_or(0) + shake * 64,
    }
}

fn snapshot_of(host: u64, number: u64, of: u64, rows: u64) -> Vec<u8> {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    for row in 0..rows {
        let file = format!("drivers/vendor{}/file_{}.c", row % 23, row / 4);
        let func = format!("allocate_{row}");
        let shake = i64::try_from((host * 7919 + row * 104_729 + number * 31) * 2_654_435_761 % 100).unwrap_or(0);
        let bytes = course(host, row, number as f64 / of as f64, shake);
        let line = u32::try_from(row % 900 + 1).unwrap_or(1);
        let module = (row % 5 == 0).then_some("vendor");
        let (accurate, clipped, merged, numbers, extra) = (true, false, 1, Numbers::NONE, Vec::new());
        let sample = Sample {
            file: &file,
            line,
            func: &func,
            module,
            bytes,
            calls: bytes / 64,
            accurate,
            clipped,
            merged,
            numbers,
            extra,
        };
        builder.push(&sample).expect("sums do not overflow");
    }
    let meta = Meta {
        time_ms: Some(START + number * HOUR),
        uptime_ms: Some(HOUR + number * HOUR),
        boot_id: Some(format!("boot of host {host}")),
        uname: Some(Uname {
            release: "7.3.4".to_owned(),
            version: "#1 SMP".to_owned(),
            machine: "x86_64".to_owned(),
            node: name(host),
        }),
        ..Meta::default()
    };
    snapshot::encode(&builder.finish(meta))
}

fn name(host: u64) -> String {
    format!("host-{host:04}")
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u64> = arguments.iter().skip(1).filter_map(|text| text.parse().ok()).collect();
    let (Some(directory), &[hosts, snapshots, rows]) = (arguments.first().map(Path::new), numbers.as_slice()) else {
        eprintln!("make-fleet: expected DIR HOSTS SNAPSHOTS ROWS");
        return ExitCode::from(2);
    };
    let mut leaks = String::new();
    for host in 0..hosts {
        let recording = directory.join(name(host));
        fs::create_dir_all(&recording).expect("there is room");
        for number in 0..snapshots {
            let path = recording.join(format!("{:08}-x.alloctag", number + 1));
            fs::write(path, snapshot_of(host, number, snapshots, rows)).expect("there is room");
        }
        if host % LEAKS == 5 {
            leaks.push_str(&format!("{}\n", name(host)));
        }
    }
    fs::write(directory.join("leaks.txt"), leaks).expect("there is room");
    ExitCode::SUCCESS
}
