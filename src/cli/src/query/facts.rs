// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Conditions on what a command found out: what `--fail-if` takes.

use super::{Compare, Expr, Op, SyntaxError, Text};

/// A fact of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact<'f> {
    /// A name.
    Text(&'f str),
    /// A number.
    Number(i64),
    /// There is none; no comparison holds.
    None,
}

/// A condition on facts that have these names.
#[derive(Clone, Debug)]
pub struct Condition(Expr<Predicate>);

#[derive(Clone, Debug)]
struct Predicate {
    field: String,
    test: Test,
    inverted: bool,
}

#[derive(Clone, Debug)]
enum Test {
    Text(Text),
    Number(Compare),
}

impl Condition {
    /// Reads a condition over the fields `texts` and `numbers`.
    ///
    /// # Errors
    ///
    /// Where and why it cannot be read.
    pub fn parse(text: &str, texts: &[&str], numbers: &[&str]) -> Result<Condition, SyntaxError> {
        Expr::parse(text, |field, op, value| predicate(field, op, value, texts, numbers)).map(Condition)
    }

    /// Whether a finding fulfils the condition, given its facts.
    pub fn holds<'f>(&self, fact: impl Fn(&str) -> Fact<'f>) -> bool {
        self.0.holds(&mut |predicate| {
            let passes = match (fact(&predicate.field), &predicate.test) {
                (Fact::Text(text), Test::Text(test)) => test.passes(text),
                (Fact::Number(number), Test::Number(test)) => test.passes(number),
                // Not even `!=`: of what is not there nothing can be said.
                _ => return false,
            };
            passes != predicate.inverted
        })
    }
}

fn predicate(field: &str, op: Op, value: &str, texts: &[&str], numbers: &[&str]) -> Result<Predicate, String> {
    let (test, inverted) = if numbers.contains(&field) {
        let (test, inverted) = Compare::new(op, value)?;
        (Test::Number(test), inverted)
    } else if texts.contains(&field) {
        // The name that tables show for built-in code.
        let value = if field == "module" && value == "-" { "" } else { value };
        let (test, inverted) = Text::new(op, value)?;
        (Test::Text(test), inverted)
    } else {
        let known = [numbers, texts].concat().join(" ");
        return Err(format!("there is no field `{field}`; there are {known}"));
    };
    Ok(Predicate { field: field.to_owned(), test, inverted })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_hold_for_facts() {
        let fact = |field: &str| match field {
            "delta" => Fact::Number(2 << 20),
            "kind" => Fact::Text("new"),
            _ => Fact::None,
        };
        for (text, expected) in [
            ("delta>1M", true),
            ("delta>2M", false),
            ("kind=new delta>=2M", true),
            ("kind!=new or delta<0", false),
            ("share>5", false),
            ("share!=5", false),
        ] {
            let condition = Condition::parse(text, &["kind"], &["delta", "share"]).unwrap();
            assert_eq!(condition.holds(fact), expected, "{text}");
        }
        let error = Condition::parse("dleta>1", &["kind"], &["delta"]).unwrap_err().to_string();
        assert_eq!(error, "at character 1: there is no field `dleta`; there are delta kind");
        assert!(Condition::parse("delta~1", &["kind"], &["delta"]).is_err());
    }
}
