// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a memory allocation profile is, whatever it was read from.
//!
//! A [`Profile`] is a list of [`Row`]s, one per call site ([`Site`]), with the circumstances of its reading ([`Meta`]).
//! Every source builds it through [`Builder`], which adds up duplicate sites and refuses sizes that no sum could hold.
//! Nothing here reads a file or prints. What chosen call sites have by where it comes from and for whom are [`Contexts`],
//! how long allocations took and lived are [`Timings`].

mod backing;
mod builder;
mod context;
mod contexts;
mod frame;
pub mod histogram;
mod magnitudes;
mod measure;
mod meta;
mod name;
mod names;
mod number;
mod numbers;
mod profile;
mod quantity;
mod row;
mod sample;
mod site;
mod timing;
mod timings;
mod totals;
mod unreadable;

pub use backing::Backing;
pub use builder::Builder;
pub use context::{Context, EVERY, STACK};
pub use contexts::{Contexts, ContextsBuilder};
pub use frame::Frame;
pub use histogram::{Histogram, BUCKETS};
pub use magnitudes::{Refused, MAGNITUDE_LIMIT};
pub use measure::{per_second, Amount, Measure, Measured};
pub use meta::{Memory, Meta, Origin, Profiling, Source, Uname, Version};
pub use name::Name;
pub use names::Names;
pub(crate) use names::Rows;
pub use number::{About, Number, Together, Unit, TABLE};
pub use numbers::Numbers;
pub use profile::Profile;
pub use quantity::Quantity;
pub use row::{average, Pair, Row};
pub use sample::Sample;
pub use site::Site;
pub use timing::{Timed, Timing, NONE_LEFT};
pub use timings::Timings;
pub use totals::{Totals, Whole};
pub use unreadable::Unreadable;
