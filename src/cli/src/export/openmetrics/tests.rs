// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::{Builder, Meta, Names};
use crate::source::text;
use crate::view::Group;

fn metrics(input: &[u8], group: Group, limit: usize) -> String {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    text::parse(input, &mut builder).unwrap();
    let view = View { group, limit: Some(limit), ..View::default() };
    let mut out = Vec::new();
    write(&builder.finish(Meta::default()), &view, false, &Subsystems::built_in(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn bytes(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("kernel_alloc_bytes")).collect()
}

#[test]
fn sites_that_labels_cannot_tell_apart_are_added_up() {
    let out = metrics(b"8 1 ./a.h:1 func:f \n16 2 a.h:1 func:f \n", Group::Site, 9);
    assert_eq!(bytes(&out), ["{module=\"(built-in)\",subsystem=\"(none)\",file=\"a.h\",line=\"1\",func=\"f\"} 24"]);
    assert!(out.ends_with("\n# EOF\n"), "{out}");
}

#[test]
fn what_is_beyond_the_limit_becomes_one_series_and_the_sum_stays() {
    let input = b"1 1 a.c:1 func:f \n2 1 b.c:1 func:f \n4 1 c.c:1 func:f \n8 1 d.c:1 func:f \n";
    for (limit, expected) in [
        (9, &["{file=\"d.c\"} 8", "{file=\"c.c\"} 4", "{file=\"b.c\"} 2", "{file=\"a.c\"} 1"][..]),
        (4, &["{file=\"d.c\"} 8", "{file=\"c.c\"} 4", "{file=\"b.c\"} 2", "{file=\"a.c\"} 1"]),
        (3, &["{file=\"d.c\"} 8", "{file=\"c.c\"} 4", "{file=\"(other)\"} 3"]),
        (1, &["{file=\"(other)\"} 15"]),
    ] {
        assert_eq!(bytes(&metrics(input, Group::File, limit)), expected, "{limit}");
    }
}

#[test]
fn pages_of_the_slab_are_a_metric_of_their_own() {
    let out = metrics(b"4096 1 mm/slub.c:9 func:alloc_slab_page \n8 1 a.c:1 func:f \n", Group::File, 9);
    assert_eq!(bytes(&out), ["{file=\"a.c\"} 8"]);
    assert!(out.contains("\nkernel_alloc_backing_bytes{of=\"slab\"} 4096\n"), "{out}");
}

#[test]
fn label_values_are_escaped() {
    let out = metrics(b"8 1 a\"b\\c.c:1 [m] func:<T as D<'_>>::f \n", Group::Func, 9);
    assert_eq!(bytes(&out), [r#"{module="m",subsystem="(none)",file="a\"b\\c.c",func="<T as D<'_>>::f"} 8"#]);
}

#[test]
fn health_is_told() {
    let out = metrics(b"8 1 a.c:1 func:f accurate:no\ngarbage here\n-9 1 b.c:1 func:g \n", Group::Module, 9);
    for line in ["kernel_alloc_sites 2", "kernel_alloc_inaccurate_sites 1", "kernel_alloc_unreadable_rows 1"] {
        assert!(out.lines().any(|found| found == line), "{line}: {out}");
    }
    assert_eq!(bytes(&out), ["{module=\"(built-in)\"} -1"], "a small negative sum is legal");
    assert!(!out.contains("kernel_alloc_enabled"), "what is not known is not said");
}

const SITES: &[u8] = b"sites - version: 1.0\n# bytes slack calls allocs frees allocated failed tag\n\
    64 8 1 5 4 320 0 a.c:1 func:f\n0 0 0 3 3 96 2 b.c:1 func:g\n0 0 0 0 0 0 0 c.c:1 func:h\n";

#[test]
fn what_a_kernel_counts_becomes_counters_and_what_it_does_not_no_metric() {
    let out = metrics(SITES, Group::File, 9);
    for line in [
        "# TYPE kernel_alloc_slack_bytes gauge",
        "# UNIT kernel_alloc_slack_bytes bytes",
        "kernel_alloc_slack_bytes{file=\"a.c\"} 8",
        "# TYPE kernel_alloc_allocations counter",
        "kernel_alloc_allocations_total{file=\"a.c\"} 5",
        // It holds nothing now, and a counter that goes away has lost its past.
        "kernel_alloc_allocations_total{file=\"b.c\"} 3",
        "kernel_alloc_frees_total{file=\"b.c\"} 3",
        "# UNIT kernel_alloc_allocated_bytes bytes",
        "kernel_alloc_allocated_bytes_total{file=\"a.c\"} 320",
        "kernel_alloc_failures_total{file=\"b.c\"} 2",
    ] {
        assert!(out.lines().any(|found| found == line), "{line}: {out}");
    }
    assert!(!out.contains("c.c"), "it never did anything");
    let out = metrics(SITES, Group::File, 1);
    assert!(out.contains("\nkernel_alloc_slack_bytes{file=\"(other)\"} 8\n"), "{out}");
    assert!(!out.contains("_total"), "what moves out of it would make a counter fall: {out}");
    let text = metrics(b"8 1 a.c:1 func:f \n", Group::File, 9);
    assert!(!text.contains("_total") && !text.contains("slack"), "{text}");
}
