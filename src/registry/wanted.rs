// SPDX-License-Identifier: GPL-2.0-only

//! What rules want of a call site.

use crate::model::{line::Arming, name::Choice};

/// What is wanted of a call site.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// What its allocations are told apart by.
    pub choice: Choice,
    /// When it fails.
    pub arming: Arming,
    /// Whether it has events, where not all have.
    pub is_marked: bool,
}

impl Wanted {
    /// Nothing.
    pub const NOTHING: Self = Self {
        choice: Choice::NONE,
        arming: Arming::NEVER,
        is_marked: false,
    };
}
