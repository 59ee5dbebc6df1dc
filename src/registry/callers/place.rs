// SPDX-License-Identifier: GPL-2.0-only

//! How a place of the table of Rust's call sites is taken and left.
//!
//! What takes long, the look at the stack above all, is done before the lock is taken. Under it are
//! bounded searches, by address and by line, and a name of some bytes is copied.

use super::table::{
    handle_at, search, Table, ASKS_CALLS, ASKS_CHOICE, CALLERS, CHANGES, FULL, KEPT, ROWS, SHOWN,
    SITES, TAKEN,
};
use crate::{
    model::{
        chain::Hash,
        line::Calls,
        name::{Choice, Following},
        probe::{word, Found},
    },
    platform::{
        calls,
        location::{line_hash, Origin},
        marks,
        spin::{self, Guard},
        symbol::Name,
    },
};
use core::panic::Location;
use kernel::sync::atomic::{Relaxed, Release};

/// Finds or makes a place for a location; `None` where there is no room.
pub(super) fn make(location: &'static Location<'static>) -> Option<usize> {
    let (line, function) = (line_hash(location), Name::of_caller(location.file()));
    take(spin::lock()?, location, line, function)
}

fn take(
    mut guard: Guard,
    location: &'static Location<'static>,
    line: Hash,
    function: Name,
) -> Option<usize> {
    let key = core::ptr::from_ref(location).addr();
    let taken = TAKEN.load(Relaxed) + 1;
    let place = match search(key) {
        // Another CPU was faster.
        Found::At(place) => return Some(place),
        Found::Room(place) if taken <= Table::MOST => place,
        _ => return None,
    };
    let (caller, site) = (CALLERS.get(place)?, SITES.get(place)?);
    let mut origin = Origin::of(&guard, location);
    let hash = origin.row_hash(line);
    let rows = ROWS.get(&mut guard);
    // The compiler may emit a location more than once; its rows would be the same.
    // SAFETY: The lock is held.
    let same = rows.find(hash, |other| {
        SITES
            .get(other)
            .is_some_and(|site| unsafe { site.is_row_of(&origin) })
    });
    if same.is_none() {
        rows.add(hash, place);
    }
    if let Origin::Here { own, .. } = &mut origin {
        *own = same.is_none();
    }
    caller.tag.set_line(location.line());
    caller.tag.set_handle(handle_at(same.unwrap_or(place)));
    if same.is_none() {
        // Until somebody has decided.
        marks::set(handle_at(place), true);
    }
    if ASKS_CHOICE.load(Relaxed) {
        caller.tag.choose(Choice::OPEN, Following::NONE);
    }
    if ASKS_CALLS.load(Relaxed) {
        calls::mark(&caller.tag, Calls::OPEN);
    }
    // SAFETY: No key leads to the place yet.
    unsafe { site.describe(&guard, origin, function) };
    // Release: who finds the key finds the rest written.
    caller.key.store(key, Release);
    if same.is_none() {
        marks::open();
    }
    TAKEN.store(taken, Relaxed);
    SHOWN.store(SHOWN.load(Relaxed) + usize::from(same.is_none()), Relaxed);
    CHANGES.store(CHANGES.load(Relaxed) + 1, Relaxed);
    Some(place)
}

/// Takes the key out of a place, for a word that says what is left of it. The list of sections is held
/// for writing, and the location still exists, if the place has one. Before it is nothing, whoever may have found
/// something there has been waited for.
pub(super) fn leave(place: usize, left: usize, origin: Origin) {
    let (Some(caller), Some(site)) = (CALLERS.get(place), SITES.get(place)) else {
        return;
    };
    // SAFETY: There is a key, and the caller has the list.
    let hash = unsafe { site.row_hash() };
    // Not in an NMI: the caller holds the list.
    let Some(mut guard) = spin::lock() else {
        return;
    };
    let had = caller.key.load(Relaxed);
    let kept = KEPT.load(Relaxed) + usize::from(left != word::GONE);
    KEPT.store(kept - usize::from(had <= word::KEPT), Relaxed);
    if let Some(hash) = hash {
        ROWS.get(&mut guard).remove(hash, place);
    }
    let shown = SHOWN.load(Relaxed) + usize::from(origin.is_shown());
    // SAFETY: The list is held for writing.
    let before = unsafe { site.replace(&guard, origin) };
    // Release: who finds that a copy is kept finds it written.
    caller.key.store(left, Release);
    SHOWN.store(shown - usize::from(before.is_shown()), Relaxed);
    if left == word::GONE {
        TAKEN.store(TAKEN.load(Relaxed) - 1, Relaxed);
        CHANGES.store(CHANGES.load(Relaxed) + 1, Relaxed);
        FULL.take_back();
    }
    drop(guard);
    // A copy's memory goes without the lock.
    drop(before);
}
