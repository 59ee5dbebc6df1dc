// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Moments and durations, as people write them.

pub mod clock;
pub mod span;

pub use clock::{compact, Clock};
pub use span::{duration, outlook};
