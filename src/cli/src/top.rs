// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What `alloctag top` shows: the profile as it changes.
//!
//! Data flows one way. A [`History`] takes readings in and makes a [`Sample`] of each; a [`Board`] arranges a sample by
//! [`Settings`] into [`Line`]s; a [`page`] prints those, or [`draw`] draws them. [`State`] is what keys change: no terminal is
//! needed to press them.

mod board;
pub mod column;
pub mod feed;
mod filter;
mod history;
pub mod json;
mod line;
mod order;
pub mod page;
pub mod saved;
pub mod spark;

#[cfg(feature = "tui")]
pub mod draw;
#[cfg(feature = "tui")]
mod input;
#[cfg(feature = "tui")]
mod keyboard;
#[cfg(feature = "tui")]
mod keys;
#[cfg(feature = "tui")]
mod pointer;
#[cfg(feature = "tui")]
pub mod screen;
#[cfg(feature = "tui")]
pub mod session;
#[cfg(feature = "tui")]
mod state;

use std::ops::RangeInclusive;
use std::time::Duration;

pub use board::{Board, Settings};
pub use column::Column;
pub use filter::Filter;
pub use history::{History, Sample};
pub use line::{Id, Line};
pub use order::Order;
#[cfg(feature = "tui")]
pub use state::{Effect, Mode, State};

/// How long it may be from one reading to the next.
pub const INTERVALS: RangeInclusive<Duration> = Duration::from_millis(100)..=Duration::from_secs(86_400);
