// SPDX-License-Identifier: GPL-2.0-only

//! What rules want of a call site.

use crate::model::{
    line::Calls,
    name::{Choice, Following},
};

/// What is wanted of a call site.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// What its allocations are told apart by.
    pub choice: Choice,
    /// Which of them are followed.
    pub following: Following,
    /// What is done with its calls of allocators.
    pub calls: Calls,
    /// Whether it has events, where not all have.
    pub is_marked: bool,
}

impl Wanted {
    /// Nothing.
    pub const NOTHING: Self = Self {
        choice: Choice::NONE,
        following: Following::NONE,
        calls: Calls::LEFT_ALONE,
        is_marked: false,
    };
}
