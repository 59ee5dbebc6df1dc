// SPDX-License-Identifier: GPL-2.0-only

//! Where an account's counters lie, and which accounts a hook looks after itself.

use super::chunk;
use crate::{
    model::handle::Handle,
    platform::{boot_constant::BootConstant, countdown, tag::Tag},
};
use core::mem::size_of;
use kernel::bindings;

/// How many handles the dense rows have counters for.
#[link_section = ".data..ro_after_init"]
pub static DENSE: BootConstant = BootConstant::new(0);

/// Whether an account's counters are in the dense rows.
pub fn is_dense(handle: Handle) -> bool {
    handle.index() < DENSE.get()
}

/// Where an account's counters lie, in words from the beginning of each CPU's dense row: what an address makes bytes of by
/// itself. Those in chunks lie anywhere: the sum wraps around.
///
/// # Invariants
///
/// Every CPU has counters there.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Place(usize);

impl Place {
    /// The place in words, to be added with wrapping.
    #[inline(always)]
    pub(super) const fn words(self) -> usize {
        self.0
    }

    /// The place in bytes, to be added with wrapping.
    #[inline(always)]
    pub(super) const fn bytes(self) -> usize {
        self.0.wrapping_mul(size_of::<u64>())
    }

    /// Where a row of all accounts would have them.
    #[inline(always)]
    const fn in_row(handle: Handle) -> usize {
        handle.index() * (size_of::<bindings::alloctag_counters>() / size_of::<u64>())
    }

    /// Where an account's counters are, whichever it is.
    #[inline(always)]
    pub fn of(handle: Handle) -> Self {
        // INVARIANT: A row has counters for every handle outside of chunks, for which the table adds nothing; and a chunk is
        // there as long as one of its handles is known to anybody.
        Self(Self::in_row(handle).wrapping_add(chunk::shift(handle)))
    }
}

/// Which accounts hooks on the hot paths look after themselves. There are two sets of these hooks, and the detailed ones are in
/// place from before there is anything beyond the dense rows until it is gone.
pub trait Reach {
    /// Where an account's counters lie, if it is one of those.
    fn place(handle: Handle) -> Option<Place>;

    /// The account of a tag, if it is one of those and nothing is wanted of this allocation of so many bytes; and where its
    /// counters lie.
    fn account(tag: &Tag, bytes: impl FnOnce() -> usize) -> Option<(Handle, Place)>;
}

/// An account that has its counters in the dense rows, and where.
#[inline(always)]
fn dense(handle: Handle) -> (Handle, Place) {
    // INVARIANT: By the caller.
    (handle, Place(Place::in_row(handle)))
}

/// The plain hooks: all accounts that there are, for they have their counters in the dense rows.
pub enum Plain {}

impl Reach for Plain {
    #[inline(always)]
    fn account(tag: &Tag, _bytes: impl FnOnce() -> usize) -> Option<(Handle, Place)> {
        Some(dense(tag.name().bare()))
    }

    #[inline(always)]
    fn place(handle: Handle) -> Option<Place> {
        // INVARIANT: A row has counters for every handle outside of chunks.
        Some(Place(Place::in_row(handle)))
    }
}

/// The detailed hooks: those of the dense rows, and others are looked after out of their way.
pub enum Detailed {}

impl Reach for Detailed {
    #[inline(always)]
    fn account(tag: &Tag, bytes: impl FnOnce() -> usize) -> Option<(Handle, Place)> {
        let name = tag.name();
        if let Some(handle) = name.below(DENSE.get()) {
            return Some(dense(handle));
        }
        // It is one of the dense rows' where the hook draws.
        let by_hook = name.by_hook()?;
        (!countdown::count(by_hook, bytes())).then(|| dense(name.account()))
    }

    #[inline(always)]
    fn place(handle: Handle) -> Option<Place> {
        // INVARIANT: As for the plain ones.
        (handle.index() < DENSE.get()).then_some(Place(Place::in_row(handle)))
    }
}
