// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a call site has from one place, for one purpose.

use super::{Frame, Number, Pair, Row};

/// What stands for the functions of the stack among the keys.
pub const STACK: &str = "stack";

/// The key of a context whose rule takes samples: the bytes, on average, from one to the next. Its numbers are estimates.
pub const EVERY: &str = "every";

/// A context: what a call site has that all comes from the same functions, or is for the same task, or the like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// What tells it from others as long as it is there.
    pub number: u64,
    /// Its call site and its numbers, as those of a whole call site; its keys are among the further pairs.
    pub row: Row,
    /// The functions that called, innermost first; empty if it is not told apart by these.
    pub stack: Vec<Frame>,
}

impl Context {
    /// What tells it apart, but for its stack.
    pub fn keys(&self) -> &[Pair] {
        &self.row.extra
    }

    /// The value of a key.
    pub fn key(&self, key: &str) -> Option<&str> {
        self.row.extra(key)
    }

    /// Whether its numbers are estimates, and from how many bytes one object is looked at, on average.
    pub fn period(&self) -> Option<i64> {
        self.key(EVERY)?.parse().ok().filter(|&period| period > 0)
    }

    /// The same with all that was ever allocated in place of what is alive.
    #[must_use]
    pub fn ever(mut self) -> Context {
        self.row.bytes = self.row.numbers.get(Number::Allocated).unwrap_or(0);
        self.row.calls = self.row.numbers.get(Number::Allocs).unwrap_or(0);
        self
    }

    /// Whether this is the same context at another moment.
    pub fn is_same(&self, other: &Context) -> bool {
        let is_same_place = self.number == other.number && self.row.site == other.row.site;
        is_same_place && self.keys() == other.keys() && self.stack == other.stack
    }

    /// Whether nothing of it is alive.
    pub fn is_idle(&self) -> bool {
        self.row.bytes == 0 && self.row.calls == 0
    }
}
