// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::{Timing, Unreadable};

const STALLS: &[u8] = include_bytes!("../../../tests/data/stalls-1.0.txt");
const LATER: &[u8] = include_bytes!("../../../tests/data/stalls-later-1.0.txt");
const LATENCY: &[u8] = include_bytes!("../../../tests/data/latency-1.0.txt");
const LIFETIMES: &[u8] = include_bytes!("../../../tests/data/lifetimes-1.0.txt");

fn read(text: &[u8]) -> Timings {
    parse(text, &mut Names::new()).unwrap()
}

/// All texts as one.
fn all() -> Vec<u8> {
    [STALLS, LATENCY, LIFETIMES].concat()
}

#[test]
fn every_text_is_read_whole_and_written_as_it_was_but_for_a_blank() {
    let timings = read(&all());
    assert_eq!(timings.unreadable(), &Unreadable::default());
    let lengths: Vec<_> = timings.known().map(|(timed, list)| (timed, list.len())).collect();
    assert_eq!(lengths, [(Timed::Stalls, 6), (Timed::Latency, 2), (Timed::Lifetimes, 3)]);
    let written = String::from_utf8(all()).unwrap().replace(" \n", "\n");
    assert_eq!(print(&timings), written);
    assert!([STALLS, LATENCY, LIFETIMES].into_iter().all(is_timings) && !is_timings(b"sites - version: 1.0\n"));
}

#[test]
fn a_line_is_a_call_site_with_its_times() {
    let timings = read(&all());
    let find = |timed: Timed, func: &str| -> Timing {
        timings.of(timed).unwrap().iter().find(|timing| timing.site.func == *func).unwrap().clone()
    };
    let stall = find(Timed::Stalls, "ext4_alloc_inode");
    assert_eq!((stall.cause.as_deref(), stall.site.module.as_deref()), (Some("slab"), Some("ext4")));
    assert_eq!((stall.times.count(), stall.times.ns(), stall.times.max_ns()), (12, 48_211, Some(20_011)));
    assert_eq!((stall.times.buckets()[10], stall.times.buckets()[11], stall.times.buckets()[14]), (3, 8, 1));
    assert!(find(Timed::Stalls, NONE).is_shared() && !stall.is_shared());
    let leak = find(Timed::Lifetimes, "leaks");
    assert_eq!((leak.times.count(), leak.times.min_ns(), leak.ages.count(), leak.lost), (0, None, 51, 3));
    assert_eq!(leak.cause, None);
}

const NONE: &str = crate::model::NONE_LEFT;

#[test]
fn what_a_later_kernel_says_is_no_trouble() {
    let timings = read(LATER);
    assert_eq!(timings.unreadable(), &Unreadable::default());
    let [first, second, third] = timings.of(Timed::Stalls).unwrap() else { panic!("{timings:?}") };
    assert_eq!((first.cause.as_deref(), first.times.count(), first.site.line), (Some("moon"), 2, 9));
    assert_eq!(first.site.func, "<a::B as c::D>::f");
    // The bucket was full, and the count went on.
    assert_eq!((second.times.count(), second.times.buckets()[6]), (5_000_000_000, u64::from(u32::MAX)));
    assert!(third.times.is_empty());
}

#[test]
fn what_does_not_fit_is_counted() {
    let line = |line: &str| format!("latency - version: 1.0\n# count ns min_ns max_ns histogram tag\n{line}");
    for (text, reason) in [
        (line("x 1 1 1 0:1 a.c:1 func:f\n"), "line 3: a number of it is none"),
        (line("+1 1 1 1 0:1 a.c:1 func:f\n"), "line 3: a number of it is none"),
        (line("1 1 1 1 0 a.c:1 func:f\n"), "line 3: its histogram is none"),
        (line("1 1 1 1 40:1 a.c:1 func:f\n"), "line 3: its histogram is none"),
        (line("2 1 1 1 3:1,3:1 a.c:1 func:f\n"), "line 3: its histogram is none"),
        (line("2 1 1 1 3:1,2:1 a.c:1 func:f\n"), "line 3: its histogram is none"),
        (line("1 1 1 1 0:99999999999999999999 a.c:1 func:f\n"), "line 3: its histogram is none"),
        (line("1 1 1\n"), "line 3: it has fewer values than there are columns"),
        (line("1 1 1 1 0:1 a.c func:f\n"), "line 3: it has no line number"),
        (line("1 1 1 1 0:1 a.c:1 func:f\x1b[2J\n"), "line 3: it has control characters in it"),
        (line("1 1 1 1 0:1 a.c:1 func:f"), "line 3: it does not end: the text was cut off here"),
        (line("\u{fffd}\n"), "line 3: it has fewer values than there are columns"),
    ] {
        let timings = read(text.as_bytes());
        let unreadable = Unreadable { count: 1, first: Some(reason.to_owned()) };
        assert_eq!((timings.unreadable(), timings.of(Timed::Latency)), (&unreadable, Some(&[][..])), "{text}");
    }
    let stray =
        read(b"latency - version: 1.0\n\n# count ns min_ns max_ns histogram tag\n\xff\n1 1 1 1 0:1 a.c:1 func:f\n");
    assert_eq!((stray.unreadable().count, stray.of(Timed::Latency).map(<[_]>::len)), (1, Some(1)));
}

#[test]
fn only_one_text_of_each_kind_of_a_version_that_is_known_is_read() {
    let refused = |text: &str| parse(text.as_bytes(), &mut Names::new()).unwrap_err().to_string();
    let columns = "# count ns min_ns max_ns histogram tag\n";
    assert!(refused("stalls - version: 2.0\n").contains("stalls of version 2.0"));
    assert!(refused("stalls - version: x\n").contains("stalls of no version"));
    assert!(refused("latency - version: 1.0\n").contains("columns of its latency"));
    assert!(refused(&format!("stalls - version: 1.0\n{columns}")).contains("columns of its stalls"), "it has no cause");
    assert!(refused("latency - version: 1.0\n# count count ns min_ns max_ns histogram tag\n").contains("columns"));
    assert!(refused(&format!("latency - version: 1.0\n{columns}").repeat(2)).contains("several moments"));
    let cut = format!("latency - version: 1.0\nlifetimes - version: 1.0\n{columns}");
    assert!(refused(&cut).contains("columns of its latency"), "the next text is no columns");
}
