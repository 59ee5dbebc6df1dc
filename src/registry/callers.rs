// SPDX-License-Identifier: GPL-2.0-only

//! The call sites of Rust code, which Rust itself names: a `Location` for every call of a
//! `#[track_caller]` function.
//!
//! A location gets its account when it allocates for the first time. From then on it is found by its
//! address, without a lock, in a table that is never moved. A module's locations go with it, and
//! what is still to be shown of them then is copied.
//!
//! Lock order: the list of sections, then the lock of the tables.

mod place;
mod table;

use super::{holders, overflow, wanted::Wanted};
use crate::{
    model::{
        handle::Handle,
        line::{Arming, Calls},
        name::Choice,
        probe::{word, Found},
        text::Row,
    },
    platform::{
        calls, location::Origin, marks, module::Module, published, resched, spin, tag::Tag,
    },
};
use core::panic::Location;
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
use kernel::sync::rcu;
use kernel::{
    prelude::*,
    sync::atomic::{Acquire, Relaxed},
};
use table::{
    handle_at, place_of, search, Caller, Table, ASKS_CALLS, ASKS_CHOICE, CALLERS, CHANGES, FIRST,
    FULL, KEPT, SHOWN, SITES, TAKEN,
};

/// How many accounts Rust's call sites have, one for every place of the table.
pub(super) const ACCOUNTS: usize = Table::PLACES;

/// The number of changes that the list has seen.
pub(super) fn changes() -> u64 {
    // A row comes while others read. Under the lock none is half there, seen by some readers already
    // and not counted yet.
    let _guard = spin::lock();
    CHANGES.load(Relaxed)
}

/// How many rows there are; several places may share one.
pub(super) fn rows() -> usize {
    SHOWN.load(Relaxed)
}

/// Gives the places their accounts, once at boot.
pub(super) fn register(first: Handle) {
    FIRST.store(first.get(), Relaxed);
}

/// The tag of a location that has its home place, as most have.
#[inline(always)]
pub fn known(location: &'static Location<'static>) -> Option<&'static Tag> {
    let key = core::ptr::from_ref(location).addr();
    let caller = CALLERS.get(Table::home(key))?;
    // Pairs with the Release of `place::take()`.
    (published::load(&caller.key) == key).then_some(&caller.tag)
}

/// The tag of a location; that of the overflow account where none can be made.
#[inline(always)]
pub fn tag(location: &'static Location<'static>) -> &'static Tag {
    known(location).unwrap_or_else(|| seek(location))
}

/// Looks on from the home place, and makes an account where there is none. What finds no room is told
/// so by that look alone, for it comes again and again.
#[cold]
#[inline(never)]
fn seek(location: &'static Location<'static>) -> &'static Tag {
    let key = core::ptr::from_ref(location).addr();
    let place = match search(key) {
        Found::At(place) => Some(place),
        Found::Room(_) if FIRST.load(Relaxed) == 0 || spin::is_out_of_reach() => None,
        Found::Room(_) if TAKEN.load(Relaxed) < Table::MOST => place::make(location),
        _ => {
            FULL.say();
            None
        }
    };
    place
        .and_then(|place| CALLERS.get(place))
        .map_or_else(overflow::tag, |caller| &caller.tag)
}

/// The place of an account, if it is a line's.
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
pub(super) fn place(account: Handle) -> Option<usize> {
    place_of(account).filter(|place| *place < ACCOUNTS)
}

/// What is to be shown of a place, for who does not have the list; `None` where nobody's account is there.
///
/// # Safety
///
/// Who takes the location away waits for the guard.
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
pub(super) unsafe fn row_at(place: usize, guard: &rcu::Guard) -> Option<Row<'_>> {
    let (caller, site) = (CALLERS.get(place)?, SITES.get(place)?);
    let names = match published::load(&caller.key) {
        word::EMPTY | word::GONE | word::LEAVING => return None,
        // SAFETY: So it was found under RCU, as the guard proves, which outlives the names.
        word::KEPT => unsafe { site.names() }?,
        // SAFETY: The location is there, by the caller's promise, and the place is taken anew once RCU was waited for.
        location => unsafe { site.names_at(location, guard) },
    };
    Some(Row {
        file: names.file,
        function: names.function,
        ..caller.tag.row(names.module)
    })
}

/// The place of a tag that is in the table.
#[cfg(any(CONFIG_ALLOCTAG_CALLS, CONFIG_ALLOCTAG_EVENTS))]
pub(super) fn place_of_tag(tag: &Tag) -> Option<usize> {
    let distance = core::ptr::from_ref(tag).addr();
    let distance = distance.checked_sub(CALLERS.as_ptr().addr())?;
    let place = distance / size_of::<Caller>();
    (place < ACCOUNTS).then_some(place)
}

/// The source file of a line that is running, by its tag; `None` where the tag is no line's.
///
/// # Safety
///
/// Who asks runs for the line, if it is one's: the location is there.
#[cfg(CONFIG_ALLOCTAG_CALLS)]
pub unsafe fn file_of(tag: &Tag) -> Option<&[u8]> {
    let caller = CALLERS.get(place_of_tag(tag)?)?;
    let key = published::load(&caller.key);
    if key <= word::KEPT {
        return None;
    }
    // SAFETY: It is the address of the location, which is there by the caller's promise.
    let location: &Location<'static> = unsafe { &*core::ptr::with_exposed_provenance(key) };
    Some(location.file().as_bytes())
}

/// The tag that the row of an account shows, if it is a line's.
pub(super) fn tag_of(account: Handle) -> Option<&'static Tag> {
    let caller = CALLERS.get(place_of(account)?)?;
    Some(&caller.tag)
}

/// The rows; part of the list of sections, which who asks has.
pub(super) struct Rows(());

impl Rows {
    /// For the list, once.
    pub(super) const fn new() -> Self {
        Self(())
    }

    /// The first place from `place` on that is taken.
    pub(super) fn taken_from(&self, place: usize) -> usize {
        let mut rest = CALLERS.iter().skip(place);
        let found = rest.position(|caller| caller.key.load(Relaxed) > word::GONE);
        found.map_or(ACCOUNTS, |further| place + further)
    }

    /// The account of a place, if there is a row to show of it.
    pub(super) fn account(&self, place: usize) -> Option<Handle> {
        self.row(place).map(|_| handle_at(place))
    }

    /// The place of an account.
    pub(super) fn find(&self, account: Handle) -> Option<usize> {
        place_of(account)
    }

    /// What is to be shown of a place.
    pub(super) fn row(&self, place: usize) -> Option<Row<'_>> {
        let (caller, site) = (CALLERS.get(place)?, SITES.get(place)?);
        if matches!(caller.key.load(Acquire), word::EMPTY | word::GONE) {
            return None;
        }
        // SAFETY: There is a key, and the caller has the list, of which this is part.
        let names = unsafe { site.names() }?;
        Some(Row {
            file: names.file,
            function: names.function,
            ..caller.tag.row(names.module)
        })
    }
}

/// Says what is wanted of every line. The list is held for writing.
pub(super) fn choose(
    wanted: &mut impl FnMut(&Row<'_>) -> Wanted,
    mark: &mut impl FnMut(&Tag, Calls),
) {
    decide(|_| true, wanted, mark);
}

/// The same for lines of which nobody has asked yet.
pub(super) fn choose_new(mut wanted: impl FnMut(&Row<'_>) -> Wanted) {
    let unmarked = marks::take_open();
    let is_undecided =
        |tag: &Tag| tag.name().choice() == Choice::OPEN || tag.calls().arming == Arming::OPEN;
    let is_open = |tag: &Tag| unmarked || is_undecided(tag);
    decide(is_open, &mut wanted, &mut calls::mark);
}

fn decide(
    of: impl Fn(&Tag) -> bool,
    wanted: &mut impl FnMut(&Row<'_>) -> Wanted,
    mark: &mut impl FnMut(&Tag, Calls),
) {
    let rows = Rows::new();
    for (place, caller) in CALLERS.iter().enumerate() {
        resched::at_step(place as u64);
        let key = caller.key.load(Acquire);
        if key <= word::GONE || !of(&caller.tag) {
            continue;
        }
        // That of a place may be shown by another.
        let row = place_of(caller.tag.handle()).and_then(|place| rows.row(place));
        let wanted = row.map_or(Wanted::NOTHING, |row| wanted(&row));
        marks::set(caller.tag.handle(), wanted.is_marked);
        if key == word::KEPT {
            continue;
        }
        // Not in an NMI: the caller holds the list.
        let _guard = spin::lock();
        caller.tag.choose(wanted.choice, wanted.following);
        mark(&caller.tag, wanted.calls);
    }
}

/// Whether an account is that of a line of a module that is still there. The list is held.
pub(super) fn is_of(module: &Module, account: Handle) -> bool {
    let Some(place) = place_of(account) else {
        return false;
    };
    let (Some(caller), Some(site)) = (CALLERS.get(place), SITES.get(place)) else {
        return false;
    };
    // SAFETY: There is a key, and the caller has the list.
    caller.key.load(Acquire) > word::KEPT && unsafe { site.is_in(module) }
}

/// What is wanted of lines that come: nothing, or that somebody is asked. Those that there are already are left alone.
pub fn begin_with(wanted: Wanted) {
    let _guard = spin::lock();
    ASKS_CHOICE.store(wanted.choice == Choice::OPEN, Relaxed);
    ASKS_CALLS.store(wanted.calls.arming == Arming::OPEN, Relaxed);
}

/// Lets go of a module's locations, and keeps copies of those whose accounts are needed; [`sweep()`] frees the places of the
/// others. The list is held for writing.
pub(super) fn unload(module: &Module) {
    for (place, (caller, site)) in CALLERS.iter().zip(&SITES).enumerate() {
        resched::at_step(place as u64);
        // SAFETY: There is a key, and the caller has the list.
        if caller.key.load(Acquire) <= word::KEPT || !unsafe { site.is_in(module) } {
            continue;
        }
        if holders::retire_row(handle_at(place)) {
            place::leave(place, word::LEAVING, Origin::None);
            continue;
        }
        // SAFETY: There is a key, and the caller has the list.
        let copy = unsafe { site.copy() };
        let copy = copy.unwrap_or_else(|_| {
            pr_warn!("no memory to keep the row of an unloaded module\n");
            Origin::Lost
        });
        place::leave(place, word::KEPT, copy);
    }
}

/// The places of locations that have gone, of which there is such a word.
fn left(word: usize) -> impl Iterator<Item = (usize, &'static Caller)> {
    let places = match KEPT.load(Relaxed) {
        0 => &[],
        _ => CALLERS.as_slice(),
    };
    let places = places.iter().enumerate();
    places.filter(move |&(place, caller)| {
        resched::at_step(place as u64);
        caller.key.load(Relaxed) == word
    })
}

/// Whether there are places that [`retire()`] would have nobody find.
pub(super) fn has_free() -> bool {
    left(word::KEPT).any(|(place, _)| holders::is_free(handle_at(place)))
}

/// Has nobody find the places any more of locations that have gone and whose accounts nobody needs. Returns whether there
/// are some. The list is held for writing.
pub(super) fn retire() -> bool {
    let mut any = false;
    for (place, caller) in left(word::KEPT) {
        if holders::retire_row(handle_at(place)) {
            caller.key.store(word::LEAVING, Relaxed);
            any = true;
        }
    }
    any
}

/// Frees these places, whose names nobody has any more. The list is held for writing.
pub(super) fn sweep() {
    for (place, _) in left(word::LEAVING) {
        place::leave(place, word::GONE, Origin::None);
    }
}
