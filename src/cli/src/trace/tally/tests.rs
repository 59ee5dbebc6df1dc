// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::trace::event::{Freed, Given, Refusal, Stall};

const TRACER: u32 = 99;

fn scope(command: bool) -> Scope {
    Scope { tracer: TRACER, command, page_size: 4096 }
}

fn memory(site: SiteId, place: Place, bytes: u64) -> Memory {
    Memory { site, place, requested: bytes - 1, bytes, order: 0, node: None }
}

fn event(time: u64, cpu: u32, actor: Actor, what: What) -> Event {
    Event { time, cpu, actor, what }
}

fn alloc(memory: Memory) -> What {
    What::Alloc(memory, Given { gfp: 0 })
}

fn free(memory: Memory) -> What {
    What::Free(memory, Freed { by: 0 })
}

#[test]
fn sites_and_tasks_have_what_their_events_say() {
    let mut tally = Tally::new(scope(false));
    let (task, other) = (Actor::Task(1), Actor::Task(2));
    let (object, pages) = (memory(0, Place::Object(64), 32), memory(1, Place::Page(8), 4 * 4096));
    for (time, cpu, actor, what) in [
        (10, 0, task, alloc(object)),
        (20, 0, task, alloc(pages)),
        (30, 1, other, free(object)),
        // A part of the pages: their number is one, and their bytes are what tells.
        (40, 0, Actor::Interrupt, free(memory(1, Place::Page(10), 4096))),
        (50, 0, other, free(memory(2, Place::Object(1), 8))),
        (60, 0, task, What::Fail(Refusal { site: 0, requested: 1, order: 0, gfp: 0, injected: false, again: false })),
        (70, 0, task, What::Stall(Stall { site: 0, cause: "slab", ns: 1 })),
        (80, 0, Actor::Interrupt, What::Lost(Lost::So(3))),
        (80, 1, Actor::Interrupt, What::Lost(Lost::Some)),
    ] {
        assert!(tally.count(&event(time, cpu, actor, what)).counted, "{time}");
    }
    let sites = tally.sites();
    let of = |site: &SiteTally| (site.allocs, site.allocated, site.frees, site.freed, site.crossed);
    assert_eq!(
        sites.iter().map(of).collect::<Vec<_>>(),
        [(1, 32, 1, 32, 1), (1, 4 * 4096, 1, 4096, 0), (0, 0, 1, 8, 0)]
    );
    assert_eq!((sites[0].requested, sites[0].failed, sites[0].stalls), (31, 1, 1));
    assert_eq!(sites[0].lifetimes.max_ns(), Some(20));
    // In front of the hole that was freed, and behind it.
    assert_eq!((sites[0].left, sites[1].left), (Left::default(), Left { objects: 2, bytes: 3 * 4096 }));
    let of = |actor: &ActorTally| (actor.allocs, actor.bytes, actor.pages, actor.frees);
    assert_eq!(of(&tally.actors[&task]), (2, 32, 4, 0));
    assert_eq!((of(&tally.actors[&other]), of(&tally.actors[&Actor::Interrupt])), ((0, 0, 0, 2), (0, 0, 0, 1)));
    assert_eq!((tally.unseen, tally.lost, tally.gaps, tally.lifetimes.count()), (1, 3, 2, 2));
}

#[test]
fn what_the_tracer_allocates_is_nobodys_whoever_frees_it() {
    let mut tally = Tally::new(scope(false));
    let object = memory(0, Place::Object(64), 32);
    for (actor, what) in
        [(Actor::Task(TRACER), alloc(object)), (Actor::Task(1), free(object)), (Actor::Task(TRACER), free(object))]
    {
        assert!(!tally.count(&event(1, 0, actor, what)).counted);
    }
    // But not what others allocate, and it happens to free.
    assert!(tally.count(&event(1, 0, Actor::Task(1), alloc(object))).counted);
    assert!(tally.count(&event(1, 0, Actor::Task(TRACER), free(object))).counted);
}

#[test]
fn of_a_command_all_counts_that_it_allocates_and_what_becomes_of_it() {
    let mut tally = Tally::new(scope(true));
    let (object, others) = (memory(0, Place::Object(64), 32), memory(1, Place::Object(128), 32));
    for (actor, what, expected) in [
        (Actor::Task(1), alloc(object), true),
        (Actor::Interrupt, alloc(others), false),
        (Actor::Task(2), free(memory(2, Place::Object(7), 8)), false),
        (Actor::Task(1), free(others), false),
        (Actor::Task(2), free(object), true),
    ] {
        assert_eq!(tally.count(&event(1, 0, actor, what)).counted, expected, "{actor:?}");
    }
    assert_eq!((tally.unseen, tally.lifetimes.count()), (0, 1));
}

#[test]
fn pages_that_have_changed_hands_tell_no_lifetime() {
    let mut tally = Tally::new(scope(false));
    tally.count(&event(1, 0, Actor::Task(1), alloc(memory(0, Place::Page(8), 4096))));
    tally.count(&event(2, 1, Actor::Task(1), free(memory(1, Place::Page(8), 4096))));
    let sites = tally.sites();
    assert_eq!((tally.moved, tally.lifetimes.count(), sites[0].crossed), (1, 0, 0));
    // Each call site has what the kernel counts for it.
    assert_eq!((sites[0].allocs, sites[0].frees, sites[1].allocs, sites[1].frees), (1, 0, 0, 1));
}

#[test]
fn what_is_allocated_twice_was_freed_between_and_that_was_lost() {
    let mut tally = Tally::new(scope(false));
    for _ in 0..2 {
        tally.count(&event(1, 0, Actor::Task(1), alloc(memory(0, Place::Object(64), 32))));
    }
    assert_eq!((tally.unended, tally.sites()[0].left), (1, Left { objects: 1, bytes: 32 }));
}
