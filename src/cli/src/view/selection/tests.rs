// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::{Builder, Meta, Names};
use crate::source::text;

const TEXT: &str = "\
 4096 1 fs/ext4/inode.c:10 [ext4] func:a \n\
 1000 2 fs/ext4/inode.c:20 [ext4] func:a \n\
 2000 4 fs/ext4/dir.c:5 [ext4] func:b accurate:no \n\
    0 0 fs/xfs/x.c:1 func:c \n\
 -128 0 fs/xfs/x.c:2 func:c \n\
  500 5 mm/util.c:7 func:kmemdup \n\
  500 5 mm/util.c:7 func:kmemdup \n\
16384 4 mm/slub.c:9 func:alloc_slab_page \n\
 8192 2 mm/percpu-vm.c:9 func:pcpu_alloc_pages \n";

fn profile() -> Profile {
    let mut names = Names::new();
    let mut builder = Builder::new(&mut names);
    text::parse(TEXT.as_bytes(), &mut builder).unwrap();
    builder.finish(Meta::default())
}

/// The entries of a view as `LABEL BYTES` in order.
fn shown(view: &View) -> Vec<String> {
    let (profile, subsystems) = (profile(), Subsystems::built_in());
    let selection = view.apply(&profile, &subsystems);
    selection.entries.iter().map(|entry| format!("{} {}", entry.label, entry.totals.bytes)).collect()
}

#[test]
fn rows_are_added_up_by_each_group() {
    for (group, expected) in [
        ("site", vec!["a 4096", "b 2000", "a 1000", "kmemdup 1000", "c -128"]),
        ("func", vec!["a 5096", "b 2000", "kmemdup 1000", "c -128"]),
        ("file", vec!["fs/ext4/inode.c 5096", "fs/ext4/dir.c 2000", "mm/util.c 1000", "fs/xfs/x.c -128"]),
        ("dir", vec!["fs/ext4 7096", "mm 1000", "fs/xfs -128"]),
        ("dir:1", vec!["fs 6968", "mm 1000"]),
        ("module", vec!["ext4 7096", " 872"]),
    ] {
        let view = View { group: group.parse().unwrap(), ..View::default() };
        assert_eq!(shown(&view), expected, "{group}");
    }
    let subsystems = shown(&View { group: Group::Subsystem, ..View::default() });
    assert_eq!(subsystems[0], "EXT4 FILE SYSTEM 7096");
}

#[test]
fn backing_store_is_kept_apart_unless_it_is_asked_for() {
    let (profile, subsystems) = (profile(), Subsystems::built_in());
    let apart = View::default().apply(&profile, &subsystems);
    assert_eq!((apart.scale.total, apart.whole.sites.bytes), (7968, 7968));
    assert_eq!((apart.whole.slab.bytes, apart.whole.percpu.bytes, apart.backing.len()), (16384, 8192, 2));
    let together = View { include_backing: true, ..View::default() }.apply(&profile, &subsystems);
    assert_eq!((together.scale.total, together.backing.len()), (7968 + 16384 + 8192, 0));
    assert_eq!(together.entries[0].label, "alloc_slab_page");
    // In a group, it is added up like the rest, and told.
    let view = View { include_backing: true, group: Group::Dir(None), ..View::default() };
    assert_eq!(shown(&view), ["mm 25576", "fs/ext4 7096", "fs/xfs -128"]);
    let selection = view.apply(&profile, &subsystems);
    assert_eq!((selection.entries[0].backing, selection.entries[0].remarks()), (2, "backing:2".to_owned()));
}

#[test]
fn limits_cut_the_list_but_not_the_total() {
    let (profile, subsystems) = (profile(), Subsystems::built_in());
    for (view, entries, empty, cut) in [
        (View::default(), 5, 1, 0),
        (View { zeros: true, ..View::default() }, 6, 0, 0),
        (View { limit: Some(2), ..View::default() }, 2, 1, 3),
        (View { min: Some(1000), ..View::default() }, 4, 1, 1),
        (View { min: Some(1000), limit: Some(3), ..View::default() }, 3, 1, 2),
        (View { limit: Some(0), ..View::default() }, 0, 1, 5),
    ] {
        let selection = view.apply(&profile, &subsystems);
        assert_eq!((selection.entries.len(), selection.empty, selection.cut), (entries, empty, cut), "{view:?}");
        assert_eq!(selection.scale.total, 7968);
    }
}

#[test]
fn a_condition_picks_rows_before_they_are_added_up() {
    let condition = Some(Where::parse("module=ext4 bytes>1000", &Subsystems::built_in()).unwrap());
    assert_eq!(shown(&View { condition, group: Group::Module, ..View::default() }), ["ext4 6096"]);
}

#[test]
fn the_first_sort_key_that_differs_decides() {
    let sort = |text: &str| text.split(',').map(|key| key.parse().unwrap()).collect();
    for (keys, expected) in [
        ("calls", ["kmemdup 1000", "b 2000", "a 1000", "a 4096", "c -128"]),
        ("-calls", ["c -128", "a 4096", "a 1000", "b 2000", "kmemdup 1000"]),
        ("func,bytes", ["a 4096", "a 1000", "b 2000", "c -128", "kmemdup 1000"]),
        ("func,-bytes", ["a 1000", "a 4096", "b 2000", "c -128", "kmemdup 1000"]),
        ("file,line", ["b 2000", "a 4096", "a 1000", "c -128", "kmemdup 1000"]),
    ] {
        assert_eq!(shown(&View { sort: sort(keys), ..View::default() }), expected, "{keys}");
    }
}
