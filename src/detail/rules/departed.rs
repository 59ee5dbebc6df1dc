// SPDX-License-Identifier: GPL-2.0-only

//! The names of functions that have gone with their module, or with its init code.
//!
//! What comes to their addresses later is called otherwise; so they are looked up before, for as long as a context has one
//! of them in its stack.

use crate::{
    model::context::Key,
    platform::{sort, stack},
};
use kernel::{alloc::AllocError, alloc_hooks, prelude::*};

/// The functions of one module, and the contexts that have them in their stacks: a name for each return address.
pub(super) struct Departed {
    /// In order.
    addresses: KVVec<u64>,
    /// One for each of these.
    names: KVVec<KVec<u8>>,
    /// The places of the contexts, which nobody finds any more; in order.
    places: KVVec<usize>,
}

impl Departed {
    /// Gives names to those functions that such contexts have, which come in the order of their places. May sleep.
    ///
    /// # Errors
    ///
    /// [`AllocError`]
    pub(super) fn of<'a>(
        contexts: impl Iterator<Item = (usize, Key<'a>)>,
        is_wanted: impl Fn(usize, u64) -> bool,
        name: impl Fn(u64) -> Name,
    ) -> Result<Self, AllocError> {
        let mut addresses = KVVec::new();
        let mut places = KVVec::new();
        for (place, key) in contexts {
            let before = addresses.len();
            let wanted = |address: &&u64| is_wanted(place, **address);
            for address in key.stack().iter().filter(wanted) {
                alloc_hooks!(addresses.push(*address, GFP_KERNEL))?;
            }
            if addresses.len() > before {
                alloc_hooks!(places.push(place, GFP_KERNEL))?;
            }
        }
        sort::by_key(&mut addresses, |address| *address);
        let mut last = None;
        addresses.retain(|address| last.replace(*address) != Some(*address));
        let mut names = KVVec::new();
        for address in &addresses {
            alloc_hooks!(names.push(name(*address)?, GFP_KERNEL))?;
        }
        Ok(Self {
            addresses,
            names,
            places,
        })
    }

    /// What a function was called that a context has.
    pub(super) fn name(&self, place: usize, address: u64) -> Option<&[u8]> {
        let index = self.addresses.binary_search(&address).ok()?;
        self.places.binary_search(&place).ok()?;
        self.names.get(index).map(|name| &**name)
    }

    /// Leaves out contexts that have gone; `false` where none is left.
    pub(super) fn keep(&mut self, is_there: impl Fn(usize) -> bool) -> bool {
        self.places.retain(|place| is_there(*place));
        self.is_needed()
    }

    /// Whether there is a context that has one of them.
    pub(super) fn is_needed(&self) -> bool {
        !self.places.is_empty()
    }
}

/// A name that is kept, if there is memory for it.
pub(super) type Name = Result<KVec<u8>, AllocError>;

/// What a function is called at a return address. May sleep.
pub(super) fn name(address: u64) -> Name {
    stack::name(address, copy)
}

/// What one is called that nobody can name.
pub(super) fn no_name(_address: u64) -> Name {
    stack::name(0, copy)
}

fn copy(text: &[u8]) -> Name {
    let mut copied = KVec::new();
    alloc_hooks!(copied.extend_from_slice(text, GFP_KERNEL))?;
    Ok(copied)
}
