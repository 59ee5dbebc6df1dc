// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Tells leaks from everything else that grows.
//!
//! A [`history`] cuts what a recording says into [`Track`]s, the stretches over which the numbers of a site can be compared.
//! [`judge`](verdict::judge) asks of each: does it grow ([`kendall`], robust against any distribution, ties and
//! autocorrelation), how fast ([`slope`]), and what does the growth look like ([`shape`])? As thousands of sites are asked at
//! once, some grow by chance; [`discovery`] keeps the share of those among the leaks reported below a bound.

pub mod discovery;
pub mod finding;
pub mod history;
pub mod kendall;
pub mod longrun;
pub mod median;
pub mod shape;
pub mod slope;
pub mod suppressions;
pub mod verdict;

pub use finding::Finding;
pub use history::{History, Track};
pub use suppressions::Suppressions;
pub use verdict::{judge, Judgement, Limits, Verdict};

/// A value at a time: seconds, and bytes or allocations.
pub type Point = (f64, f64);

#[cfg(test)]
mod corpus;
