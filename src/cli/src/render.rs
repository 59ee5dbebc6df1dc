// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Puts results on paper: numbers with units, tables for people, formats for machines.
//!
//! Every command that lists something makes a [`Table`] and writes it by [`Table::write`] in a [`Format`].

pub mod bars;
pub mod fit;
pub mod format;
pub mod json;
pub mod junit;
pub mod style;
pub mod table;
pub mod units;

mod delimited;
pub mod human;
mod markdown;
mod words;

pub use format::{Format, Layout};
pub use style::Style;
pub use table::{Align, Cell, Column, Table};
pub use units::Units;
