// SPDX-License-Identifier: GPL-2.0-only

//! The seam to the kernel: addresses, locks and per-CPU areas, each behind a small safe face.

pub mod counters;
pub mod module;
pub mod page;
pub mod rwsem;
pub mod seq;
pub mod slab;
pub mod string;
pub mod switch;
pub mod tag;
