// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::{Meta, Names, Origin, Profile};
use crate::source::file;
use crate::subsystem::Subsystems;
use crate::top::{Column, Filter};
use crate::view::Group;

const BEFORE: &str = "allocinfo - version: 2.0\n\
    1000 10 fs/ext4/inode.c:1 [ext4] func:alloc \n\
    2000 1 fs/ext4/inode.c:2 [ext4] func:alloc \n\
    500 5 mm/util.c:7 func:dup accurate:no \n\
    4096 1 mm/slub.c:9 func:alloc_slab_page \n\
    0 0 mm/util.c:8 func:idle \n";
const AFTER: &str = "allocinfo - version: 2.0\n\
    9000 90 fs/ext4/inode.c:1 [ext4] func:alloc \n\
    500 5 mm/util.c:7 func:dup accurate:no \n\
    4096 1 mm/slub.c:9 func:alloc_slab_page \n\
    0 0 mm/util.c:8 func:idle \n";

fn parse(text: &str, uptime_ms: u64) -> Profile {
    let mut profile = file::decode(text.as_bytes(), Origin::Stdin, &mut Names::new()).unwrap();
    profile.meta = Meta { uptime_ms: Some(uptime_ms), ..profile.meta };
    profile
}

/// The board after both readings: names with bytes and changes.
fn board(settings: &Settings) -> Board {
    let mut history = History::default();
    history.record(parse(BEFORE, 1000));
    let sample = history.record(parse(AFTER, 3000));
    Board::arrange(&sample, &history, settings, &Subsystems::built_in())
}

fn names(board: &Board) -> Vec<&str> {
    board.lines.iter().map(|line| line.name.as_str()).collect()
}

#[test]
fn sites_show_what_they_hold_and_how_it_changed() {
    let board = board(&Settings::default());
    let lines: Vec<_> = board.lines.iter().map(|line| (&*line.name, line.bytes, line.delta, line.rate)).collect();
    assert_eq!(
        lines,
        [
            ("fs/ext4/inode.c:1 [ext4] alloc", 9000, Some(8000), Some(4000)),
            ("mm/util.c:7 dup", 500, Some(0), Some(0)),
            ("fs/ext4/inode.c:2 [ext4] alloc", 0, Some(-2000), Some(-1000)),
        ]
    );
    assert!(board.lines[2].gone && !board.lines[1].accurate && !board.lines[0].gone);
    assert_eq!((board.all.bytes, board.all.delta, board.hidden), (9500, Some(6000), 1));
    assert_eq!((board.whole.slab.bytes, board.whole.sites.sites), (4096, 3));
    assert!(names(&super::super::Board::default()).is_empty());
}

#[test]
fn groups_count_sites_that_are_gone_into_their_change() {
    for (group, expected) in [
        (Group::Func, vec![("alloc fs/ext4/inode.c [ext4]", Some(6000)), ("dup mm/util.c", Some(0))]),
        (Group::File, vec![("fs/ext4/inode.c", Some(6000)), ("mm/util.c", Some(0))]),
        (Group::Dir(Some(1)), vec![("fs", Some(6000)), ("mm", Some(0))]),
        (Group::Module, vec![("ext4", Some(6000)), ("(built-in)", Some(0))]),
    ] {
        let board = board(&Settings { group, ..Settings::default() });
        let lines: Vec<_> = board.lines.iter().map(|line| (&*line.name, line.delta)).collect();
        assert_eq!(lines, expected, "{group}");
    }
}

#[test]
fn filters_limits_and_zeros_are_obeyed() {
    let with = |change: fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        board(&settings)
    };
    let filtered = with(|settings| settings.filter = Filter::parse("util", &Subsystems::built_in()).unwrap());
    assert_eq!((names(&filtered), filtered.all.bytes), (vec!["mm/util.c:7 dup"], 500));
    assert_eq!(with(|settings| settings.zeros = true).lines.len(), 4);
    assert_eq!(with(|settings| settings.limit = Some(1)).hidden, 3);
    assert_eq!(with(|settings| settings.min = Some(501)).lines.len(), 1);
    let backed = with(|settings| settings.include_backing = true);
    assert_eq!((names(&backed)[1], backed.all.bytes), ("mm/slub.c:9 alloc_slab_page", 13_596));
    let by_loss = with(|settings| settings.order = "-delta".parse().unwrap());
    assert_eq!(by_loss.lines[0].delta, Some(-2000));
}

#[test]
fn trees_open_branch_by_branch_and_fold_single_children() {
    let mut settings = Settings { tree: true, ..Settings::default() };
    let closed = board(&settings);
    // The second has a site that holds nothing beside the one that can be seen.
    assert_eq!(names(&closed), ["fs/ext4/inode.c", "mm/util.c"]);
    assert_eq!((closed.lines[0].open, closed.lines[1].depth), (Some(false), 0));
    settings.open.insert(closed.lines[0].id.clone());
    let open = board(&settings);
    assert_eq!(names(&open)[..2], ["fs/ext4/inode.c", "alloc:1 [ext4]"]);
    assert_eq!((open.lines[0].open, open.lines[1].open, open.lines[1].depth), (Some(true), None, 1));
    assert_eq!(open.find(&open.lines[1].id), Some(1));
    let modules = board(&Settings { tree: true, group: Group::Module, ..Settings::default() });
    assert!(names(&modules)[0].starts_with("ext4 "), "{:?}", names(&modules));
}

#[test]
fn what_a_kernel_counts_besides_is_added_up_and_shown_while_it_is_the_order() {
    let text = |rows: &str| format!("sites - version: 1.0\n# bytes slack calls allocs frees tag\n{rows}");
    let mut history = History::default();
    history.record(parse(
        &text("64 8 1 10 9 fs/a.c:1 func:f\n0 0 0 50 50 fs/b.c:1 func:g\n0 0 0 9 9 fs/c.c:1 func:h\n"),
        1000,
    ));
    let sample = history.record(parse(
        &text("64 16 1 30 29 fs/a.c:1 func:f\n0 0 0 250 250 fs/b.c:1 func:g\n0 0 0 9 9 fs/c.c:1 func:h\n"),
        3000,
    ));
    let shown = |sort: &str, group: &str| {
        let settings = Settings { order: sort.parse().unwrap(), group: group.parse().unwrap(), ..Settings::default() };
        let board = Board::arrange(&sample, &history, &settings, &Subsystems::built_in());
        let cell = |line: &Line, column: &str| {
            let columns = Column::list(column).unwrap();
            line.cell(columns[0], 0, crate::render::Units::Raw, true, &history)
        };
        let line = |line: &Line| format!("{} {} {}", line.name, cell(line, "allocs"), cell(line, "waste"));
        board.lines.iter().map(line).collect::<Vec<_>>()
    };
    assert_eq!(shown("bytes", "site"), ["fs/a.c:1 f 10 25.0%"]);
    assert_eq!(shown("allocs", "site"), ["fs/b.c:1 g 100 -", "fs/a.c:1 f 10 25.0%"]);
    assert_eq!(shown("slack", "dir"), ["fs 110 25.0%"]);
}
