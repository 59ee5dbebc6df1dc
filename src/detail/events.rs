// SPDX-License-Identifier: GPL-2.0-only

//! What tracers are told of, and of which call sites: all, or those that rules say.

use super::account::Account;
#[cfg(CONFIG_ALLOCTAG_STALLS)]
use crate::model::stall::Stall;
use crate::{
    model::{handle::Handle, text::Row},
    platform::{
        events::{self, Asked, Piece, Site},
        marks,
        tag::Tag,
        tidying,
    },
    registry::names,
};
use kernel::{bindings::gfp_t, sync::rcu};

/// Something was allocated that keeps that handle.
pub fn given(kept: Handle, flags: gfp_t, piece: impl FnOnce() -> Piece) {
    tell(kept, |site, _| events::alloc(site, &piece(), flags));
}

/// It is about to be freed.
pub fn taken(kept: Handle, piece: impl FnOnce() -> Piece) {
    tell(kept, |site, guard| events::free(site, &piece(), guard));
}

/// Tells of something that keeps a handle, if it is told of.
fn tell(kept: Handle, event: impl FnOnce(&Site<'_>, &rcu::Guard)) {
    if !kept.is_counted() {
        return;
    }
    let guard = rcu::read_lock();
    let account = Account::of(kept).site();
    if !is_told(account, &guard) {
        return;
    }
    let row = names::of_charged(account, &guard).unwrap_or(NAMELESS);
    event(&Site { row, account }, &guard);
}

/// The current tag was given nothing.
pub fn failed(tag: &Tag, asked: Asked, injected: bool) {
    tell_current(tag, |site| events::fail(site, asked, injected, false));
}

/// The last failure was none, for another way is tried.
pub fn tried_again(account: Handle) {
    let unknown = Asked {
        bytes: 0,
        order: 0,
        flags: 0,
    };
    let guard = rcu::read_lock();
    if is_told(account, &guard) {
        let row = names::of_charged(account, &guard).unwrap_or(NAMELESS);
        events::fail(&Site { row, account }, unknown, false, true);
    }
}

/// The current tag has waited.
#[cfg(CONFIG_ALLOCTAG_STALLS)]
pub fn stalled(tag: &Tag, stall: &Stall) {
    tell_current(tag, |site| {
        for (cause, ns) in stall.waits() {
            events::stall(site, cause, ns);
        }
    });
}

/// Tells of the current tag, if it is told of.
fn tell_current(tag: &Tag, event: impl FnOnce(&Site<'_>)) {
    let guard = rcu::read_lock();
    let account = tag.handle();
    if !account.is_counted() || !is_told(account, &guard) {
        return;
    }
    let row = names::of_current(tag, &guard).unwrap_or(NAMELESS);
    event(&Site { row, account });
}

/// Stands for a call site of which nobody has kept what it was called.
const NAMELESS: Row<'static> = Row {
    file: b"(unloaded)",
    line: 0,
    module: None,
    function: b"",
    accurate: true,
};

fn is_told(account: Handle, guard: &rcu::Guard) -> bool {
    if marks::are_open() {
        tidying::ask();
    }
    marks::is_marked(account, guard)
}
