// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::{Numbers, Pair, Row, Site};
use crate::source::ioctl::NAME_BYTES;
use crate::subsystem::Subsystems;

fn row() -> Row {
    Row {
        site: Site {
            file: "./fs/ext4/inode.c".into(),
            line: 42,
            func: "ext4_alloc".into(),
            module: Some("ext4".into()),
        },
        bytes: 1 << 20,
        calls: 256,
        accurate: true,
        clipped: false,
        merged: 3,
        numbers: Numbers::NONE,
        extra: vec![Pair { key: "node".into(), value: "1".into() }],
    }
}

fn matches(text: &str, row: &Row) -> bool {
    let subsystems = Subsystems::built_in();
    Where::parse(text, &subsystems).unwrap_or_else(|error| panic!("{text}: {error}")).matches(row, &subsystems)
}

#[test]
fn every_field_can_be_asked_for() {
    for (text, expected) in [
        ("file=fs/ext4/inode.c", true),
        ("file=./fs/ext4/inode.c", true),
        ("file~^fs/ext4", true),
        ("file=fs/*", true),
        ("file=fs/xfs/*", false),
        ("func=ext4_alloc", true),
        ("function~^ext4_", true),
        ("module=ext4", true),
        ("module=''", false),
        ("module=-", false),
        ("module!=-", true),
        ("line=10-90", true),
        ("line=43", false),
        ("dir=fs/ext4", true),
        ("subsystem~EXT4", true),
        ("subsystem=ext4", true),
        ("subsystem!='ext4 file system'", false),
        ("subsystem=xfs", false),
        ("subsystem=EXT4*", true),
        ("site~inode.c:42", true),
        ("bytes>=1M", true),
        ("bytes>1M", false),
        ("bytes<1M", false),
        ("calls=256", true),
        ("avg=4k", true),
        ("accurate=yes", true),
        ("accurate!=yes", false),
        ("rows>1", true),
        ("backing=no", true),
        ("extra.node=1", true),
        ("extra.node=2", false),
        ("extra.node>0", true),
        ("extra.node>=1", true),
        ("extra.node>1k", false),
        ("extra.node<1", false),
        ("extra.other>0", false),
        ("extra.other<9", false),
        ("extra.other=1", false),
        ("extra.other!=1", true),
        ("file~ext4 (bytes>2M or calls>100) not module=nvme", true),
    ] {
        assert_eq!(matches(text, &row()), expected, "{text}");
    }
}

#[test]
fn a_field_without_a_value_passes_no_comparison() {
    let idle = Row { calls: 0, ..row() };
    assert!(!matches("avg>0", &idle) && !matches("avg<=0", &idle));
}

#[test]
fn a_name_that_lost_its_beginning_is_found_by_its_end() {
    let whole = format!("{}{}", "m".repeat(20), "n".repeat(NAME_BYTES));
    let mut row = row();
    row.site.func = whole[20..].into();
    let text = format!("func={whole}");
    assert!(!matches(&text, &row));
    row.clipped = true;
    assert!(matches(&text, &row));
    assert!(!matches(&format!("func={}x", whole), &row));
}

#[test]
fn nonsense_is_explained() {
    for (text, expected) in [
        ("colour=red", "`colour` is no field"),
        ("extra.=1", "is no field"),
        ("bytes~1", "numbers are compared"),
        ("bytes>big", "no number"),
        ("file>a", "names are compared"),
        ("accurate=maybe", "neither yes nor no"),
        ("accurate>yes", "compared with = or !="),
        ("subsystem=ext9", "`ext9` is no subsystem"),
        ("subsystem!=ext", "`ext` is no subsystem"),
        ("file~(", "no regular expression"),
    ] {
        let error = Where::parse(text, &Subsystems::built_in()).expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
