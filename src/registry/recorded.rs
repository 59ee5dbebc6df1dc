// SPDX-License-Identifier: GPL-2.0-only

//! Tags that containers have recorded, to charge later what they allocate to whoever made them.
//!
//! A tag goes with its module, and a container may stay. So what is recorded is a tag that never
//! goes: of a built-in call site its own, of others one that stands in for it, here. It names the
//! account, and what is done with its calls is what is done with the call site's. Rust's containers hold the account as long as they live; those in C
//! cannot say when they go, and keep it as long as something is charged to it.
//!
//! Stand-ins are made, and change what account they name, under the lock of the tables. They are
//! left only while the list of sections is held for writing.

use super::{linked, overflow};
use crate::{
    model::{
        handle::Handle,
        line::Calls,
        probe::{word, Found, Probe},
    },
    platform::{
        calls,
        log::Warning,
        spin::{self, Guard},
        tag::Tag,
    },
};
use core::ptr::{eq, from_ref};
use kernel::{
    bindings,
    sync::{
        atomic::{Acquire, Atomic, Relaxed, Release},
        barrier::{smp_mb, Full},
    },
};

/// One for sixteen of the spare accounts; and some where there are few, for those in chunks.
const SIXTEENTH: u32 = {
    let spare = bindings::ALLOC_TAG_SPARE_ACCOUNTS / 16;
    if spare < 256 {
        256
    } else {
        spare
    }
};
type Table = Probe<{ SIXTEENTH.next_power_of_two().ilog2() }>;

/// What stands in for the tag of an account that may be given back.
struct StandIn {
    /// The account's number, or one of the words that say that there is none.
    key: Atomic<usize>,
    /// How often it is held.
    holders: Atomic<usize>,
    tag: Tag,
}

static STAND_INS: [StandIn; Table::PLACES] = [const {
    StandIn {
        key: Atomic::new(word::EMPTY),
        holders: Atomic::new(0),
        tag: Tag::unnamed(),
    }
}; Table::PLACES];

static FULL: Warning =
    Warning::new(c"no room is left for the tags of some containers: they share an account");

/// A tag of the same account that lives for ever; `None` where there is no account, and in an NMI.
pub fn record(tag: &Tag) -> Option<&'static Tag> {
    lasting(tag, |_| ())
}

/// The same, and the account is held until that tag is given to [`release()`].
pub fn hold(tag: &Tag) -> Option<&'static Tag> {
    // What is held already can be held once more without the lock.
    match StandIn::of(tag) {
        Some(stand_in) if stand_in.hold_again() => Some(&stand_in.tag),
        _ => lasting(tag, |stand_in| stand_in.holders.add(1, Relaxed)),
    }
}

/// Lets go of an account.
pub fn release(tag: &Tag) {
    if let Some(stand_in) = StandIn::of(tag) {
        // Release: who finds that nobody holds it finds all that was charged.
        stand_in.holders.fetch_sub(1, Release);
    }
}

/// A tag that lives for ever, of the account that `tag` has; `with` is done with its stand-in under
/// the lock.
fn lasting(tag: &Tag, with: impl FnOnce(&StandIn)) -> Option<&'static Tag> {
    if let Some(tag) = linked::tag(tag.handle()) {
        return Some(tag);
    }
    let guard = spin::lock()?;
    // Once more: the tag may itself be a stand-in that was just redirected.
    let handle = tag.handle();
    if let Some(tag) = linked::tag(handle) {
        return Some(tag);
    }
    if !handle.is_counted() {
        return None;
    }
    match StandIn::make(&guard, handle, tag.calls()) {
        Some(stand_in) => {
            with(stand_in);
            Some(&stand_in.tag)
        }
        None => {
            drop(guard);
            FULL.say();
            Some(overflow::tag())
        }
    }
}

/// Looks at the tag of every stand-in. The list of sections is held for writing.
pub(super) fn each(mut look: impl FnMut(&Tag)) {
    for stand_in in &STAND_INS {
        if stand_in.key.load(Acquire) > word::GONE {
            look(&stand_in.tag);
        }
    }
}

fn search(handle: Handle) -> Found {
    Table::search(handle.index(), |place| {
        STAND_INS
            .get(place)
            .map_or(word::EMPTY, |stand_in| stand_in.key.load(Acquire))
    })
}

/// The stand-in of an account, if there is one.
fn find(handle: Handle) -> Option<&'static StandIn> {
    match search(handle) {
        Found::At(place) => STAND_INS.get(place),
        _ => None,
    }
}

/// Whether anybody holds an account.
pub(super) fn is_held(handle: Handle) -> bool {
    // Acquire: pairs with the Release of `release()`.
    find(handle).is_some_and(|stand_in| stand_in.holders.load(Acquire) > 0)
}

/// Whether all was counted that was charged to an account by way of a stand-in.
pub(super) fn is_accurate(handle: Handle) -> bool {
    find(handle).is_none_or(|stand_in| stand_in.tag.is_accurate())
}

/// Whether there is a stand-in for an account.
pub(super) fn is_known(handle: Handle) -> bool {
    find(handle).is_some()
}

/// Somebody holds the account.
pub(super) struct Held;

/// Lets whoever recorded an account without holding it charge another one for the time being; `None`
/// where nobody has. The list of sections is held for writing.
///
/// # Errors
///
/// [`Held`]
pub(super) fn redirect(handle: Handle) -> Result<Option<Redirected>, Held> {
    let Some(stand_in) = find(handle) else {
        return Ok(None);
    };
    let _guard = spin::lock();
    // Acquire: pairs with the Release of `release()`.
    if stand_in.holders.load(Acquire) > 0 {
        return Err(Held);
    }
    // Nobody comes to hold it now: that goes by the account that the tag names.
    stand_in.tag.set_handle(overflow::tag().handle());
    // What is charged to the account is looked at behind this, and not before others can see it.
    smp_mb(Full);
    Ok(Some(Redirected(stand_in, handle)))
}

/// A stand-in that names another account, and the one that it stood for.
pub(super) struct Redirected(&'static StandIn, Handle);

impl Redirected {
    /// There is no way back; the stand-in's place is free. Nobody looks at its tag any more who says what is done with calls, and
    /// what was said was of a call site that has gone.
    pub(super) fn forget(self) {
        let _guard = spin::lock();
        calls::mark(&self.0.tag, Calls::LEFT_ALONE);
        self.0.key.store(word::GONE, Release);
        FULL.take_back();
    }

    /// It is as it was.
    pub(super) fn restore(self) {
        let _guard = spin::lock();
        self.0.tag.set_handle(self.1);
    }
}

impl StandIn {
    /// The stand-in that a tag is part of, if it is one.
    fn of(tag: &Tag) -> Option<&'static Self> {
        let distance = from_ref(tag)
            .addr()
            .checked_sub(STAND_INS.as_ptr().addr())?;
        let stand_in = STAND_INS.get(distance / size_of::<Self>())?;
        eq(&stand_in.tag, tag).then_some(stand_in)
    }

    /// Holds what is held; `false` where nobody does.
    fn hold_again(&self) -> bool {
        let mut held = self.holders.load(Relaxed);
        while held > 0 {
            match self.holders.cmpxchg(held, held + 1, Relaxed) {
                Ok(_) => return true,
                Err(now) => held = now,
            }
        }
        false
    }

    /// Finds or makes the stand-in of an account; `None` where there is no room.
    fn make(_guard: &Guard, handle: Handle, calls: Calls) -> Option<&'static Self> {
        let place = match search(handle) {
            Found::At(place) => return STAND_INS.get(place),
            Found::Room(place) => place,
            Found::Full => return None,
        };
        let stand_in = STAND_INS.get(place)?;
        stand_in.tag.set_handle(handle);
        // Nothing is known of it yet.
        stand_in.tag.set_line(0);
        calls::mark(&stand_in.tag, calls);
        stand_in.key.store(handle.index(), Release);
        Some(stand_in)
    }
}
