// SPDX-License-Identifier: GPL-2.0-only

//! The call sites of Rust code, which Rust itself names: a `Location` for every call of a
//! `#[track_caller]` function.
//!
//! A location gets its account when it allocates for the first time. From then on it is found by its
//! address, without a lock, in a table that is never moved. A module's locations go with it, and
//! what is still to be shown of them then is copied.
//!
//! Lock order: the list of sections, then the lock of the table. A place's key is written under the
//! table's lock, behind all else that the place holds (Release), and read without it (Acquire).
//! What a key stands for changes only while the list of sections is held for writing.

use super::{
    overflow,
    section::{is_idle, Section},
};
use crate::{
    model::{
        handle::Handle,
        probe::{word, Found, Probe},
        text::Row,
    },
    platform::{
        location::{Origin, Site},
        module::Module,
        resched,
        spin::{self, Guard},
        symbol,
        tag::Tag,
    },
};
use core::panic::Location;
use kernel::{
    bindings,
    prelude::*,
    sync::atomic::{Acquire, Atomic, Relaxed, Release},
};

type Table = Probe<{ bindings::ALLOC_TAG_CALLERS_ORDER }>;

/// How many accounts Rust's call sites have, one for every place of the table.
pub(super) const ACCOUNTS: usize = Table::PLACES;

/// A place of the table.
struct Caller {
    /// The location's address, or one of the words that say why there is none.
    key: Atomic<usize>,
    tag: Tag,
    site: Site,
}

static CALLERS: [Caller; Table::PLACES] = [const {
    Caller {
        key: Atomic::new(word::EMPTY),
        tag: Tag::unnamed(),
        site: Site::new(),
    }
}; Table::PLACES];

/// How many places are taken; changes under the table's lock.
static TAKEN: Atomic<usize> = Atomic::new(0);

/// The account of the first place; those of the others follow. None before boot has come to it.
#[link_section = ".data..ro_after_init"]
static FIRST: Atomic<u32> = Atomic::new(0);

/// How many of these have nobody's location; changes while the list of sections is held for writing.
static KEPT: Atomic<usize> = Atomic::new(0);

/// How often a row has come or gone; changes under the table's lock.
static CHANGES: Atomic<u64> = Atomic::new(0);

/// The number of changes that the list has seen.
pub(super) fn changes() -> u64 {
    // A row comes while others read. Under the lock none is half there, seen by some readers already
    // and not counted yet.
    let _guard = spin::lock();
    CHANGES.load(Relaxed)
}

/// How many rows there are at most; several places may share one.
pub(super) fn rows() -> usize {
    TAKEN.load(Relaxed)
}

/// Gives the places their accounts, once at boot.
pub(super) fn register(first: Handle) {
    FIRST.store(first.get(), Relaxed);
}

/// The tag of a location; that of the overflow account where none can be made.
#[inline(always)]
pub fn tag(location: &'static Location<'static>) -> &'static Tag {
    let key = core::ptr::from_ref(location).addr();
    match CALLERS.get(Table::home(key)) {
        // Acquire: pairs with the Release of `create()`.
        Some(caller) if caller.key.load(Acquire) == key => &caller.tag,
        _ => seek(location),
    }
}

/// Looks on from the home place, and makes an account where there is none.
#[cold]
#[inline(never)]
fn seek(location: &'static Location<'static>) -> &'static Tag {
    let key = core::ptr::from_ref(location).addr();
    if let Found::At(place) = search(key) {
        return tag_at(place);
    }
    if FIRST.load(Relaxed) == 0 || TAKEN.load(Relaxed) >= Table::MOST {
        return overflow::tag();
    }
    let function = symbol::Name::of_caller(location.file());
    match spin::lock().and_then(|guard| create(&guard, location, &function)) {
        Some(place) => tag_at(place),
        None => overflow::tag(),
    }
}

fn search(key: usize) -> Found {
    // Acquire: as in `tag()`.
    Table::search(key, |place| {
        CALLERS
            .get(place)
            .map_or(word::EMPTY, |caller| caller.key.load(Acquire))
    })
}

fn tag_at(place: usize) -> &'static Tag {
    CALLERS
        .get(place)
        .map_or_else(overflow::tag, |caller| &caller.tag)
}

/// The account of a place.
fn handle_at(place: usize) -> Handle {
    Handle::from_word(FIRST.load(Relaxed) + place as u32)
}

/// Finds or makes a place for a location; `None` where there is no room.
fn create(
    guard: &Guard,
    location: &'static Location<'static>,
    function: &symbol::Name,
) -> Option<usize> {
    let key = core::ptr::from_ref(location).addr();
    let place = match search(key) {
        // Another CPU was faster.
        Found::At(place) => return Some(place),
        Found::Room(place) => place,
        Found::Full => return None,
    };
    let caller = CALLERS.get(place)?;
    let mut origin = Origin::of(guard, location);
    // The compiler may emit a location more than once; its rows would be the same.
    // SAFETY: The lock is held.
    let same = CALLERS
        .iter()
        .position(|other| unsafe { other.site.is_row_of(&origin) });
    if let Origin::Here { own, .. } = &mut origin {
        *own = same.is_none();
    }
    // SAFETY: No key leads to the place yet.
    unsafe {
        caller
            .tag
            .describe(location.line(), symbol::intern(guard, function))
    };
    caller.tag.set_handle(handle_at(same.unwrap_or(place)));
    // SAFETY: No key leads to the place yet.
    unsafe { caller.site.replace(guard, origin) };
    // Release: who finds the key finds the rest written.
    caller.key.store(key, Release);
    let taken = TAKEN.load(Relaxed) + 1;
    TAKEN.store(taken, Relaxed);
    CHANGES.store(CHANGES.load(Relaxed) + 1, Relaxed);
    if taken == Table::MOST {
        pr_warn!("{taken} call sites of Rust code are all: the next share an account\n");
    }
    Some(place)
}

/// The first place from `place` on that is taken.
pub(super) fn taken_from(place: usize) -> usize {
    let mut rest = CALLERS.iter().skip(place);
    let found = rest.position(|caller| caller.key.load(Relaxed) > word::GONE);
    found.map_or(ACCOUNTS, |further| place + further)
}

/// The account of a place, if there is a row to show of it.
pub(super) fn account(_list: &Section, place: usize) -> Option<Handle> {
    let caller = CALLERS.get(place)?;
    let handle = handle_at(place);
    match caller.key.load(Acquire) {
        word::EMPTY | word::GONE => None,
        // SAFETY: There is a key, and the caller has the list.
        _ => unsafe { caller.site.names() }.map(|_| handle),
    }
}

/// What is to be shown of a place.
pub(super) fn row(_list: &Section, place: usize) -> Option<Row<'_>> {
    let caller = CALLERS.get(place)?;
    if matches!(caller.key.load(Acquire), word::EMPTY | word::GONE) {
        return None;
    }
    // SAFETY: There is a key, and the caller has the list.
    let (file, module) = unsafe { caller.site.names() }?;
    Some(Row {
        file,
        ..caller.tag.row(module)
    })
}

/// Whether a place's location is that module's; the list is held for writing.
fn is_in(caller: &Caller, module: &Module) -> bool {
    let key = caller.key.load(Acquire);
    // SAFETY: There is a key, and the caller has the list.
    key > word::KEPT && unsafe { caller.site.is_in(module) }
}

/// Lets go of a module's locations, and keeps copies of those that have something alive. The list
/// is held for writing.
pub(super) fn unload(module: &Module) {
    for (place, caller) in CALLERS.iter().enumerate() {
        resched::at_step(place as u64);
        if !is_in(caller, module) {
            continue;
        }
        if is_idle(handle_at(place)) {
            vacate(place);
            continue;
        }
        // SAFETY: There is a key, and the caller has the list.
        let copy = unsafe { caller.site.copy() };
        let copy = copy.unwrap_or_else(|_| {
            pr_warn!("no memory to keep the row of an unloaded module\n");
            Origin::Lost
        });
        replace(place, word::KEPT, copy);
        KEPT.store(KEPT.load(Relaxed) + 1, Relaxed);
    }
}

/// The places of locations that have gone and have nothing alive any more.
fn idle() -> impl Iterator<Item = usize> {
    let places = match KEPT.load(Relaxed) {
        0 => &[],
        _ => CALLERS.as_slice(),
    };
    let places = places.iter().enumerate();
    let kept = places.filter(|&(place, caller)| {
        resched::at_step(place as u64);
        caller.key.load(Relaxed) == word::KEPT && is_idle(handle_at(place))
    });
    kept.map(|(place, _)| place)
}

/// Whether there are places that [`sweep()`] would free.
pub(super) fn has_idle() -> bool {
    idle().next().is_some()
}

/// Frees the places of locations that have gone and have nothing alive any more. The list is held
/// for writing.
pub(super) fn sweep() {
    for place in idle() {
        vacate(place);
        KEPT.store(KEPT.load(Relaxed) - 1, Relaxed);
    }
}

/// Takes the key out of a place, and with it the words of places that only led on to this one.
fn vacate(place: usize) {
    let before = replace(place, word::GONE, Origin::None);
    // Not in an NMI: the caller holds the list.
    if let Some(_guard) = spin::lock() {
        TAKEN.store(TAKEN.load(Relaxed) - 1, Relaxed);
        CHANGES.store(CHANGES.load(Relaxed) + 1, Relaxed);
        let word_at = |place: usize| CALLERS.get(place).map(|caller| &caller.key);
        let mut next = word_at(Table::next(place)).map(|key| key.load(Relaxed));
        let mut place = place;
        while let (Some(word::EMPTY), Some(key)) = (next, word_at(place)) {
            if key.load(Relaxed) != word::GONE {
                break;
            }
            key.store(word::EMPTY, Relaxed);
            next = Some(word::EMPTY);
            place = Table::previous(place);
        }
    }
    drop(before);
}

/// Puts a word that is no key into a place, and returns what was there.
fn replace(place: usize, word: usize, origin: Origin) -> Option<Origin> {
    let caller = CALLERS.get(place)?;
    // Not in an NMI: the caller holds the list.
    let guard = spin::lock()?;
    caller.key.store(word, Release);
    // SAFETY: The list is held for writing.
    Some(unsafe { caller.site.replace(&guard, origin) })
}
