// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Conditions on rows and on what a command found out about them: what `--where` takes where rows have changed.

use super::facts::{self, predicate};
use super::{Expr, Fact, Op, Predicate, SyntaxError, Words, FIELDS};
use crate::model::{Measure, Row};
use crate::subsystem::Subsystems;

/// A condition on the fields of a row, and on facts that have names. A fact goes before a field of the same name.
#[derive(Clone, Debug)]
pub struct Mixed(Expr<Part>);

#[derive(Clone, Debug)]
enum Part {
    Fact(facts::Predicate),
    Field(Predicate),
}

impl Mixed {
    /// Reads a condition over the fields of rows and the facts `words` and `numbers`. Its subsystems are those of `subsystems`.
    ///
    /// # Errors
    ///
    /// Where and why it cannot be read.
    pub fn parse(
        text: &str,
        words: &Words<'_>,
        numbers: &[&str],
        subsystems: &Subsystems,
    ) -> Result<Mixed, SyntaxError> {
        let part = |field: &str, op: Op, value: &str| {
            if numbers.contains(&field) || words.iter().any(|(name, _)| *name == field) {
                return predicate(field, op, value, words, numbers).map(Part::Fact);
            }
            if !Predicate::has(field) {
                let facts: Vec<&str> = words.iter().map(|(name, _)| *name).chain(numbers.iter().copied()).collect();
                return Err(format!("`{field}` is no field; there are {} {FIELDS}", facts.join(" ")));
            }
            Predicate::new(field, op, value, subsystems).map(Part::Field)
        };
        Expr::parse(text, part).map(Mixed)
    }

    /// Whether it compares the fact `field`.
    pub fn compares(&self, field: &str) -> bool {
        let mut compares = false;
        self.0.each(&mut |part| {
            compares |= matches!(part, Part::Fact(predicate) if predicate.is_about(field));
        });
        compares
    }

    /// What fields it compares that only some kernels count.
    pub fn measures(&self) -> Vec<Measure> {
        let mut measures = Vec::new();
        self.0.each(&mut |part| match part {
            Part::Fact(predicate) => measures.extend(predicate.measure()),
            Part::Field(predicate) => measures.extend(predicate.measure()),
        });
        measures
    }

    /// Whether a finding about `row` fulfils the condition, given its facts.
    pub fn holds(&self, row: &Row, subsystems: &Subsystems, fact: impl Fn(&str) -> Fact) -> bool {
        self.0.holds(&mut |part| match part {
            Part::Fact(predicate) => predicate.holds(Some(&row.site), &fact),
            Part::Field(predicate) => predicate.holds(row, subsystems),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Numbers, Site};

    #[test]
    fn facts_and_fields_are_compared_in_one_condition() {
        let site = Site { file: "fs/ext4/a.c".into(), line: 7, func: "f".into(), module: None };
        let (accurate, clipped, merged, extra) = (true, false, 1, Vec::new());
        let row = Row { site, bytes: 4096, calls: 4, accurate, clipped, merged, numbers: Numbers::NONE, extra };
        let subsystems = Subsystems::built_in();
        let fact = |field: &str| match field {
            "calls" => Fact::Number(-1),
            "kind" => Fact::Word("new"),
            _ => Fact::None,
        };
        for (text, expected) in [
            ("bytes=4k line=7", true),
            ("calls<0 avg=1k", true),
            ("calls=4", false),
            ("kind=new or line=8", true),
            ("kind=gone or line=8", false),
            ("not (kind=gone) subsystem!=xfs accurate=yes", true),
            ("percent>0", false),
            ("percent!=0", false),
        ] {
            let words: &Words<'_> = &[("kind", &["new", "gone"])];
            let condition = Mixed::parse(text, words, &["calls", "percent"], &subsystems).unwrap();
            assert_eq!(condition.holds(&row, &subsystems, fact), expected, "{text}");
        }
    }

    #[test]
    fn mistakes_name_both_kinds_of_fields() {
        let subsystems = Subsystems::built_in();
        let words: &Words<'_> = &[("kind", &["new"])];
        let error = Mixed::parse("dleta>1", words, &["delta"], &subsystems).unwrap_err().to_string();
        assert_eq!(error, format!("at character 1: `dleta` is no field; there are kind delta {FIELDS}"));
        assert!(Mixed::parse("kind=gnu", words, &[], &subsystems).unwrap_err().to_string().contains("is no kind"));
    }
}
