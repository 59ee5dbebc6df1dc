// SPDX-License-Identifier: GPL-2.0-only

//! The contexts, with all that has to be there for them.

use super::capacity;
use crate::{
    model::context::Key,
    platform::{
        contexts::{Context, Published, Table},
        detailed::{self, Detailed},
        module::Module,
        stack::Walk,
    },
    registry::Reserved,
};
use kernel::prelude::*;

/// The table of contexts, what finds stacks, their handles, and the hooks that know them; they go in this order.
pub(super) struct Store {
    table: Published,
    walk: Walk,
    _handles: Reserved,
    _hooks: Detailed,
    /// Where room was made last.
    hand: usize,
}

impl Store {
    /// Makes it. May sleep for long.
    ///
    /// # Errors
    ///
    /// `ENOMEM`; `ENOSPC` where modules have so many accounts that no handles are left, and the log says so.
    pub(super) fn make() -> Result<Self> {
        let walk = Walk::prepare()?;
        let capacity = capacity::get().get() as usize;
        let hooks = Detailed::engage();
        let Some(handles) = Reserved::from(Table::first_handle(capacity)) else {
            pr_err!("control: modules have call sites where {capacity} contexts should be\n");
            return Err(ENOSPC);
        };
        Ok(Self {
            table: Published::new(Table::make(capacity)?),
            walk,
            _handles: handles,
            _hooks: hooks,
            hand: 0,
        })
    }

    /// How many contexts there can be.
    pub(super) fn places(&self) -> usize {
        self.table.capacity()
    }

    /// The context at a place, if there is one.
    pub(super) fn context(&self, place: usize) -> Option<Context<'_>> {
        self.table.context(place)
    }

    /// All contexts.
    pub(super) fn contexts(&self) -> impl Iterator<Item = Context<'_>> {
        let places = 0..self.table.capacity();
        places.filter_map(|place| self.table.context(place))
    }

    /// The first context from a place on, and its place.
    pub(super) fn context_from(&self, place: usize) -> Option<(usize, Context<'_>)> {
        let mut places = place..self.table.capacity();
        places.find_map(|place| Some((place, self.table.context(place)?)))
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.contexts().next().is_none()
    }

    /// Has allocations find some contexts no more, and frees those that are idle.
    pub(super) fn drop_those(&mut self, gone: impl Fn(&Key<'_>) -> bool) {
        for context in self.contexts().filter(|context| context.is_linked()) {
            if context.key().is_some_and(|key| gone(&key)) {
                context.unlink();
            }
        }
        self.free();
    }

    /// Has stacks forget the functions of a module that is going. May sleep.
    pub(super) fn forget(&self, module: &Module) {
        self.walk.forget(module);
    }

    /// Frees contexts that nobody finds any more and that are idle; and if less than an eighth of all are free, some that are
    /// found but idle, until it is a quarter.
    pub(super) fn make_room(&mut self) {
        let (capacity, mut left) = (self.table.capacity(), self.table.left());
        if self.table.is_scarce() {
            for _ in 0..capacity {
                self.hand = (self.hand + 1) % capacity;
                let context = self.table.context(self.hand);
                if let Some(context) =
                    context.filter(|context| context.is_linked() && context.is_idle())
                {
                    context.unlink();
                    left += 1;
                }
                if left >= capacity / 4 {
                    break;
                }
            }
        }
        self.free();
    }

    /// Frees those that nobody finds any more and that are idle. May sleep for long.
    fn free(&self) {
        let left = self.contexts().filter(|context| !context.is_linked());
        if left.filter(|context| context.mark()).count() == 0 {
            return;
        }
        detailed::wait();
        self.contexts().for_each(Context::free);
    }
}
