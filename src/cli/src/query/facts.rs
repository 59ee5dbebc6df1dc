// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Conditions on what a command found out about a call site: what `--fail-if` takes.

use std::borrow::Cow;

use super::{Compare, Expr, Op, SyntaxError, Text};
use crate::model::Site;

/// A fact of a finding, besides the names of its site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// One of a few words.
    Word(&'static str),
    /// A number.
    Number(i64),
    /// There is none; no comparison holds.
    None,
}

/// A condition on facts that have names, and on the names of the site that they are about.
#[derive(Clone, Debug)]
pub struct Condition(Expr<Predicate>);

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
}

/// The names of a site.
const NAMES: [&str; 5] = ["file", "func", "module", "dir", "site"];

/// Facts that are words: their field, and the words that there are.
pub type Words<'w> = [(&'w str, &'w [&'static str])];

impl Condition {
    /// Reads a condition over the names of a site and the fields `words` and `numbers`.
    ///
    /// # Errors
    ///
    /// Where and why it cannot be read. A word that there is not is one reason: a check with a slip in it would never fail.
    pub fn parse(text: &str, words: &Words<'_>, numbers: &[&str]) -> Result<Condition, SyntaxError> {
        Expr::parse(text, |field, op, value| predicate(field, op, value, words, numbers)).map(Condition)
    }

    /// Whether a finding fulfils the condition, given its site, if it is about one, and its facts.
    pub fn holds(&self, site: Option<&Site>, fact: impl Fn(&str) -> Fact) -> bool {
        self.0.holds(&mut |predicate| predicate.holds(site, &fact))
    }
}

impl Predicate {
    /// Whether it holds for a finding about `site`, if it is about one.
    pub(super) fn holds(&self, site: Option<&Site>, fact: &impl Fn(&str) -> Fact) -> bool {
        let passes = match &self.test {
            Test::Name(test) => site.map(|site| test.passes(&name(&self.field, site))),
            Test::Word(test) => match fact(&self.field) {
                Fact::Word(word) => Some(test.passes(word)),
                _ => None,
            },
            Test::Number(test) => match fact(&self.field) {
                Fact::Number(number) => Some(test.passes(number)),
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
    let (test, inverted) = if numbers.contains(&field) {
        let (test, inverted) = Compare::new(op, value)?;
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
}
