// SPDX-License-Identifier: GPL-2.0-only

//! What has to be there for what is followed until it is freed.

use crate::{
    detail::lifetimes,
    model::capacity::Capacity,
    platform::{
        contexts::Table,
        detailed::Detailed,
        followed::{self, Handles},
    },
    registry::Reserved,
};
use kernel::prelude::*;

/// The handles of what is followed, which nobody else gets, and the hooks that know them; they go in this order.
pub(super) struct Followers {
    _handles: Handles,
    _reserved: Reserved,
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
        let Some(reserved) = Reserved::from(first) else {
            pr_err!("control: modules have call sites where what is followed should be\n");
            return Err(ENOSPC);
        };
        // SAFETY: It is the first, nobody has or gets one from it on but contexts, which are behind them; and who makes this has the
        // rules, which have one at a time.
        let handles = unsafe { Handles::publish(first) };
        Ok(Self {
            _handles: handles,
            _reserved: reserved,
            _hooks: hooks,
        })
    }

    /// Whether nothing is followed any more.
    pub(super) fn is_empty(&self) -> bool {
        followed::is_empty()
    }
}
