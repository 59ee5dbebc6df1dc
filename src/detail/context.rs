// SPDX-License-Identifier: GPL-2.0-only

//! The context of an allocation: sought, made where there is none yet, and charged.

use super::{
    choices::{self, Wanted},
    circumstances::{self, Allocation},
};
use crate::{
    model::{
        context::{Key, FRAMES},
        handle::Handle,
        load::Load,
        name::Choice,
        rule::Keys,
    },
    platform::{
        contexts::{Context, Published, Table},
        tag::Tag,
        tidying,
    },
};
use kernel::sync::rcu;

/// Charges an allocation to its context, if the call site is chosen; and returns what the object keeps, the handle of that or of
/// the call site, and the latter. The account of the call site is charged by the caller.
#[inline(always)]
pub fn charge(tag: &Tag, allocation: Allocation, slack: usize) -> (Handle, Handle) {
    // From before the choice is read on: who takes its number back waits as long.
    let guard = rcu::read_lock();
    let name = tag.name();
    let site = name.account();
    match name.choice() {
        Choice::NONE => (site, site),
        choice => (charge_chosen(site, choice, allocation, slack, &guard), site),
    }
}

#[inline(never)]
fn charge_chosen(
    site: Handle,
    choice: Choice,
    allocation: Allocation,
    slack: usize,
    guard: &rcu::Guard,
) -> Handle {
    let Some(wanted) = choices::get(choice) else {
        // Nobody has decided yet.
        tidying::ask();
        return site;
    };
    if wanted.every() != 0 && !choices::draw(choice, wanted, allocation.bytes) {
        return site;
    }
    let Some(table) = Published::get(guard) else {
        return site;
    };
    let key = circumstances::key(site, wanted, allocation, guard);
    let context = if key.keys().has_any(Keys::OF_STACK) {
        seek_by_stack(table, key, wanted, guard)
    } else {
        table.find_or_make(key)
    };
    match context {
        Some(context) => {
            context.give(Load::of(allocation.bytes, slack));
            context.handle()
        }
        None => {
            wanted.lose();
            site
        }
    }
}

/// The context whose key is still without its stack.
#[inline(never)]
fn seek_by_stack<'a>(
    table: &'a Table,
    key: Key<'_>,
    wanted: &Wanted,
    guard: &rcu::Guard,
) -> Option<Context<'a>> {
    let mut frames = [0; FRAMES];
    let callers = circumstances::callers(key.keys(), wanted.depth(), &mut frames, guard);
    table.find_or_make(key.with_stack(callers))
}
