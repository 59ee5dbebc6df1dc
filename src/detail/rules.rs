// SPDX-License-Identifier: GPL-2.0-only

//! The rules that hold, and what is there because of them.
//!
//! Whoever changes something has the rules' lock, which comes before that of the list of sections.

pub mod capacity;
mod deciding;
mod departed;
#[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
mod followers;
mod held;
mod list;
mod store;

#[cfg(CONFIG_ALLOCTAG_LATENCY)]
use super::latency;
use super::{choices, measured};
#[cfg(CONFIG_ALLOCTAG_STALLS)]
use crate::platform::ticks;
use crate::{
    model::{
        handle::Run,
        line::Calls,
        name::Choice,
        rule::{commands, Command},
    },
    platform::{calls, contexts::Context, faults, marks::Marks, module::Module, stack, tidying},
    registry::{self, callers, choosing, wanted::Wanted},
};
use deciding::wanted;
#[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
use followers::Followers;
use held::OFFERED;
pub use held::{Held, Owner};
use kernel::{prelude::*, sync::rcu::synchronize_rcu};
use list::List;
use store::Store;

/// The rules that hold, and the contexts of the call sites that they choose.
pub struct Rules {
    list: List,
    /// The contexts, as long as there is a rule for them or one of them is alive.
    store: Option<Store>,
    /// What is there for lifetimes, as long as there is a rule for them or something is followed.
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    followers: Option<Followers>,
    /// Which call sites have events, as long as a rule says so.
    marks: Option<Marks>,
    /// The content id of the call sites that were counted for these rules.
    counted: Option<u64>,
    /// How soon what is left over is to be looked at.
    patience: u32,
}

kernel::sync::global_lock! {
    // SAFETY: `init()` is called before anybody can come to the rules.
    /// The rules, under their lock.
    pub unsafe(uninit) static RULES: Mutex<Rules> = Rules {
        list: List::new(),
        store: None,
        #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
        followers: None,
        marks: None,
        counted: None,
        patience: PATIENCE_SECONDS,
    };
}

/// The longest text that is obeyed at once, in bytes.
pub const LONGEST: usize = 4096;

/// The rules, to look at them or to change them.
pub type Guard = kernel::sync::GlobalGuard<RULES>;

/// Makes the lock.
///
/// # Safety
///
/// Called once, before anything else here.
#[link_section = ".init.text"]
pub unsafe fn init() {
    // SAFETY: By the caller's promise.
    unsafe { RULES.init() }
}

/// Waits until nobody else has them.
pub fn lock() -> Guard {
    RULES.lock()
}

/// Decides of lines of Rust code that are new, unless somebody has the rules or the list. Returns whether. Neither waits for
/// others nor allocates.
#[cfg(CONFIG_ALLOCTAG_CALLS)]
pub fn try_decide() -> bool {
    let Some(rules) = RULES.try_lock() else {
        return false;
    };
    choosing::try_choose_new(|row| rules.list.wanted(row))
}

impl Rules {
    /// Obeys a text, whole or not at all. What it adds belongs to an owner, unless that is nobody.
    ///
    /// # Errors
    ///
    /// `EINVAL` where it is no list of rules, `ENOENT` where it takes back what is not there, `ENOSPC` where there are too many;
    /// the log says what. `E2BIG` where it is too long, `ENOMEM`; `EPERM` where it has allocations fail and `may_fail` says no.
    pub fn obey(&mut self, text: &[u8], owner: Owner, may_fail: fn() -> bool) -> Result {
        if text.len() > LONGEST {
            return Err(E2BIG);
        }
        let mut list = self.list.after(text, owner, may_fail)?;
        self.hold(&mut list)?;
        for command in commands(text, OFFERED) {
            if let Ok(Command::Reset(what)) = command {
                measured::reset(what);
            }
        }
        Ok(())
    }

    /// Takes back the rules of an owner, who has gone. Where there is no memory for that they come to nothing at once, and are
    /// taken back when there is.
    pub fn disown(&mut self, owner: Owner) {
        if !self.list.has_of(owner) {
            return;
        }
        self.list.leave(owner);
        self.drop_left();
    }

    /// Takes back the rules that nobody owns any more.
    fn drop_left(&mut self) {
        let list = self.list.without_left();
        if list.and_then(|mut list| self.hold(&mut list)).is_err() {
            tidying::within(PATIENCE_SECONDS);
        }
    }

    /// Has other rules hold, with all that follows.
    fn hold(&mut self, list: &mut List) -> Result {
        let result = self.adopt(list);
        // Of both lists, what is left is the one that does not hold.
        list.give_back(&self.list);
        let list = &self.list;
        if let Some(store) = &mut self.store {
            store.drop_those(|key| !list.has(key.rule()));
        }
        if !list.wants_marks() {
            self.marks = None;
        }
        self.patience = PATIENCE_SECONDS;
        self.look_after();
        result
    }

    /// Has other rules hold, which takes the place of those that did; or leaves all as it was.
    fn adopt(&mut self, list: &mut List) -> Result {
        if list.wants_contexts() && self.store.is_none() {
            self.store = Some(Store::make()?);
        }
        if list.wants_marks() && self.marks.is_none() {
            self.marks = Some(Marks::make()?);
        }
        #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
        if list.wants_lifetimes() && self.followers.is_none() {
            self.followers = Some(Followers::make()?);
        }
        list.take_choices()?;
        list.take_armings()?;
        let rules = list.parsed()?;
        if list.wants_faults() {
            faults::prepare()?;
        }
        #[cfg(CONFIG_ALLOCTAG_LATENCY)]
        if list.wants_latency() {
            latency::prepare()?;
        }
        let has_calls = list.wants_faults() || list.wants_latency();
        if has_calls {
            calls::switch(true);
        }
        registry::witness(list.has_witness());
        // Where nothing is wanted of any, the plain hooks may come to be in place, which know of none that is open.
        callers::begin_with(Wanted {
            choice: if list.wants_contexts() || list.wants_lifetimes() {
                Choice::OPEN
            } else {
                Choice::NONE
            },
            calls: if has_calls {
                Calls::OPEN
            } else {
                Calls::LEFT_ALONE
            },
            ..Wanted::NOTHING
        });
        choosing::choose(|row| wanted(rules.iter().rev().copied(), row));
        drop(rules);
        core::mem::swap(&mut self.list, list);
        self.counted = None;
        if !has_calls {
            calls::switch(false);
        }
        // Nobody has a choice in hand any more that no tag has.
        synchronize_rcu();
        Ok(())
    }

    /// Says what is wanted of the call sites of a module that has come.
    ///
    /// # Errors
    ///
    /// `ENOMEM`
    pub fn meet(&mut self, module: &Module) -> Result {
        if let Some(store) = &mut self.store {
            // None of its functions has been called yet: what has such an address is of something that was there before.
            let is_in = |frame| is_about(frame, |address| module.has(address));
            store.unlink_those(|key| key.stack().iter().any(|frame| is_in(*frame)));
            store.lose_names(is_in);
        }
        if !self.list.is_empty() {
            let rules = self.list.parsed()?;
            choosing::choose_of(module, |row| wanted(rules.iter().rev().copied(), row));
        }
        Ok(())
    }

    /// Lets go of the contexts with a module's init code, which is about to go while the module stays.
    pub fn settle(&mut self, module: &Module) {
        self.part(|address| module.has_in_init(address));
        if self.store.is_some() {
            // Who loads the module does not wait for what is idle.
            tidying::ask();
        }
    }

    /// Lets go of the contexts with a module's functions, while these have names; [`leave()`](Self::leave) comes later.
    pub fn part_with(&mut self, module: &Module) {
        self.part(|address| module.has(address));
    }

    fn part(&mut self, is_in: impl Fn(usize) -> bool) {
        let is_in = |frame| is_about(frame, &is_in);
        if let Some(store) = &mut self.store {
            store.unlink_those(|key| key.stack().iter().any(|frame| is_in(*frame)));
            store.keep_names(is_in);
        }
    }

    /// Lets go of the contexts of a module's lines of Rust code, while these have their accounts: others may take them at once.
    pub fn part_with_lines(&mut self, module: &Module) {
        if let Some(store) = &mut self.store {
            store.unlink_those(|key| registry::module::has_line(module, key.site()));
        }
    }

    /// Lets go of the contexts of a module's call sites, whose accounts these were, and of those with its functions.
    pub fn leave(&mut self, module: &Module, accounts: Run) {
        let is_in = |frame| is_about(frame, |address| module.has(address));
        if let Some(store) = &mut self.store {
            // Who has begun to look at a stack while it was there comes to an end.
            store.forget(module);
            store.drop_those(|key| {
                let site = key.site();
                let mut frames = key.stack().iter();
                accounts.has(site) || frames.any(|frame| is_in(*frame))
            });
            store.keep_names(is_in);
        }
    }

    /// Chooses the clock anew, takes back what nobody owns any more, decides of lines of Rust code that are new, makes room for
    /// contexts, and gives all back that nobody needs any more.
    pub fn tidy(&mut self) {
        #[cfg(CONFIG_ALLOCTAG_STALLS)]
        ticks::prepare();
        if self.list.has_left() {
            self.drop_left();
        } else {
            self.look_after();
        }
    }

    fn look_after(&mut self) {
        if !self.list.is_empty() {
            choosing::choose_new(|row| self.list.wanted(row));
        }
        let mut is_left = false;
        if let Some(store) = &mut self.store {
            store.make_room();
            if !self.list.wants_contexts() {
                is_left = !store.is_empty();
                self.store.take_if(|_| !is_left);
            }
        }
        #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
        if !self.list.wants_lifetimes() {
            self.followers.take_if(|followers| followers.is_empty());
            is_left |= self.followers.is_some();
        }
        if is_left {
            // Nobody is told when the last object goes.
            tidying::within(self.patience);
            self.patience = MOST_PATIENCE_SECONDS.min(self.patience * 2);
        }
    }

    /// The rules, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Held> {
        self.list.iter()
    }

    /// Counts anew what rules have: contexts, and call sites where these are others than they were.
    ///
    /// # Errors
    ///
    /// `ENOMEM`
    pub fn count(&mut self) -> Result {
        let content = registry::read().content();
        if self.counted != Some(content) {
            self.counted = Some(self.list.count_sites()?);
        }
        let contexts = self.store.iter().flat_map(Store::contexts);
        let of_rules = contexts.map(|context| context.key().rule());
        self.list.count_contexts(of_rules);
        Ok(())
    }

    /// How many allocations of a rule's call sites found no context.
    pub fn lost(&self, rule: &Held) -> u64 {
        choices::lost(rule.choice)
    }

    /// How many contexts there can be.
    pub fn places(&self) -> usize {
        self.store.as_ref().map_or(0, Store::places)
    }

    /// The context at a place, if there is one.
    pub fn context(&self, place: usize) -> Option<Context<'_>> {
        self.store.as_ref()?.context(place)
    }

    /// The first context from a place on, and its place.
    pub fn context_from(&self, place: usize) -> Option<(usize, Context<'_>)> {
        self.store.as_ref()?.context_from(place)
    }

    /// Gives `with` the name of a return address of the context at a place, as [`stack::name()`] writes it; that of what has
    /// gone with a module as it was.
    pub fn name<T>(&self, place: usize, address: u64, with: impl FnOnce(&[u8]) -> T) -> T {
        match &self.store {
            Some(store) => store.name(place, address, with),
            None => stack::name(address, with),
        }
    }
}

/// Whether an address of a stack is about something: by what is before it, for that has called, perhaps at the end of its
/// function; and by itself, where nobody can say that it was interrupted there.
fn is_about(frame: u64, is_in: impl Fn(usize) -> bool) -> bool {
    let address = frame as usize;
    is_in(address.wrapping_sub(1)) || is_in(address)
}

/// How soon what is left over is looked at, in seconds: each time after twice as long.
const PATIENCE_SECONDS: u32 = 5;
const MOST_PATIENCE_SECONDS: u32 = 320;
