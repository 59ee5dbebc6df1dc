// SPDX-License-Identifier: GPL-2.0-only

//! Where an account's counters lie, and which accounts a hook asks about.

use super::chunk;
use crate::model::handle::Handle;
use core::mem::size_of;
use kernel::bindings;

/// Where an account's counters lie, in words from the beginning of each CPU's dense row: what an address makes bytes of by
/// itself. Those in chunks lie anywhere: the sum wraps around.
///
/// # Invariants
///
/// Every CPU has counters there.
#[derive(Clone, Copy)]
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
}

/// Which accounts a hook meets. There are two sets of hooks, and those that know chunks are in place from before the first
/// chunk is made until the last is gone.
pub trait Reach {
    /// Where the counters of one of them lie.
    fn place(handle: Handle) -> Place;
}

/// The accounts of the dense rows, and no others.
pub enum Dense {}

impl Reach for Dense {
    #[inline(always)]
    fn place(handle: Handle) -> Place {
        // INVARIANT: A row has counters for every handle outside of chunks.
        Place(Place::in_row(handle))
    }
}

/// All accounts.
pub enum All {}

impl Reach for All {
    #[inline(always)]
    fn place(handle: Handle) -> Place {
        // INVARIANT: As above, or of a chunk, which is there as long as one of its handles is known to anybody.
        Place(Place::in_row(handle).wrapping_add(chunk::shift(handle)))
    }
}
