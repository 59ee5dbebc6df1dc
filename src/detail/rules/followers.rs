// SPDX-License-Identifier: GPL-2.0-only

//! What has to be there for what is followed until it is freed.

use crate::{
    detail::lifetimes,
    model::capacity::Capacity,
    platform::{contexts::Table, detailed::Detailed, followed},
    registry::Reserved,
};
use kernel::prelude::*;

/// The handles of what is followed, and the hooks that know them; they go in this order.
pub(super) struct Followers {
    _handles: Reserved,
    _hooks: Detailed,
}

impl Followers {
    /// Makes it. May sleep for long.
    ///
    /// # Errors
    ///
    /// `ENOMEM`; `ENOSPC` where modules have so many accounts that no handles are left, and the log says so.
    pub(super) fn make() -> Result<Self> {
        // Those of contexts are the last, however many of these there will be.
        let behind = Table::first_handle(Capacity::MOST as usize);
        let first = lifetimes::prepare(behind)?;
        let hooks = Detailed::engage();
        let Some(handles) = Reserved::from(first) else {
            pr_err!("control: modules have call sites where what is followed should be\n");
            return Err(ENOSPC);
        };
        Ok(Self {
            _handles: handles,
            _hooks: hooks,
        })
    }

    /// Whether nothing is followed any more.
    pub(super) fn is_empty(&self) -> bool {
        followed::is_empty()
    }
}
