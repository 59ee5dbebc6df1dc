// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Allocations and frees as they happen: the kernel's tracepoints `alloctag:alloc` and `alloctag:free`.
//!
//! ```text
//! instance → recorder ┐                      ┌ tally, alive
//!                     ├ piece → session ─────┤
//!    file (a replay) ─┘  page, format,       └ whoever wants each event
//!                        decode, merge
//! ```
//!
//! An [`instance`] of the kernel's tracer belongs to one run of this program. The [`recorder`] reads what it has as
//! [`piece`]s, which a [`mod@file`] keeps and gives back. A [`session`] makes events of them ([`page`], [`format`](mod@format),
//! [`decode`]), puts those of all CPUs in order ([`merge`]) and adds them up ([`tally`]). Nothing in it knows
//! whether the kernel is running.

pub mod alive;
pub mod callers;
pub mod decode;
pub mod event;
pub mod file;
pub mod flags;
pub mod format;
pub mod head;
pub mod instance;
pub mod merge;
pub mod page;
pub mod piece;
pub mod recorder;
pub mod session;
pub mod sites;
pub mod tally;
pub mod tasks;

#[cfg(test)]
mod made;
