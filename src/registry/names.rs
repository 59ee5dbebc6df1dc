// SPDX-License-Identifier: GPL-2.0-only

//! What call sites are called, for those who cannot wait for the list: while somebody asks for it.
//!
//! Built-in tags and lines of Rust code are found by their number. Of modules there is a list of its own, in the order of
//! accounts, which is made anew whenever modules come or go, and read under RCU.

use super::{
    callers, linked,
    section::{Names, Section},
    Sections, SECTIONS,
};
use crate::{
    model::{handle::Handle, text::Row},
    platform::{log::Warning, published, sort, tag::Tag},
};
use core::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use kernel::{
    alloc::AllocError,
    alloc_hooks,
    prelude::*,
    sync::{
        atomic::{Atomic, Relaxed, Release},
        rcu,
    },
};

/// The call sites of modules, the first account first.
type List = KVVec<Names>;

/// Where the list is; 0 while there is none. Changes while the list of sections is held for writing.
static LIST: Atomic<usize> = Atomic::new(0);

/// How many ask for names; changes likewise.
static USERS: Atomic<usize> = Atomic::new(0);

/// Whether somebody may have names: from the first who asks on. It stays so, for the last events come after the last who asks has
/// gone, and nothing says which is the last. Changes likewise.
static IN_USE: Atomic<bool> = Atomic::new(false);

static MISSING: Warning =
    Warning::new(c"no memory for the names of modules' call sites: events lack them");

/// From now on names can be had, until [`end()`]. May sleep.
pub fn begin() {
    let sections = SECTIONS.write();
    USERS.store(USERS.load(Relaxed) + 1, Relaxed);
    sections.tell_names();
    IN_USE.store(true, Relaxed);
}

/// One less asks for names. The list stays until call sites come or go, for the last events are yet to come. May sleep.
pub fn end() {
    let _sections = SECTIONS.write();
    USERS.store(USERS.load(Relaxed) - 1, Relaxed);
}

/// What is to be shown of the call site to whose account something is charged.
pub fn of_charged(account: Handle, guard: &rcu::Guard) -> Option<Row<'_>> {
    if let Some(tag) = linked::tag(account) {
        return Some(tag.row(None));
    }
    if let Some(place) = callers::place(account) {
        // SAFETY: Who takes its location away waits for the guard.
        return unsafe { callers::row_at(place, guard) };
    }
    find(account, guard)?.row(account)
}

/// What is to be shown of the current tag.
pub fn of_current<'a>(tag: &'a Tag, guard: &'a rcu::Guard) -> Option<Row<'a>> {
    let account = tag.handle();
    if let Some(tag) = linked::tag(account) {
        return Some(tag.row(None));
    }
    match callers::place_of_tag(tag) {
        // SAFETY: It is the current tag, so its code runs.
        Some(place) => unsafe { callers::row_at(place, guard) },
        // Or else what a container has recorded.
        None => of_charged(account, guard),
    }
}

/// The names among which those of an account are, if they are in the list.
fn find(account: Handle, _guard: &rcu::Guard) -> Option<&Names> {
    // SAFETY: It is 0 or where the list is; who takes it away waits for the guard.
    let list = unsafe { with_exposed_provenance::<List>(published::load(&LIST)).as_ref()? };
    let behind = list.partition_point(|names| names.first().get() <= account.get());
    list.get(behind.checked_sub(1)?)
}

/// Has others find a list, or none, and gives back what they found before once nobody has it any more. Nor has anybody any other
/// name then that could be found before and cannot now. May sleep.
fn exchange(list: Option<KBox<List>>) {
    let now = list.map_or(0, |list| KBox::into_raw(list).expose_provenance());
    let before = LIST.load(Relaxed);
    // Release: who finds the list finds it filled.
    LIST.store(now, Release);
    // Before the first who asks, nobody has a name that could go.
    if IN_USE.load(Relaxed) {
        rcu::synchronize_rcu();
    }
    if before != 0 {
        // SAFETY: It was leaked here, and nobody has it any more.
        drop(unsafe { KBox::from_raw(with_exposed_provenance_mut::<List>(before)) });
    }
}

impl Sections {
    /// Has the names of the modules' call sites be had that there are now and stay, if somebody asks for names. The list is held
    /// for writing. What it has lost is nobody's any more afterwards; may sleep.
    pub(super) fn tell_names(&self) {
        if USERS.load(Relaxed) == 0 {
            return exchange(None);
        }
        let names = self.names();
        if names.is_err() {
            MISSING.say();
        }
        exchange(names.unwrap_or(None));
    }

    /// The names of all modules' call sites, if there are any.
    fn names(&self) -> Result<Option<KBox<List>>, AllocError> {
        let mut list = List::new();
        for names in self.modules.iter().flatten().flat_map(Section::names) {
            alloc_hooks!(list.push(names, GFP_KERNEL))?;
        }
        if list.is_empty() {
            return Ok(None);
        }
        sort::by_key(&mut list, |names| names.first().get().into());
        Ok(Some(alloc_hooks!(KBox::new(list, GFP_KERNEL))?))
    }
}
