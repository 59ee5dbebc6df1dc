// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Formats of other tools.
//!
//! Each module turns the rows that a [`View`](crate::view::View) or an iterator picks into one format and knows nothing of
//! options or files.

pub mod folded;
pub mod openmetrics;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod pprof;
mod protobuf;
