// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The language of `--where`.
//!
//! ```text
//! file~^fs/ext4 (bytes>1M or calls>=10k) not module=nvme line=10-90 accurate=no
//! ```
//!
//! [`syntax`] knows `and`, `or`, `not`, parentheses and `FIELD OP VALUE`, whatever the fields are: a command with fields of its
//! own (`delta`, `rate`) brings its own predicate. [`Where`] is the one over the rows of a profile, [`OfContext`] the one over
//! contexts, [`OfTiming`] the one over times, [`OfSite`] the one over call sites alone.

pub mod syntax;

mod context;
mod facts;
mod mixed;
mod predicate;
mod pushdown;
mod share;
mod site;
mod test;
mod timing;
mod where_;

pub use context::{OfContext, KEYS};
pub use facts::{Condition, Fact, Words, NAMES, SUBSYSTEM};
pub use mixed::Mixed;
pub use predicate::{Predicate, FIELDS};
pub use share::Share;
pub use site::OfSite;
pub use syntax::{Expr, Op, SyntaxError};
pub use test::{number, Compare, Text};
pub use timing::OfTiming;
pub use where_::Where;
