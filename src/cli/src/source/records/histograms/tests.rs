// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::source::timings::parse;

fn record(kind: u32, id: u64, times: &[(usize, u64)], (ns, min_ns, max_ns): (u64, u64, u64)) -> Histogram {
    let mut record = Histogram { id, kind, ns, min_ns, max_ns, ..Histogram::default() };
    for &(bucket, count) in times {
        record.buckets[bucket] = count;
        record.count += count;
    }
    record
}

fn names(id: u64, file: &str, line: u32, func: &str, module: &str) -> (u64, abi::Names) {
    let mut names = abi::Names { id, line, ..abi::Names::default() };
    for (field, text) in [(&mut names.file[..], file), (&mut names.function, func), (&mut names.module, module)] {
        field[..text.len()].copy_from_slice(text.as_bytes());
    }
    (id, names)
}

fn told() -> Told {
    let mut lost = record(LIFETIMES, 2, &[], (0, 0, 0));
    lost.lost = 3;
    let histograms = vec![
        record(4, 1, &[(10, 3), (11, 8), (14, 1)], (48_211, 1200, 20_011)),
        record(LATENCY, 1, &[(6, 2)], (150, 70, 80)),
        lost,
        record(AGES, 2, &[(35, 20), (39, 31)], (9, 8, 7)),
        record(LIFETIMES, 1, &[(10, 5)], (6000, 1100, 1300)),
        // Of some nothing was freed yet.
        record(AGES, 3, &[(33, 1)], (0, 0, 0)),
        // A kind of a later kernel, and a call site that has gone.
        record(77, 1, &[(1, 1)], (2, 2, 2)),
        record(0, 9, &[(1, 1)], (2, 2, 2)),
    ];
    let names = [
        names(1, "fs/ext4/inode.c", 120, "ext4_alloc_inode", "ext4"),
        names(2, "drivers/net/leaky.c", 20, "leaks", "leaky"),
        names(3, "fs/dcache.c", 1750, "__d_alloc", ""),
    ];
    Told { histograms, names: names.into_iter().collect(), fields: (1 << 10) - 1 }
}

#[test]
fn records_say_what_the_texts_say() {
    let text = "\
stalls - version: 1.0
# count ns min_ns max_ns cause histogram tag
12 48211 1200 20011 slab 10:3,11:8,14:1 fs/ext4/inode.c:120 [ext4] func:ext4_alloc_inode
latency - version: 1.0
# count ns min_ns max_ns histogram tag
2 150 70 80 6:2 fs/ext4/inode.c:120 [ext4] func:ext4_alloc_inode
lifetimes - version: 1.0
# count ns min_ns max_ns alive lost histogram ages tag
0 0 0 0 51 3 - 35:20,39:31 drivers/net/leaky.c:20 [leaky] func:leaks
5 6000 1100 1300 0 0 10:5 - fs/ext4/inode.c:120 [ext4] func:ext4_alloc_inode
0 0 0 0 1 0 - 33:1 fs/dcache.c:1750 func:__d_alloc
";
    let mut shared = Names::new();
    assert_eq!(timings(&told(), &mut shared), parse(text.as_bytes(), &mut shared).unwrap());
}

#[test]
fn what_a_kernel_does_not_measure_is_not_known() {
    for (fields, expected) in [
        (0, &[][..]),
        (0b100, &[Timed::Stalls]),
        (0b11_1111_1111, &[Timed::Stalls, Timed::Latency, Timed::Lifetimes]),
        (1 << LATENCY, &[Timed::Latency]),
    ] {
        let told = Told { fields, ..Told::default() };
        let known: Vec<_> = timings(&told, &mut Names::new()).known().map(|(timed, _)| timed).collect();
        assert_eq!(known, expected, "{fields:b}");
    }
    let file = std::fs::File::open("/dev/null").unwrap();
    assert_eq!(read(&file, &mut Names::new()), Ok(None));
}

#[test]
fn what_found_no_histogram_is_told_as_such_and_what_makes_no_sense_is_counted() {
    let mut shared = record(4, 0, &[(12, 40)], (200_000, 4100, 8000));
    shared.flags = SHARED;
    let (id, mut broken) = names(5, "a.c", 1, "f", "");
    broken.file = [b'x'; abi::FILE_SIZE];
    let told = Told {
        histograms: vec![shared, record(4, 5, &[(1, 1)], (2, 2, 2))],
        names: [(id, broken)].into_iter().collect(),
        fields: 0b111_1111,
    };
    let timings = timings(&told, &mut Names::new());
    let [only] = timings.of(Timed::Stalls).unwrap() else { panic!("{timings:?}") };
    assert!(only.is_shared() && only.times.count() == 40);
    assert_eq!(timings.unreadable().first.as_deref(), Some("record 2: a name in it does not end"));
}
