// SPDX-License-Identifier: GPL-2.0-only

//! The context of an allocation: sought, made where there is none yet, and charged.

use super::{
    choices,
    circumstances::{self, Allocation},
    lifetimes,
};
use crate::{
    model::{
        context::{Key, FRAMES},
        handle::Handle,
        load::Load,
        name::{Choice, Name},
    },
    platform::{
        contexts::{Context, Published},
        counters::Place,
        page::Page,
        tag::Tag,
        tidying,
    },
};
use kernel::sync::rcu;

/// Charges an allocation to its context, if the call site is chosen; and returns what the object keeps, the handle of that or of
/// the call site, or its own where it is followed; and where the account of the call site has its counters, which the caller
/// charges. The guard is from before the choice is read on: who takes its number back waits as long.
#[inline(always)]
pub fn charge(
    tag: &Tag,
    allocation: Allocation,
    slack: usize,
    guard: &rcu::Guard,
) -> (Handle, Place) {
    let name = tag.name();
    let (kept, place) = charge_context(name, allocation, slack, guard);
    if name.following().is_some() {
        return (lifetimes::follow(name, kept, allocation.bytes), place);
    }
    (kept, place)
}

/// The same of what is not followed.
#[inline(always)]
fn charge_context(
    name: Name,
    allocation: Allocation,
    slack: usize,
    guard: &rcu::Guard,
) -> (Handle, Place) {
    let site = name.account();
    if let Some(context) = find(name, allocation, guard) {
        context.give(Load::of(allocation.bytes, slack));
        return (context.handle(), context.account());
    }
    let kept = match name.choice() {
        Choice::NONE => site,
        _ => {
            let Allocation {
                page,
                bytes,
                order,
                gfp,
            } = allocation;
            // One by one, so that they need not be in memory for the many that are found.
            charge_long(name, page, bytes, order, gfp, slack, guard)
        }
    };
    (kept, Place::of(site))
}

/// The context of an allocation that is told apart by what is at hand, if there is one yet.
#[inline(always)]
fn find<'a>(name: Name, allocation: Allocation, guard: &'a rcu::Guard) -> Option<Context<'a>> {
    let wanted = choices::get(name.choice())?;
    let start = wanted.start();
    if !start.is_short() {
        return None;
    }
    let key = circumstances::short_key(Key::new(name.account(), start), allocation, guard);
    Published::get(guard)?.find(key)
}

/// Charges an allocation to its context, where that is yet to be made, or told by what takes long, or where some allocations only
/// are looked at; and returns what the object keeps.
#[inline(never)]
fn charge_long(
    name: Name,
    page: Option<Page>,
    bytes: usize,
    order: u32,
    gfp: u32,
    slack: usize,
    guard: &rcu::Guard,
) -> Handle {
    let (site, choice) = (name.account(), name.choice());
    let Some(wanted) = choices::get(choice) else {
        // Nobody has decided yet.
        tidying::ask();
        return site;
    };
    let every = wanted.every();
    if every != 0 && !choices::draw(choice, every, bytes) {
        return site;
    }
    let Some(table) = Published::get(guard) else {
        return site;
    };
    let allocation = Allocation {
        page,
        bytes,
        order,
        gfp,
    };
    let mut key = circumstances::key(Key::new(site, wanted.start()), wanted, allocation, guard);
    key.set_every(every);
    let mut frames = [0; FRAMES];
    let callers = circumstances::callers(key.keys(), wanted, &mut frames, guard);
    let Some(context) = table.find_or_make(key.with_stack(callers)) else {
        wanted.lose();
        return site;
    };
    context.give(Load::of(bytes, slack));
    context.handle()
}
