// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;

/// Three columns: a number that stays, one that can be spared, a name.
fn columns(name: (usize, usize)) -> [Wish; 3] {
    let name = Wish { most: name.0, usual: name.1, least: 10, spare: 0 };
    [Wish::whole(8, 0), Wish::whole(6, 1), name]
}

#[test]
fn columns_are_given_up_before_a_name_is_cut() {
    for (room, name, expected) in [
        (100, (40, 40), [Some(8), Some(6), Some(40)]),
        (58, (40, 40), [Some(8), Some(6), Some(40)]),
        (57, (40, 40), [Some(8), None, Some(40)]),
        (50, (40, 40), [Some(8), None, Some(40)]),
        (49, (40, 40), [Some(8), None, Some(39)]),
        (20, (40, 40), [Some(8), None, Some(10)]),
        // Nothing can be done about that: lines are cut.
        (5, (40, 40), [Some(8), None, Some(10)]),
        // A few long names are cut, and the column is not given up for them.
        (57, (90, 39), [Some(8), Some(6), Some(39)]),
        (58, (40, 30), [Some(8), Some(6), Some(40)]),
    ] {
        assert_eq!(fit(&columns(name), 2, room), expected, "{room} {name:?}");
    }
}

#[test]
fn what_can_best_be_spared_goes_first_and_of_equals_the_last() {
    let wishes = [(5, 1), (5, 3), (5, 0), (5, 3)].map(|(width, spare)| Wish::whole(width, spare));
    let stay =
        |room| fit(&wishes, 1, room).iter().map(|width| if width.is_some() { 'x' } else { '.' }).collect::<String>();
    for (room, expected) in [(23, "xxxx"), (22, "xxx."), (16, "x.x."), (10, "..x."), (0, "..x.")] {
        assert_eq!(stay(room), expected, "{room}");
    }
    assert_eq!(fit(&[], 1, 0), []);
    // The narrow one went first, in vain.
    let wishes = [Wish::whole(5, 0), Wish::whole(3, 2), Wish::whole(20, 1)];
    assert_eq!(fit(&wishes, 1, 10), [Some(5), Some(3), None]);
}

#[test]
fn one_in_twenty_is_unusual() {
    for (widths, expected) in
        [(vec![], 0), (vec![7], 7), ((1..=19).collect(), 19), ((1..=20).collect(), 19), ((1..=40).rev().collect(), 38)]
    {
        assert_eq!(usual(widths.clone()), expected, "{widths:?}");
    }
}

#[test]
fn of_a_place_in_the_source_the_end_of_the_path_stays() {
    let site = "drivers/nvme/host/pci.c:612 [nvme] func:setup";
    for (width, expected) in [
        (45, site),
        (44, "…/nvme/host/pci.c:612 [nvme] func:setup"),
        (39, "…/nvme/host/pci.c:612 [nvme] func:setup"),
        (38, "…/host/pci.c:612 [nvme] func:setup"),
        (29, "…/pci.c:612 [nvme] func:setup"),
        (28, "pci.c:612 [nvme] func:setup"),
        (27, "pci.c:612 [nvme] func:setup"),
        (26, "pci.c:612 [nvme] func:set…"),
        (1, "…"),
        (0, ""),
    ] {
        assert_eq!(shorten(site, width, End::Front, true), expected, "{width}");
    }
    assert_eq!(shorten(site, 40, End::Front, false), "../nvme/host/pci.c:612 [nvme] func:setup");
    assert_eq!(shorten("<A as B/C>::drop", 9, End::Back, true), "<A as B/…");
    assert_eq!(shorten("äöü/äöü.c", 6, End::Front, true), "äöü.c");
    assert_eq!(shorten("abcdef", 4, End::Back, false), "ab..");
}

#[test]
fn a_name_that_cannot_be_whole_wants_no_more_than_it_can_have() {
    let site = "drivers/nvme/host/pci.c:612 [nvme] func:setup";
    for (text, room, end, expected) in [
        (site, 45, End::Front, 45),
        (site, 44, End::Front, "…/pci.c:612 [nvme] func:setup".chars().count()),
        (site, 9, End::Front, 29),
        ("alloc_pages_bulk", 9, End::Back, 9),
        ("alloc_pages_bulk", 9, End::Front, 9),
        ("", 0, End::Front, 0),
    ] {
        assert_eq!(wanted(text, room, end), expected, "{text} {room}");
    }
}
