// SPDX-License-Identifier: GPL-2.0-only

//! What an object is charged to: the account of its call site, and one of its contexts where it has some.

use super::{choices, circumstances};
use crate::{
    model::{context::Key, handle::Handle, name::Choice, reference::Reference},
    platform::{
        contexts::{Context, Table},
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
            context.give(0, calls as u64);
        }
    }

    /// Takes bytes away from an object that lives on.
    pub fn sub_bytes(self, bytes: usize) {
        counters::sub_bytes(self.place, bytes);
        if let Some(context) = self.context {
            context.take(bytes as u64, 0);
        }
    }

    /// Takes one object of `bytes` bytes away that was never given to anybody.
    #[cfg(CONFIG_ALLOCTAG_STATS)]
    pub fn undo(self, bytes: usize) {
        counters::undo(self.place, bytes);
        if let Some(context) = self.context {
            context.undo(bytes as u64);
        }
    }
}

/// The context of an allocation of a chosen call site.
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
    let table = Table::get(guard)?;
    let find = |key: &Key<'_>| table.find_or_make(key);
    let context = circumstances::with_key(site, wanted, allocation, guard, find);
    if context.is_none() {
        wanted.lose();
    }
    if table.is_scarce() {
        tidying::ask();
    }
    context
}

/// Slack in bytes, of what counters hold.
const fn slack_bytes(slack: usize) -> u64 {
    slack as u64 >> Reference::SLACK_SHIFT
}

impl Counted for Account<'_> {
    fn add(self, bytes: usize) {
        self.place.add(bytes);
        if let Some(context) = self.context {
            context.give(bytes as u64, 1);
        }
    }

    fn sub(self, bytes: usize) {
        self.place.sub(bytes);
        if let Some(context) = self.context {
            context.take(bytes as u64, 1);
        }
    }

    fn add_slack(self, slack: usize) {
        self.place.add_slack(slack);
        if let Some(context) = self.context {
            context.slack(slack_bytes(slack));
        }
    }

    fn sub_slack(self, slack: usize) {
        self.place.sub_slack(slack);
        if let Some(context) = self.context {
            context.slack(slack_bytes(slack).wrapping_neg());
        }
    }
}
