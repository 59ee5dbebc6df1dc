// SPDX-License-Identifier: GPL-2.0-only

//! How long lives what chosen call sites allocate.

use crate::{
    model::{handle::Handle, histogram::Histogram, lifetimes::Lifetimes, name::Name},
    platform::{
        clock, countdown,
        followed::{self, Followed},
        histograms::{self, Recording, LIFETIMES},
    },
};
use kernel::{prelude::*, sync::rcu};

/// The kinds of histograms: of what was freed; and a mere count of what could not be followed.
const FREED: usize = 0;
const LOST: usize = 1;

/// Follows an allocation of so many bytes, if it is one of those that are; returns what it keeps, which is `kept` where it is not.
#[inline(never)]
pub fn follow(name: Name, kept: Handle, bytes: usize) -> Handle {
    let random = countdown::random();
    if !name.following().has(bytes, random) {
        return kept;
    }
    let site = name.account();
    // The last bits of the number say where; the first ones have said whether.
    match Followed::begin(site, kept, clock::nanoseconds(), random) {
        Some(followed) => {
            if let Some(recording) = LIFETIMES.record(&rcu::read_lock()) {
                has_own(&recording, site);
            }
            followed.handle()
        }
        None => {
            lose(site);
            kept
        }
    }
}

/// The same of an allocation that has no room for the handle of what is followed.
#[cold]
#[inline(never)]
pub fn miss(name: Name, bytes: usize) {
    if name.following().has(bytes, countdown::random()) {
        lose(name.account());
    }
}

/// Whether a call site has histograms of its own, which it takes where some are left. They are shown together, so that it has both or
/// neither.
fn has_own(recording: &Recording<'_, 2>, site: Handle) -> bool {
    // That of what was freed is taken last: who has it has the other.
    recording.has(site, FREED) || (recording.take(site, LOST) && recording.take(site, FREED))
}

/// One could not be followed to its end.
fn lose(site: Handle) {
    if let Some(recording) = LIFETIMES.record(&rcu::read_lock()) {
        if has_own(&recording, site) {
            recording.add(site, LOST, 0);
        } else {
            recording.add_shared(LOST);
        }
    }
}

/// What was followed is freed. Its account has it yet.
#[cold]
pub fn end(followed: Followed) {
    let (site, since) = followed.end();
    if !site.is_counted() {
        return;
    }
    if let Some(recording) = LIFETIMES.record(&rcu::read_lock()) {
        let ns = clock::nanoseconds().saturating_sub(since);
        let owner = has_own(&recording, site).then_some(site);
        recording.add_long(owner, FREED, ns);
    }
}

/// What was followed was never given to anybody.
#[cold]
pub fn undo(followed: Followed) {
    followed.end();
}

/// What is followed may have been freed while nothing was counted: it is followed no more.
pub fn doubt() {
    followed::each(|followed, site, _| {
        followed.leave();
        lose(site);
    });
}

/// Makes the histograms, unless they are there, and the table of what is followed, whose handles are the last before that one.
/// Returns the first of these. Who does has the rules; may sleep.
///
/// # Errors
///
/// `ENOMEM`; `ENOSPC` where there are not so many handles.
pub(super) fn prepare(behind: usize) -> Result<usize> {
    countdown::prepare();
    LIFETIMES.prepare()?;
    followed::make(behind)
}

/// Those of one call site, or of all that have no histogram of their own.
pub enum Of {
    /// Nobody's.
    None,
    /// Of those that share one.
    Shared(Lifetimes),
    /// Of the call site that has the account.
    Own(Handle, Lifetimes),
}

/// What is at a place; `None` behind the last one. Places stay what they are but for a reset. Who holds the list of sections finds
/// what is of the call site that has the account.
pub fn at(place: usize) -> Option<Of> {
    let lost = |lost: Option<Histogram>| lost.map_or(0, |lost| lost.count);
    Some(match LIFETIMES.taken_at(place)? {
        histograms::Place::Shared(FREED, freed) => Of::Shared(Lifetimes {
            freed,
            alive: ages(is_shared),
            lost: lost(LIFETIMES.shared(LOST)),
        }),
        histograms::Place::Own(account, FREED, freed) => Of::Own(
            account,
            Lifetimes {
                freed,
                alive: ages(|site| site == account),
                lost: lost(LIFETIMES.of(account, LOST)),
            },
        ),
        _ => Of::None,
    })
}

/// Whether a call site has no histogram of its own, though what it has allocated lives.
fn is_shared(site: Handle) -> bool {
    let guard = rcu::read_lock();
    let Some(recording) = LIFETIMES.record(&guard) else {
        return true;
    };
    // It has lost the one that it had if all was forgotten.
    !has_own(&recording, site)
}

/// How old those are that live, of some call sites.
fn ages(is_of: impl Fn(Handle) -> bool) -> Histogram {
    let now = clock::nanoseconds();
    let mut ages = Histogram::EMPTY;
    followed::each(|_, site, since| {
        if is_of(site) {
            ages.add(now.saturating_sub(since));
        }
    });
    ages
}
