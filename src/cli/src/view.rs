// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Arranges the rows of a profile: groups, fields, order, limits, trees.
//!
//! [`View::apply`] turns a profile into a [`Selection`] of [`Entry`]s, [`Selection::table`] those into cells to be rendered.
//! [`contexts`] does the same for contexts, and [`stacks`] makes trees of them; [`times`] does it for
//! how long allocations took and lived.

mod context_changes;
pub mod contexts;
mod entry;
mod field;
mod group;
mod key;
mod scale;
mod selection;
pub mod stacks;
pub mod times;
pub mod tree;

pub use context_changes::{changes, ContextChange};
pub use entry::Entry;
pub use field::{Field, SortKey};
pub use group::Group;
pub use key::Key;
pub use scale::Scale;
pub use selection::{Selection, View};
