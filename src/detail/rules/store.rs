// SPDX-License-Identifier: GPL-2.0-only

//! The contexts, with all that has to be there for them.

use super::{
    capacity,
    departed::{self, Departed, Name},
};
use crate::{
    model::context::Key,
    platform::{
        contexts::{Context, Published, Table},
        detailed::{self, Detailed},
        module::Module,
        resched,
        stack::{self, Walk},
    },
    registry::Reserved,
};
use kernel::{alloc_hooks, prelude::*};

/// The table of contexts, what finds stacks, their handles, and the hooks that know them; they go in this order.
pub(super) struct Store {
    table: Published,
    walk: Walk,
    _handles: Reserved,
    _hooks: Detailed,
    /// How many contexts there are that nobody finds any more.
    left_over: usize,
    /// Where room was made last.
    hand: usize,
    /// Functions that have gone, in the order in which they went.
    departed: KVec<Departed>,
    /// For some there was no memory.
    is_unnamed: bool,
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
            left_over: 0,
            hand: 0,
            departed: KVec::new(),
            is_unnamed: false,
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

    /// The places where there may be contexts, one after the other. May sleep at each.
    fn each_place(&self) -> impl Iterator<Item = usize> {
        let places = self.table.places();
        places.inspect(|place| resched::at_step(*place as u64))
    }

    /// All contexts. May sleep at each.
    pub(super) fn contexts(&self) -> impl Iterator<Item = Context<'_>> {
        let places = self.each_place();
        places.filter_map(|place| self.table.context(place))
    }

    /// The first context from a place on, and its place. May sleep.
    pub(super) fn context_from(&self, place: usize) -> Option<(usize, Context<'_>)> {
        let mut places = place..self.table.places().end;
        places.find_map(|place| {
            resched::at_step(place as u64);
            Some((place, self.table.context(place)?))
        })
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.contexts().next().is_none()
    }

    /// Has allocations find some contexts no more.
    pub(super) fn unlink_those(&mut self, gone: impl Fn(&Key<'_>) -> bool) {
        let mut unlinked = 0;
        for context in self.contexts().filter(|context| context.is_linked()) {
            if gone(&context.key()) {
                context.unlink();
                unlinked += 1;
            }
        }
        self.left_over += unlinked;
    }

    /// The same, and frees those that are idle.
    pub(super) fn drop_those(&mut self, gone: impl Fn(&Key<'_>) -> bool) {
        self.unlink_those(gone);
        self.free();
    }

    /// Keeps the names of functions that are about to go, for contexts that nobody finds any more. May sleep.
    pub(super) fn keep_names(&mut self, is_going: impl Fn(u64) -> bool) {
        self.name_those(is_going, departed::name);
    }

    /// The same where there are other functions by now: those that went have no names.
    pub(super) fn lose_names(&mut self, is_gone: impl Fn(u64) -> bool) {
        self.name_those(is_gone, departed::no_name);
    }

    fn name_those(&mut self, is_going: impl Fn(u64) -> bool, name: impl Fn(u64) -> Name) {
        if self.left_over == 0 {
            return;
        }
        let left = self.each_place().filter_map(|place| {
            let context = self.table.context(place)?;
            (!context.is_linked()).then(|| (place, context.key()))
        });
        // What was there before goes by the name that it had then.
        let has_name = |place, address| {
            let mut departed = self.departed.iter();
            departed.any(|departed| departed.name(place, address).is_some())
        };
        let is_wanted = |place, address| is_going(address) && !has_name(place, address);
        let kept = Departed::of(left, is_wanted, name).and_then(|departed| {
            if departed.is_needed() {
                alloc_hooks!(self.departed.push(departed, GFP_KERNEL))?;
            }
            Ok(())
        });
        if kept.is_err() {
            self.is_unnamed = true;
            pr_warn!("no memory to keep the names of a module's functions\n");
        }
    }

    /// Gives `with` what a function is called that the context at a place has in its stack.
    pub(super) fn name<T>(&self, place: usize, address: u64, with: impl FnOnce(&[u8]) -> T) -> T {
        let context = self.table.context(place);
        if context.is_none_or(|context| context.is_linked()) {
            return stack::name(address, with);
        }
        if self.is_unnamed {
            // It may be another module's by now.
            let is_of_module = |name: &[u8]| name.ends_with(b"]");
            return stack::name(address, |name| {
                with(if is_of_module(name) { b"?" } else { name })
            });
        }
        let mut departed = self.departed.iter();
        match departed.find_map(|departed| departed.name(place, address)) {
            Some(name) => with(name),
            None => stack::name(address, with),
        }
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
                resched::at_step(self.hand as u64);
                let context = self.table.context(self.hand);
                if let Some(context) =
                    context.filter(|context| context.is_linked() && context.is_idle())
                {
                    context.unlink();
                    self.left_over += 1;
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
    fn free(&mut self) {
        if self.left_over == 0 {
            return;
        }
        let left = self.contexts().filter(|context| !context.is_linked());
        if left.filter(|context| context.mark()).count() == 0 {
            return;
        }
        detailed::wait();
        let freed = self.contexts().filter(|context| context.free()).count();
        self.left_over = self.left_over.saturating_sub(freed);
        // What comes to their places meanwhile is linked.
        let table = &self.table;
        let is_left = |place| {
            resched::at_step(place as u64);
            let context = table.context(place);
            context.is_some_and(|context| !context.is_linked())
        };
        self.departed.retain(|departed| departed.keep(is_left));
        self.is_unnamed &= self.left_over != 0;
    }
}
