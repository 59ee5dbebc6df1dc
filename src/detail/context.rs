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
        name::{Choice, Name},
        rule::Keys,
    },
    platform::{
        contexts::{Context, Published, Table},
        tidying,
    },
};
use kernel::sync::rcu;

/// Charges an allocation to its context, if the call site is chosen; and returns what the object keeps: the handle of that, or
/// of the call site. The account of the call site is charged by the caller.
#[inline(always)]
pub fn charge(name: Name, allocation: Allocation, slack: usize) -> Handle {
    match name.choice() {
        Choice::NONE => name.account(),
        choice => charge_chosen(name.account(), choice, allocation, slack),
    }
}

#[inline(never)]
fn charge_chosen(site: Handle, choice: Choice, allocation: Allocation, slack: usize) -> Handle {
    let Some(wanted) = choices::get(choice) else {
        // Nobody has decided yet.
        tidying::ask();
        return site;
    };
    if wanted.every() != 0 && !choices::draw(choice, wanted, allocation.bytes) {
        return site;
    }
    let guard = rcu::read_lock();
    let Some(table) = Published::get(&guard) else {
        return site;
    };
    let key = circumstances::key(site, wanted, allocation, &guard);
    let context = if key.keys().has_any(Keys::OF_STACK) {
        seek_by_stack(table, key, wanted, &guard)
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
