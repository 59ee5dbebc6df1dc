// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! One HTML file that shows profiles: no network, nothing else needed.
//!
//! [`Series`] puts profiles side by side as they come, so that none of them has to be kept; [`Trends`] is what became of the
//! sites. [`page`] writes the file, and folds what is too small to be told apart until it is small enough. What is folded is
//! still counted: sums of files and of everything above them stay true.

mod course;
mod document;
mod frame;
pub mod page;
mod plain;
mod series;
mod times;
mod trends;

pub use document::{About, Picture};
pub use frame::Frame;
pub use series::Series;
pub use trends::Trends;
