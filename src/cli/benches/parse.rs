// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How long a profile of a distribution's kernel takes: `cargo bench -p alloctag`.
//!
//! 15,000 rows are to be parsed in 3.5 ms; tests/recordings holds them to it, by CPU time.

use std::fmt::Write;
use std::hint::black_box;

use alloctag::model::{Builder, Meta, Names, Profile};
use alloctag::query::Where;
use alloctag::source::text;
use alloctag::subsystem::Subsystems;
use alloctag::view::tree::{By, Node};
use alloctag::view::{Group, View};
use criterion::Criterion;

const ROWS: u32 = 15_000;

/// A text like a distribution's: three rows a function, five a file, a third of the files in modules.
fn text() -> String {
    const DIRS: [&str; 8] = [
        "mm",
        "fs/ext4",
        "drivers/net/ethernet/intel/ice",
        "net/core",
        "kernel/bpf",
        "sound/soc/codecs",
        "block",
        "drivers/gpu/drm/amd/amdgpu",
    ];
    let mut text = String::from("allocinfo - version: 2.0\n#     <size>  <calls> <tag info>\n");
    for row in 0..ROWS {
        let file = row / 5;
        let dir = DIRS[usize::try_from(file).unwrap() % DIRS.len()];
        let module = if file % 3 == 0 { format!(" [module_{}]", file / 30) } else { String::new() };
        let (bytes, calls) = if row % 2 == 0 { (u64::from(row) * 7919 % 100_000_000, row % 5000) } else { (0, 0) };
        let accurate = if row % 100 == 0 { " accurate:no" } else { "" };
        writeln!(
            text,
            "{bytes:12} {calls:8} {dir}/source_{file}.c:{}{module} func:some_function_{}{accurate} ",
            row % 3000,
            row / 3
        )
        .unwrap();
    }
    text
}

fn parse(text: &str) -> Profile {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    text::parse(text.as_bytes(), &mut builder).unwrap();
    builder.finish(Meta::default())
}

fn benches(criterion: &mut Criterion) {
    let text = text();
    criterion.bench_function("parse 15000 rows", |bencher| bencher.iter_with_large_drop(|| parse(black_box(&text))));

    let profile = parse(&text);
    let subsystems = Subsystems::built_in();
    let condition = Some(Where::parse("file~^(fs|net)/ bytes>4k or module=-", &subsystems).unwrap());
    let by_site = View { condition, ..View::default() };
    criterion
        .bench_function("filter and sort", |bencher| bencher.iter(|| by_site.apply(black_box(&profile), &subsystems)));
    let by_subsystem = View { group: Group::Subsystem, ..View::default() };
    criterion.bench_function("group by subsystem", |bencher| {
        bencher.iter(|| by_subsystem.apply(black_box(&profile), &subsystems))
    });
    criterion.bench_function("grow a tree", |bencher| {
        bencher.iter_with_large_drop(|| Node::grow(black_box(profile.rows()), By::Dir, &subsystems))
    });
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    benches(&mut criterion);
    criterion.final_summary();
}
