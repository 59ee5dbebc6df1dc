// SPDX-License-Identifier: GPL-2.0-only

//! The table of Rust's call sites.
//!
//! A place's key is written under the lock of the tables, behind all else that the place holds
//! (Release), and read without it (Acquire). What a key stands for changes only while the list of
//! sections is held for writing.

use crate::{
    model::{
        chain::Chains,
        handle::Handle,
        probe::{word, Found, Probe},
    },
    platform::{location::Site, log::Warning, spin::Locked, tag::Tag},
};
use kernel::{
    bindings,
    sync::atomic::{Acquire, Atomic, Relaxed},
};

pub(super) type Table = Probe<{ bindings::ALLOC_TAG_CALLERS_ORDER }>;

/// A place of the table, as far as allocations look at it.
pub(super) struct Caller {
    /// The location's address, or one of the words that say why there is none.
    pub(super) key: Atomic<usize>,
    pub(super) tag: Tag,
}

pub(super) static CALLERS: [Caller; Table::PLACES] = [const {
    Caller {
        key: Atomic::new(word::EMPTY),
        tag: Tag::unnamed(),
    }
}; Table::PLACES];

/// What the places are to be shown as.
pub(super) static SITES: [Site; Table::PLACES] = [const { Site::new() }; Table::PLACES];

/// The places that have a row of their own and whose locations exist, by that row's names.
pub(super) static ROWS: Locked<Chains<{ Table::PLACES }>> = Locked::new(Chains::new());

/// How many places are taken; changes under the tables' lock.
pub(super) static TAKEN: Atomic<usize> = Atomic::new(0);

/// How many of these have a row of their own; changes as TAKEN does.
pub(super) static SHOWN: Atomic<usize> = Atomic::new(0);

/// The account of the first place; those of the others follow. None before boot has come to it.
#[link_section = ".data..ro_after_init"]
pub(super) static FIRST: Atomic<u32> = Atomic::new(0);

/// How many of the places that are taken have nobody's location; changes as TAKEN does.
pub(super) static KEPT: Atomic<usize> = Atomic::new(0);

/// How often a row has come or gone; changes under the tables' lock.
pub(super) static CHANGES: Atomic<u64> = Atomic::new(0);

/// Whether somebody is to be asked what lines that come are told apart by; changes under the tables' lock.
pub(super) static ASKS_CHOICE: Atomic<bool> = Atomic::new(false);

/// Whether somebody is to be asked what is done with their calls; changes as that does.
pub(super) static ASKS_CALLS: Atomic<bool> = Atomic::new(false);

/// Said where a location finds no place.
pub(super) static FULL: Warning =
    Warning::new(c"no place is left for some call sites of Rust code: they share an account");

/// Searches for a location by its address.
pub(super) fn search(key: usize) -> Found {
    // Acquire: pairs with the Release of who writes it.
    Table::search(key, |place| {
        CALLERS
            .get(place)
            .map_or(word::EMPTY, |caller| caller.key.load(Acquire))
    })
}

/// The place of an account.
pub(super) fn place_of(account: Handle) -> Option<usize> {
    account.index().checked_sub(FIRST.load(Relaxed) as usize)
}

/// The account of a place.
pub(super) fn handle_at(place: usize) -> Handle {
    Handle::from_word(FIRST.load(Relaxed) + place as u32)
}
