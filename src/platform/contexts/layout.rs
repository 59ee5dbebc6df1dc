// SPDX-License-Identifier: GPL-2.0-only

//! Where things lie, for assembly.

use super::{entry::Entry, stripe::Stripe};
use core::mem::size_of;

/// Bytes from one entry to the next.
pub const ENTRY: usize = size_of::<Entry>();

/// Bytes into an entry: where the account of its call site has its counters.
pub const ACCOUNT: usize = Entry::AT[0];

/// Bytes into an entry: where its stripes are.
pub const STRIPES: usize = Entry::AT[1];

/// Bytes into an entry: the half of a word that is not 0 where objects stand for others.
pub const EVERY: usize = Entry::AT[2];

/// Bytes from one stripe to the next.
pub const STRIPE: usize = size_of::<Stripe>();

/// Bytes into a stripe: what was taken back.
pub const TAKEN: usize = Stripe::AT[0];

/// Bytes into a stripe: how many objects that was.
pub const FREES: usize = Stripe::AT[1];

/// Bytes into a stripe: slack.
pub const SLACK: usize = Stripe::AT[2];
