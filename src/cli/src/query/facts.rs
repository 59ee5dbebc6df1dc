// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Conditions on what a command found out about a call site: what `--fail-if` takes.

use std::borrow::Cow;
use std::fmt;

use super::{Compare, Expr, Op, Share, SyntaxError, Text};
use crate::model::{Amount, Measure, Site};
use crate::subsystem::Subsystems;

/// A fact of a finding, besides the names of its site.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fact {
    /// One of a few words.
    Word(&'static str),
    /// A number.
    Number(i64),
    /// A number of hundredths.
    Share(f64),
    /// There is none; no comparison holds.
    None,
}

impl From<Amount> for Fact {
    fn from(amount: Amount) -> Fact {
        match amount {
            Amount::Bytes(number) | Amount::Times(number) | Amount::Time(number) => Fact::Number(number),
            Amount::Percent(hundredths) => Fact::Share(hundredths),
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Word(word) => f.write_str(word),
            Fact::Number(number) => number.fmt(f),
            Fact::Share(hundredths) => ((hundredths * 100.0).round() / 100.0).fmt(f),
            Fact::None => f.write_str("-"),
        }
    }
}

/// A condition on facts that have names, and on the names of the site that they are about.
#[derive(Clone, Debug)]
pub struct Condition {
    expr: Expr<Predicate>,
    /// The fields that it compares, each once.
    compared: Vec<String>,
}

/// One comparison of a fact, or of a name of the site.
#[derive(Clone, Debug)]
pub(super) struct Predicate {
    field: String,
    test: Test,
    inverted: bool,
}

#[derive(Clone, Debug)]
enum Test {
    Name(Text),
    Word(Text),
    Number(Compare),
    Share(Share),
}

/// The names of a site.
pub const NAMES: [&str; 5] = ["file", "func", "module", "dir", "site"];

/// Facts that are words: their field, and the words that there are.
pub type Words<'w> = [(&'w str, &'w [&'static str])];

impl Condition {
    /// Reads a condition over the names of a site and the fields `words` and `numbers`.
    ///
    /// # Errors
    ///
    /// Where and why it cannot be read. A word that there is not is one reason: a check with a slip in it would never fail.
    pub fn parse(text: &str, words: &Words<'_>, numbers: &[&str]) -> Result<Condition, SyntaxError> {
        Condition::among(text, words, numbers, None)
    }

    /// The same, with `subsystem` as one more name: a value stands for what people mean by it.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn among(
        text: &str,
        words: &Words<'_>,
        numbers: &[&str],
        subsystems: Option<&Subsystems>,
    ) -> Result<Condition, SyntaxError> {
        let mut compared: Vec<String> = Vec::new();
        let expr = Expr::parse(text, |field, op, value| {
            if !compared.iter().any(|known| known == field) {
                compared.push(field.to_owned());
            }
            match subsystems.filter(|_| field == SUBSYSTEM) {
                Some(subsystems) => {
                    let (test, inverted) = Text::of_subsystem(op, value, subsystems)?;
                    Ok(Predicate { field: SUBSYSTEM.to_owned(), test: Test::Name(test), inverted })
                }
                None => predicate(field, op, value, words, numbers),
            }
        })?;
        Ok(Condition { expr, compared })
    }

    /// The fields that it compares.
    pub fn compared(&self) -> &[String] {
        &self.compared
    }

    /// Whether it compares `field`.
    pub fn compares(&self, field: &str) -> bool {
        self.compared.iter().any(|known| known == field)
    }

    /// Whether a finding fulfils the condition, given its site, if it is about one, and its facts.
    pub fn holds(&self, site: Option<&Site>, fact: impl Fn(&str) -> Fact) -> bool {
        self.expr.holds(&mut |predicate| predicate.holds(site, &fact))
    }

    /// Whether it holds by these facts alone, whatever all others are.
    pub fn holds_by(&self, fact: impl Fn(&str) -> Fact) -> bool {
        let known = |predicate: &Predicate| match fact(&predicate.field) {
            Fact::None => None,
            _ => Some(predicate.holds(None, &fact)),
        };
        self.expr.known(&mut { known }) == Some(true)
    }

    /// The same for a group of sites, given the names that all of them share.
    pub fn holds_for(&self, name: impl Fn(&str) -> Option<String>, fact: impl Fn(&str) -> Fact) -> bool {
        self.expr.holds(&mut |predicate| predicate.holds_for(&|field: &str| name(field).map(Cow::from), &fact))
    }
}

/// The name that a site has by a table.
pub const SUBSYSTEM: &str = "subsystem";

impl Predicate {
    /// Whether it is about that fact or name.
    pub(super) fn is_about(&self, field: &str) -> bool {
        self.field == field
    }

    /// What it compares that only some kernels count.
    pub(super) fn measure(&self) -> Option<Measure> {
        Measure::named(&self.field)
    }

    /// Whether it holds for a finding about `site`, if it is about one.
    pub(super) fn holds(&self, site: Option<&Site>, fact: &impl Fn(&str) -> Fact) -> bool {
        self.holds_for(&|field: &str| site.map(|site| name(field, site)), fact)
    }

    /// The same by the names that it has.
    fn holds_for<'n>(&self, name: &impl Fn(&str) -> Option<Cow<'n, str>>, fact: &impl Fn(&str) -> Fact) -> bool {
        let passes = match &self.test {
            Test::Name(test) => name(&self.field).map(|name| test.passes(&name)),
            Test::Word(test) => match fact(&self.field) {
                Fact::Word(word) => Some(test.passes(word)),
                _ => None,
            },
            Test::Number(test) => match fact(&self.field) {
                Fact::Number(number) => Some(test.passes(number)),
                _ => None,
            },
            Test::Share(test) => match fact(&self.field) {
                Fact::Share(hundredths) => Some(test.passes(hundredths)),
                _ => None,
            },
        };
        // Not even `!=`: of what is not there nothing can be said.
        passes.is_some_and(|passes| passes != self.inverted)
    }
}

fn name<'s>(field: &str, site: &'s Site) -> Cow<'s, str> {
    match field {
        "file" => site.path().into(),
        "func" => site.func.as_str().into(),
        "module" => site.module.as_deref().unwrap_or_default().into(),
        "dir" => site.dir().into(),
        _ => site.to_string().into(),
    }
}

/// Reads one comparison.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn predicate(
    field: &str,
    op: Op,
    value: &str,
    words: &Words<'_>,
    numbers: &[&str],
) -> Result<Predicate, String> {
    let (test, inverted) = if numbers.contains(&field) && Share::is_of(field) {
        let (test, inverted) = Share::new(op, value)?;
        (Test::Share(test), inverted)
    } else if numbers.contains(&field) {
        let is_time = Measure::named(field).is_some_and(Measure::is_time);
        let (test, inverted) = if is_time { Compare::times(op, value)? } else { Compare::new(op, value)? };
        (Test::Number(test), inverted)
    } else if let Some((_, known)) = words.iter().find(|(name, _)| *name == field) {
        let (test, inverted) = Text::new(op, value)?;
        if !known.iter().any(|word| test.passes(word)) {
            return Err(format!("`{value}` is no {field}; there are {}", known.join(" ")));
        }
        (Test::Word(test), inverted)
    } else if NAMES.contains(&field) {
        // The name that tables show for built-in code.
        let value = if field == "module" && value == "-" { "" } else { value };
        let (test, inverted) = Text::new(op, value)?;
        (Test::Name(test), inverted)
    } else {
        let words: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
        let known = [numbers, &words, &NAMES].concat().join(" ");
        return Err(format!("there is no field `{field}`; there are {known}"));
    };
    Ok(Predicate { field: field.to_owned(), test, inverted })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &Words<'_> = &[("kind", &["new", "gone"])];

    #[test]
    fn conditions_hold_for_facts_and_names() {
        let site = Site { file: "./fs/a.c".into(), line: 7, func: "f".into(), module: None };
        let fact = |field: &str| match field {
            "delta" => Fact::Number(2 << 20),
            "kind" => Fact::Word("new"),
            _ => Fact::None,
        };
        for (text, with_site, without) in [
            ("delta>1M", true, true),
            ("delta>2M", false, false),
            ("kind=new delta>=2M", true, true),
            ("kind!=new or delta<0", false, false),
            ("share>5", false, false),
            ("share!=5", false, false),
            ("file=fs/a.c dir=fs func=f module=- site='fs/a.c:7 func:f'", true, false),
            ("func!=g", true, false),
        ] {
            let condition = Condition::parse(text, WORDS, &["delta", "share"]).unwrap();
            assert_eq!(condition.holds(Some(&site), fact), with_site, "{text}");
            assert_eq!(condition.holds(None, fact), without, "{text}");
        }
    }

    #[test]
    fn times_have_units_of_time() {
        let fact = |_: &str| Fact::Number(2_000_000);
        for (text, expected) in [("stall_max_ns>1ms", true), ("stall_ns>2ms", false), ("stall_ns=1500us-2ms", true)] {
            let condition = Condition::parse(text, &[], &["stall_ns", "stall_max_ns"]).unwrap();
            assert_eq!(condition.holds_by(fact), expected, "{text}");
        }
        let error = Condition::parse("stall_ns>1m", &[], &["stall_ns"]).unwrap_err().to_string();
        assert!(error.contains("`1m` is no time"), "{error}");
    }

    #[test]
    fn what_is_not_known_decides_nothing() {
        let fact = |field: &str| if field == "total" { Fact::Number(9) } else { Fact::None };
        for (text, expected) in [
            ("total>5", true),
            ("total>9", false),
            ("not total>9", true),
            ("total>5 or delta>1", true),
            ("total>9 or delta>1", false),
            ("total>5 delta>1", false),
            ("total>5 not delta>1", false),
            ("not (delta>1 or total<5)", false),
            ("not (delta>1 total<5)", true),
            ("total>5 func!=f", false),
        ] {
            let condition = Condition::parse(text, &[], &["delta", "total"]).unwrap();
            assert_eq!(condition.holds_by(fact), expected, "{text}");
        }
    }

    #[test]
    fn fields_and_words_that_there_are_not_are_mistakes() {
        for (text, expected) in [
            ("dleta>1", "at character 1: there is no field `dleta`; there are delta kind file func module dir site"),
            ("kind=New", "at character 1: `New` is no kind; there are new gone"),
            ("delta>1 kind!~^x", "at character 9: `^x` is no kind; there are new gone"),
            ("delta~1", "at character 1: numbers are compared with =, !=, <, <=, > or >="),
        ] {
            assert_eq!(Condition::parse(text, WORDS, &["delta"]).unwrap_err().to_string(), expected);
        }
        assert!(Condition::parse("kind=n*", WORDS, &[]).is_ok());
    }

    #[test]
    fn sums_of_subsystems_are_named_as_people_name_them() {
        let table = Subsystems::built_in();
        let fact = |field: &str| if field == "delta" { Fact::Number(2 << 20) } else { Fact::None };
        for (text, ext4, none) in [
            ("subsystem=ext4 delta>1M", true, false),
            ("subsystem='EXT4 FILE SYSTEM'", true, false),
            ("subsystem=ext4 delta>2M", false, false),
            ("subsystem~^EXT", true, false),
            ("subsystem=EXT4*", true, false),
            ("subsystem!=ext4 delta>1M", false, true),
            ("delta>1M", true, true),
        ] {
            let condition = Condition::among(text, &[], &["delta"], Some(&table)).unwrap();
            let holds = |name: &str| condition.holds_for(|field| (field == SUBSYSTEM).then(|| name.to_owned()), fact);
            assert_eq!((holds("EXT4 FILE SYSTEM"), holds("(none)")), (ext4, none), "{text}");
        }
        let error = Condition::among("subsystem=ext9", &[], &[], Some(&table)).unwrap_err().to_string();
        assert!(error.contains("`ext9` is no subsystem"), "{error}");
        let condition = Condition::among("delta>1 (delta<2 or subsystem=ext4)", &[], &["delta"], Some(&table)).unwrap();
        assert_eq!(condition.compared(), ["delta", "subsystem"]);
        assert!(condition.compares("delta") && !condition.compares("file"));
        assert!(
            Condition::parse("subsystem=ext4", &[], &[]).is_err(),
            "where there is no table, there is no such field"
        );
    }
}
