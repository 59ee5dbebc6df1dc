// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The pure logic: what a handle, a reference and a row are, independent of the kernel around them.
//!
//! Nothing here allocates, locks or knows an address.

#![forbid(unsafe_code)]

pub mod boot;
pub mod capacity;
pub mod chain;
pub mod chunk;
pub mod context;
pub mod contexts;
pub mod cursor;
pub mod extent;
pub mod field;
pub mod frame;
pub mod glob;
pub mod handle;
pub mod histogram;
pub mod index;
pub mod latency;
pub mod lifetimes;
pub mod line;
pub mod load;
pub mod name;
pub mod pool;
pub mod probe;
pub mod rank;
pub mod reference;
pub mod rule;
pub mod sample;
pub mod scale;
pub mod sites;
pub mod stall;
pub mod stalls;
pub mod symbol;
pub mod text;
pub mod totals;
pub mod wire;
