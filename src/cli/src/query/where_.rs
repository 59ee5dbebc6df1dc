// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Conditions on the rows of a profile.

use super::predicate::Predicate;
use super::{pushdown, Expr, SyntaxError};
use crate::model::{Measure, Row};
use crate::source::filter::Filter;
use crate::subsystem::Subsystems;

/// A condition on rows: what `--where` takes.
#[derive(Clone, Debug)]
pub struct Where(Expr<Predicate>);

impl Where {
    /// Reads a condition.
    ///
    /// # Errors
    ///
    /// Where and why it cannot be read.
    pub fn parse(text: &str) -> Result<Where, SyntaxError> {
        Expr::parse(text, Predicate::new).map(Where)
    }

    /// The same, where a word alone is a part of what a site is called.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn parse_with_words(text: &str) -> Result<Where, SyntaxError> {
        Expr::parse_with(text, Predicate::new, Some(Predicate::part)).map(Where)
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
