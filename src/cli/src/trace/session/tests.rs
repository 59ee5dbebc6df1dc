// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::trace::made;

const A: made::Named = ("mm/a.c", 1, "a", "");
const B: made::Named = ("drivers/b.c", 2, "b", "b");
const SH: made::Who = (0, 10);

fn head() -> Head {
    Head {
        page_size: 4096,
        header_page: made::HEADER.into(),
        formats: made::FORMATS.iter().map(|(_, text)| (*text).to_owned()).collect(),
        tracer: 99,
        ..Head::default()
    }
}

/// What is told of these pieces: time, CPU, event, function, task, and who frees if that is known.
fn told(session: &mut Session<'_>, pieces: &[Piece<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    for piece in pieces {
        let watch = &mut |told: &Told<'_>| {
            let Event { time, cpu, what, .. } = told.event;
            let site = told.site.map_or("-", |site| site.func.as_str());
            let task = told.task.map_or("-", |task| task.name.as_str());
            let caller = told.caller.map(|caller| format!(" by {caller}")).unwrap_or_default();
            lines.push(format!("{time} {cpu} {} {site} {task}{caller}", what.name()));
            Ok(())
        };
        session.take(piece, watch).unwrap();
    }
    lines
}

#[test]
fn pieces_of_several_cpus_become_events_in_order_with_all_that_is_known() {
    let mut session = Session::new(&head(), Box::new(|_| true)).unwrap();
    let first = made::page(100, &[(0, made::alloc(SH, A, 64, 8, 8)), (50, made::alloc(SH, B, 128, 8, 8))], None);
    let second = made::page(110, &[(10, made::free((0, 11), A, 64, 8, 8))], Some(4));
    let pieces = [Piece::Pages(0, first.into()), Piece::Pages(1, second.into())];
    assert_eq!(told(&mut session, &pieces), [""; 0]);
    assert_eq!(session.strangers(), [10, 11].into());
    assert!(session.strangers().is_empty());
    let task = |name: &str| Task { process: 10, name: name.into() };
    let tasks = Piece::Tasks([(10, task("sh")), (11, task("rcu"))].into());
    assert_eq!(session.unnamed(), [0xffff_ffff_8100_0000].into());
    let callers = Piece::Callers([(0xffff_ffff_8100_0000, "f+0x1".into())].into());
    assert_eq!(
        told(&mut session, &[tasks, callers, Piece::Mark(130)]),
        ["100 0 alloc a sh", "110 1 lost - -", "120 1 free a rcu by f+0x1"]
    );
    let again = made::page(140, &[(0, made::free((0, 11), A, 64, 8, 8))], None);
    assert_eq!(told(&mut session, &[Piece::Pages(1, again.into()), Piece::Mark(145)]), ["140 1 free a rcu by f+0x1"]);
    assert!(session.unnamed().is_empty());
    assert_eq!(told(&mut session, &[Piece::Tail(Tail { end: 200, ..Tail::default() })]), ["150 0 alloc b sh"]);
    assert_eq!((session.last, session.tally.lost, session.damaged), (200, 4, 0));
}

#[test]
fn only_chosen_call_sites_are_told_and_counted() {
    let mut session = Session::new(&head(), Box::new(|site| site.module.is_some())).unwrap();
    let page = made::page(0, &[(0, made::alloc(SH, A, 64, 8, 8)), (1, made::alloc(SH, B, 128, 8, 8))], None);
    assert_eq!(told(&mut session, &[Piece::Pages(0, page.into()), Piece::Mark(9)]), ["1 0 alloc b -"]);
    assert_eq!(session.tally.sites().iter().map(|site| site.allocs).sum::<u64>(), 1);
}

#[test]
fn damage_is_counted_and_what_is_whole_is_read() {
    let mut session = Session::new(&head(), Box::new(|_| true)).unwrap();
    let mut short = made::alloc(SH, A, 64, 8, 8);
    short.truncate(40);
    let mut foreign = made::alloc(SH, A, 64, 8, 8);
    foreign[0] = 1;
    let page = made::page(0, &[(0, short), (1, foreign), (1, made::alloc(SH, A, 64, 8, 8))], None);
    let pages = [page, vec![0; 100]].concat();
    assert_eq!(told(&mut session, &[Piece::Pages(0, pages.into()), Piece::Mark(9)]), ["2 0 alloc a -"]);
    assert_eq!(session.damaged, 2);
}

#[test]
fn a_head_that_makes_no_sense_is_refused() {
    for head in [Head::default(), Head { formats: Vec::new(), ..head() }, Head { formats: vec!["x".into()], ..head() }]
    {
        assert!(Session::new(&head, Box::new(|_| true)).is_err());
    }
}
