// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! One HTML file that shows profiles: no network, nothing else needed.
//!
//! [`Series`] puts profiles side by side, folds what is too small to be told apart until the file is small enough, and
//! [`page`] writes it. What is folded is still counted: sums of files and of everything above them stay true.

mod document;
pub mod page;
mod series;

pub use document::About;
pub use series::Series;
