// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Makes recordings as long and as large as one likes: a machine that works by day, runs a job at night, and leaks.

use std::fs;
use std::path::Path;

use alloctag::model::{Builder, Memory, Meta, Names, Numbers, Row, Sample, Uname};
use alloctag::snapshot;
use alloctag::source::text;

/// The rows that come first: those of a real kernel with modules.
const CAPTURE: &[u8] = include_bytes!("../data/c-7.3.4-modules.txt");

/// What the machine does differently from the capture's small guest: it has more of everything.
const SCALE: i64 = 24;

/// When a recording begins: 2026-11-20 00:00:00 UTC, in seconds.
const START: u64 = 1_795_132_800;

const DAY: u64 = 86_400;

/// Sites whose course is known, and what it is. `t` runs from 0 to 1 over the recording.
const STORIES: [(&str, u32, &str, Option<&str>, Course); 6] = [
    ("drivers/net/ethernet/acme/acme_rx.c", 412, "acme_refill_rx", Some("acme"), |t, _| 2 * MI + to(190 * MI, t)),
    ("fs/overlayfs/readdir.c", 88, "ovl_cache_entry_new", Some("overlay"), |t, _| MI + to(38 * MI, t)),
    ("fs/ext4/super.c", 1393, "ext4_alloc_inode", None, |t, _| to(260 * MI, 1.0 - (-9.0 * t).exp())),
    ("net/core/skbuff.c", 657, "kmalloc_reserve", None, |t, _| 20 * MI + to(90 * MI, (t * 19.0).fract())),
    ("drivers/md/raid5-cache.c", 3055, "r5l_init_log", Some("raid456"), |t, _| if t < 0.42 { 0 } else { 96 * MI }),
    ("mm/shmem.c", 1938, "shmem_alloc_folio", None, |_, day| 180 * MI + to(240 * MI, night(day))),
];

/// What a site holds: by the part of the recording that has passed, and of the day.
type Course = fn(f64, f64) -> i64;

const MI: i64 = 1 << 20;

/// A part of a size, in whole objects.
fn to(size: i64, part: f64) -> i64 {
    // CAST: far from any bound.
    (size as f64 * part / 512.0) as i64 * 512
}

/// The job at night: between two and four it fills and goes.
fn night(day: f64) -> f64 {
    (1.0 - ((day - 0.125) / 0.042).abs()).max(0.0)
}

/// How much there is to be made.
#[derive(Clone, Copy, Debug)]
pub struct Recording {
    /// Snapshots.
    pub profiles: usize,
    /// Call sites.
    pub rows: usize,
    /// Of a hundred sites so many change from snapshot to snapshot.
    pub active: u64,
    /// Seconds between snapshots.
    pub interval: u64,
    /// Counted from the last, only one in so many is made; the others are links to it.
    pub stride: usize,
}

impl Recording {
    /// Makes it in `directory`.
    ///
    /// # Panics
    ///
    /// If the directory cannot be written.
    pub fn make(&self, directory: &Path) {
        fs::create_dir_all(directory).expect("there is room");
        let sites = self.sites();
        let mut names = Names::new();
        let mut made = None;
        for number in 0..self.profiles {
            let path = directory.join(format!("{:08}-x.alloctag", number + 1));
            if (self.profiles - 1 - number).is_multiple_of(self.stride) || made.is_none() {
                fs::write(&path, self.snapshot(number, &sites, &mut names)).expect("there is room");
                made = Some(path);
            } else if let Some(made) = &made {
                fs::hard_link(made, &path).expect("links can be made");
            }
        }
    }

    /// The rows as they are before anything happens.
    fn sites(&self) -> Vec<Row> {
        let mut names = Names::new();
        let mut builder = Builder::new(&mut names);
        text::parse(CAPTURE, &mut builder).expect("it is a profile");
        for number in 0..self.rows {
            let file = format!("drivers/vendor_{}/chip_{}/driver_{}.c", number / 900, number / 90, number / 6);
            let (func, module) = (format!("driver_allocate_{number}"), format!("driver_{}", number / 90));
            let line = u32::try_from(number).expect("they are few") % 3000 + 1;
            builder.push(&sample(&file, line, &func, Some(&module), 64 << (number % 7), 1)).expect("they fit");
        }
        let known = |row: &Row| STORIES.iter().any(|story| story.0 == row.site.path() && row.site.func == story.2);
        let mut rows = builder.finish(Meta::default()).rows().to_vec();
        rows.retain(|row| !known(row));
        rows.truncate(self.rows.saturating_sub(STORIES.len()));
        rows
    }

    fn snapshot(&self, number: usize, sites: &[Row], names: &mut Names) -> Vec<u8> {
        let seconds = self.interval * u64::try_from(number).expect("they are few");
        // CAST: numbers of snapshots and seconds of a day.
        let part = number as f64 / (self.profiles - 1).max(1) as f64;
        let day = (seconds % DAY) as f64 / DAY as f64;
        let mut builder = Builder::new(names);
        builder.reserve(self.rows);
        let mut sum = 0;
        for (place, row) in sites.iter().enumerate() {
            let site = &row.site;
            let random = mix(u64::try_from(place).expect("they are few") << 32);
            let stirred = if random % 100 < self.active { mix(random ^ seconds) % 16 } else { 0 };
            let each = (row.bytes / row.calls.max(1)).max(16);
            // CAST: less than 16.
            let calls = row.calls * SCALE + row.calls.min(40) * stirred as i64;
            let mut sample = sample(&site.file, site.line, &site.func, site.module.as_deref(), calls * each, calls);
            sample.accurate = row.accurate;
            sum += if row.backing().is_none() { sample.bytes } else { 0 };
            builder.push(&sample).expect("they fit");
        }
        for (file, line, func, module, course) in STORIES {
            let bytes = course(part, day);
            sum += bytes;
            builder.push(&sample(file, line, func, module, bytes, bytes / 512)).expect("they fit");
        }
        snapshot::encode(&builder.finish(meta(seconds, sum.unsigned_abs())))
    }
}

fn sample<'a>(file: &'a str, line: u32, func: &'a str, module: Option<&'a str>, bytes: i64, calls: i64) -> Sample<'a> {
    let (accurate, clipped, merged, numbers, extra) = (true, false, 1, Numbers::NONE, Vec::new());
    Sample { file, line, func, module, bytes, calls, accurate, clipped, merged, numbers, extra }
}

fn meta(seconds: u64, used: u64) -> Meta {
    let text = |text: &str| text.to_owned();
    let uname =
        Uname { release: text("7.3.4"), version: text("#1 SMP"), machine: text("x86_64"), node: text("build-07") };
    let total: u64 = 4 << 30;
    let (free, available) = (total / 2 - used / 2, total.saturating_sub(used + (total >> 3)));
    let memory = [("MemTotal", total), ("MemFree", free), ("MemAvailable", available)];
    Meta {
        time_ms: Some((START + seconds) * 1000),
        uptime_ms: Some((seconds + 3 * DAY) * 1000),
        boot_id: Some(text("8d1f")),
        content_id: Some(7),
        uname: Some(uname),
        memory: Memory(memory.map(|(name, bytes)| (text(name), bytes)).into()),
        ..Meta::default()
    }
}

/// A number like any other (splitmix64).
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
