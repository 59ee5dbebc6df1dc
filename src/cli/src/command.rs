// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The commands: one file each, with its options and its `run`.

pub mod bundle;
pub mod check;
pub mod completions;
pub mod contexts;
pub mod ctl;
pub mod diff;
pub mod export;
pub mod fault;
pub mod flame;
pub mod latency;
pub mod leak;
pub mod lifetimes;
pub mod list;
pub mod man;
pub mod marked;
pub mod profile;
pub mod record;
pub mod report;
pub mod serve;
pub mod settle;
pub mod snap;
pub mod stalls;
pub mod summary;
pub mod sweep;
pub mod top;
pub mod trace;
pub mod tree;
pub mod treemap;
pub mod watch;

mod backing;
mod below;
mod context;
mod left_out;
mod picture;
mod reading;
mod ruling;
mod times;
mod told;

pub use context::Context;
pub use reading::{
    by_time, describe, meant, note_caveats, read, read_sharing, require, require_times, Chosen, Doubts, Reading,
};
