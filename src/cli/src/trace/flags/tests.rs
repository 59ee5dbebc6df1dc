// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;

const ALLOC: &str = include_str!("../../../tests/data/trace/alloc-format.txt");

#[test]
fn flags_have_the_names_that_the_kernel_prints() {
    let flags = Flags::parse(ALLOC, "gfp_flags");
    for (value, expected) in [
        (0, "none"),
        (0xcc0, "GFP_KERNEL"),
        (0xdc0, "GFP_KERNEL|__GFP_ZERO"),
        (0x0820, "GFP_ATOMIC"),
        (0x40_0cc0, "GFP_KERNEL_ACCOUNT"),
        (0x80, "__GFP_FS"),
        // Bit 9 is nobody's.
        (0x2c0, "__GFP_IO|__GFP_FS|0x200"),
        (1 << 63, "0x8000000000000000"),
    ] {
        assert_eq!(flags.name(value), expected, "{value:#x}");
    }
}

#[test]
fn what_a_kernel_does_not_describe_is_a_number() {
    for description in ["", "print fmt: \"%s\", REC->order", "__print_flags(REC->other, \"|\", {1, \"A\"})"] {
        let flags = Flags::parse(description, "gfp_flags");
        assert!(flags.is_empty());
        assert_eq!((flags.name(0xcc0), flags.name(0)), ("0xcc0".into(), "0x0".into()));
    }
}

#[test]
fn what_cannot_be_computed_is_passed_over_and_damage_ends_the_list() {
    let parse = |list: &str| Flags::parse(&format!("__print_flags(REC->f, \"|\", {list}"), "f").0;
    let flag = |bits: u64, name: &str| (bits, name.to_owned());
    for (list, expected) in [
        ("{1, \"A\"}, { ___B_BIT, \"B\" }, {4UL,\"C\"} ) : \"none\"", vec![flag(1, "A"), flag(4, "C")]),
        ("{1, \"A\"}, { 0, ((void *)0) }, {2, \"B\"})", vec![flag(1, "A")]),
        ("{1, \"A\"} {2, \"B\"})", vec![flag(1, "A")]),
        ("{1, \"A\"}, {2, \"B\"", vec![flag(1, "A")]),
        ("{1}", vec![]),
        ("{", vec![]),
    ] {
        assert_eq!(parse(list), expected, "{list}");
    }
}

#[test]
fn constants_are_computed_as_in_c() {
    let deep = |depth| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    for (text, expected) in [
        ("0x10u", Some(16)),
        ("1UL << 4 | 2", Some(18)),
        ("1 << (2 + 3)", Some(32)),
        ("1 << 2 + 3", Some(32)),
        ("7 & 3 | 8", Some(11)),
        ("8 | 7 & 3", Some(11)),
        ("6 ^ 2 & 3", Some(4)),
        ("16 >> 2 >> 1", Some(2)),
        ("9 - 3 - 2", Some(4)),
        ("(( gfp_t)0x400u|(gfp_t) 0x800)", Some(0xc00)),
        ("( unsigned long)(3 & ~(( gfp_t)1))", Some(2)),
        ("~0", Some(u64::MAX)),
        ("(1UL << 63) + (1UL << 63)", Some(0)),
        ("1 << 64", None),
        ("___GFP_DMA_BIT", None),
        ("1 +", None),
        ("(1", None),
        ("1)", None),
        ("1 2", None),
        ("0x", None),
        ("", None),
        (&deep(60), Some(1)),
        (&deep(100_000), None),
        (&"~".repeat(100_000), None),
    ] {
        assert_eq!(constant(text), expected, "{text:.40}");
    }
}
