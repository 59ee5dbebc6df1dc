// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Conditions on the rows of a profile.

use super::predicate::Predicate;
use super::{pushdown, Expr, Op, SyntaxError};
use crate::model::{Measure, Row};
use crate::source::filter::Filter;
use crate::subsystem::Subsystems;

/// A condition on rows: what `--where` takes.
#[derive(Clone, Debug)]
pub struct Where(Expr<Predicate>);

impl Where {
    /// Reads a condition. Its subsystems are those of `subsystems`.
    ///
    /// # Errors
    ///
    /// Where and why it cannot be read.
    pub fn parse(text: &str, subsystems: &Subsystems) -> Result<Where, SyntaxError> {
        let predicate = |field: &str, op: Op, value: &str| Predicate::new(field, op, value, subsystems);
        Expr::parse(text, predicate).map(Where)
    }

    /// The same, where a word alone is a part of what a site is called.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn parse_with_words(text: &str, subsystems: &Subsystems) -> Result<Where, SyntaxError> {
        let predicate = |field: &str, op: Op, value: &str| Predicate::new(field, op, value, subsystems);
        Expr::parse_with(text, predicate, Some(Predicate::part)).map(Where)
    }

    /// Whether `row` fulfils the condition.
    pub fn matches(&self, row: &Row, subsystems: &Subsystems) -> bool {
        self.0.holds(&mut |predicate| predicate.holds(row, subsystems))
    }

    /// What it compares that only some kernels count.
    pub fn measures(&self) -> Vec<Measure> {
        let mut measures = Vec::new();
        self.0.each(&mut |predicate| measures.extend(predicate.measure()));
        measures
    }

    /// What of it the kernel can check for us, if anything is worth asking.
    pub fn pushdown(&self) -> Option<Filter> {
        pushdown::filter(&self.0)
    }
}

#[cfg(test)]
#[path = "where_/tests.rs"]
mod tests;
