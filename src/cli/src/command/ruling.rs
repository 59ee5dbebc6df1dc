// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What came of the conditions of `--fail-if`, and how it is told: on standard error, in JSON, to a runner of tests.

use std::io::{self, Write};

use serde_json::{json, Value};

use super::Context;
use crate::args::fail_if::Check;
use crate::error::Outcome;
use crate::query::Fact;
use crate::render::json::Head;
use crate::render::junit::{Case, Suite};
use crate::render::units::count;

/// Something that a condition holds for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Breach {
    /// The site, or the group of sites.
    pub(super) subject: String,
    /// What the condition compares, with its values.
    facts: Vec<(String, Fact)>,
}

/// A condition, and all that it holds for.
#[derive(Clone, Debug)]
struct Ruling {
    condition: String,
    breaches: Vec<Breach>,
}

/// All conditions, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Rulings(Vec<Ruling>);

impl Breach {
    /// A breach of `check` by `subject`.
    pub(super) fn new(check: &Check, subject: impl Into<String>, fact: impl Fn(&str) -> Fact) -> Breach {
        let facts = check.condition.compared().iter().map(|field| (field.clone(), fact(field)));
        Breach { subject: subject.into(), facts: facts.filter(|(_, fact)| *fact != Fact::None).collect() }
    }

    /// What is compared, as conditions are written.
    fn told(&self) -> String {
        self.facts.iter().map(|(field, fact)| format!("{field}={fact}")).collect::<Vec<_>>().join(" ")
    }

    fn line(&self) -> String {
        match self.facts.is_empty() {
            true => self.subject.clone(),
            false => format!("{}: {}", self.subject, self.told()),
        }
    }

    fn json(&self) -> Value {
        let value = |fact: &Fact| match fact {
            Fact::Word(word) => Value::from(*word),
            Fact::Number(number) => Value::from(*number),
            Fact::Share(hundredths) => Value::from(*hundredths),
            Fact::None => Value::Null,
        };
        let facts = self.facts.iter().map(|(field, fact)| (field.clone(), value(fact)));
        [("subject".to_owned(), Value::from(self.subject.as_str()))].into_iter().chain(facts).collect()
    }
}

impl Rulings {
    /// Asks of each condition what it holds for.
    pub(super) fn of(checks: &[Check], breaches: impl Fn(&Check) -> Vec<Breach>) -> Rulings {
        let ruling = |check: &Check| Ruling { condition: check.text.clone(), breaches: breaches(check) };
        Rulings(checks.iter().map(ruling).collect())
    }

    /// [`Outcome::ConditionMet`] if one of them holds.
    pub(super) fn outcome(&self) -> Outcome {
        if self.0.iter().any(|ruling| !ruling.breaches.is_empty()) {
            Outcome::ConditionMet
        } else {
            Outcome::Done
        }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of them holds for `subject`.
    pub(super) fn names(&self, subject: &str) -> bool {
        self.0.iter().any(|ruling| ruling.breaches.iter().any(|breach| breach.subject == subject))
    }

    /// Says on standard error what they hold for, all of it.
    pub(super) fn note(&self, context: &Context<'_>) {
        for ruling in &self.0 {
            for breach in &ruling.breaches {
                context.note(format_args!("--fail-if {:?}: {}", ruling.condition, breach.line()));
            }
        }
    }

    /// Puts them in front of the rows in JSON.
    pub(super) fn describe(&self, head: &mut Head) {
        if self.is_empty() {
            return;
        }
        let ruling = |ruling: &Ruling| {
            let breaches: Vec<Value> = ruling.breaches.iter().map(Breach::json).collect();
            json!({"condition": ruling.condition, "holds": !breaches.is_empty(), "for": breaches})
        };
        head.insert("fail_if".into(), self.0.iter().map(ruling).collect());
    }

    /// Writes them for a runner of tests: each condition is a test that fails where it holds.
    pub(super) fn write_junit(&self, name: &str, out: &mut dyn Write) -> io::Result<()> {
        let case = |ruling: &Ruling| Case {
            name: ruling.condition.clone(),
            failure: (!ruling.breaches.is_empty()).then(|| {
                let lines = ruling.breaches.iter().map(Breach::line).collect::<Vec<_>>().join("\n");
                (format!("holds {}", count(ruling.breaches.len(), "time")), lines)
            }),
        };
        Suite { name: name.to_owned(), cases: self.0.iter().map(case).collect() }.write(out)
    }
}
