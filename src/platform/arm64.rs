// SPDX-License-Identifier: GPL-2.0-only

//! Instructions of arm64 for what would be calls of C's inline functions.

mod alternatives;
mod atomic;
mod ll_sc;
mod lse;

pub(super) use alternatives::per_cpu_offset;
pub(super) use atomic::{add, add_each, add_last, flip};
