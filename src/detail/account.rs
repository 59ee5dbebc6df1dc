// SPDX-License-Identifier: GPL-2.0-only

//! What an object is charged to: the account of its call site, and one of its contexts where it has some.

use super::{
    choices::{self, Wanted},
    circumstances,
};
use crate::{
    model::{
        context::{Key, FRAMES},
        handle::Handle,
        name::Choice,
        rule::Keys,
    },
    platform::{
        contexts::{Context, Published, Table},
        counters::{self, Counted, Place},
        tag::Tag,
        tidying,
    },
};
use kernel::sync::rcu;

pub use circumstances::Allocation;

/// An account, and one of its contexts, perhaps.
#[derive(Clone, Copy)]
pub struct Account<'a> {
    site: Handle,
    place: Place,
    context: Option<Context<'a>>,
}

impl<'a> Account<'a> {
    /// That of something which lives, by what it keeps.
    pub fn of(kept: Handle) -> Self {
        let context = Context::of(kept);
        let site = context.and_then(Context::site).unwrap_or(kept);
        Self::new(site, context)
    }

    #[inline(always)]
    fn new(site: Handle, context: Option<Context<'a>>) -> Self {
        Self {
            site,
            place: Place::of(site),
            context,
        }
    }

    /// That of an allocation, which is charged to it before the guard goes.
    #[inline(always)]
    pub fn for_allocation(tag: &Tag, allocation: Allocation, guard: &'a rcu::Guard) -> Self {
        let name = tag.name();
        let site = name.account();
        let context = match name.choice() {
            Choice::NONE => None,
            choice => seek(site, choice, allocation, guard),
        };
        Self::new(site, context)
    }

    /// What an object keeps of it.
    pub fn handle(self) -> Handle {
        self.context.map_or(self.site, Context::handle)
    }

    /// Charges `calls` more objects, whose bytes are charged already.
    pub fn add_calls(self, calls: usize) {
        counters::add_calls(self.place, calls);
        if let Some(context) = self.context {
            context.give(0, calls as u64, 0);
        }
    }

    /// Takes bytes away from an object that lives on.
    pub fn sub_bytes(self, bytes: usize) {
        counters::sub_bytes(self.place, bytes);
        if let Some(context) = self.context {
            context.take(bytes as u64, 0, 0);
        }
    }

    /// Of an object that lives on, so much is slack and so much was.
    pub fn change_slack(self, _bytes: usize, now: usize, before: usize) {
        counters::change_slack(self.place, now, before);
        if let Some(context) = self.context {
            context.slack((now as u64).wrapping_sub(before as u64));
        }
    }

    /// Takes one object away that was never given to anybody.
    #[cfg(CONFIG_ALLOCTAG_STATS)]
    pub fn undo(self, bytes: usize, slack: usize) {
        counters::undo(self.place, bytes, slack);
        if let Some(context) = self.context {
            context.undo(bytes as u64, 1, slack as u64);
        }
    }
}

/// The context of an allocation of a chosen call site.
#[inline(always)]
fn seek<'a>(
    site: Handle,
    choice: Choice,
    allocation: Allocation,
    guard: &'a rcu::Guard,
) -> Option<Context<'a>> {
    let Some(wanted) = choices::get(choice) else {
        // Nobody has decided yet.
        tidying::ask();
        return None;
    };
    let table = Published::get(guard)?;
    let key = circumstances::key(site, wanted, allocation, guard);
    let context = if key.keys().has_any(Keys::OF_STACK) {
        seek_by_stack(table, key, wanted)
    } else {
        table.find_or_make(key)
    };
    if context.is_none() {
        wanted.lose();
    }
    context
}

/// The context whose key is still without its stack.
#[inline(never)]
fn seek_by_stack<'a>(table: &'a Table, key: Key<'_>, wanted: &Wanted) -> Option<Context<'a>> {
    let mut frames = [0; FRAMES];
    let callers = circumstances::callers(key.keys(), wanted.depth(), &mut frames);
    table.find_or_make(key.with_stack(callers))
}

impl Counted for Account<'_> {
    #[inline(always)]
    fn add(self, bytes: usize, slack: usize, keep: impl FnOnce()) {
        self.place.add(bytes, slack, keep);
        if let Some(context) = self.context {
            context.give(bytes as u64, 1, slack as u64);
        }
    }

    #[inline(always)]
    fn sub(self, bytes: usize, slack: usize) {
        self.place.sub(bytes, slack);
        if let Some(context) = self.context {
            context.take(bytes as u64, 1, slack as u64);
        }
    }
}
