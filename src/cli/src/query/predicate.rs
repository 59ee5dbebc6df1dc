// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! One comparison of a field of a row.

use super::{Compare, Op, Share, Text};
use crate::model::{Amount, Measure, Measured, Name, Row};
use crate::source::ioctl::NAME_BYTES;
use crate::subsystem::Subsystems;

/// The fields, for help texts.
pub const FIELDS: &str = "file func module line dir subsystem site bytes calls avg accurate rows backing \
                          slack requested waste allocs frees allocated failed injected stalls stall_ns stall_max_ns extra.KEY";

/// One comparison of a field of a row.
#[derive(Clone, Debug)]
pub struct Predicate {
    pub(super) field: Field,
    pub(super) test: Test,
    /// Whether the test is to fail.
    pub(super) inverted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    File,
    Func,
    Module,
    Line,
    Dir,
    Subsystem,
    Site,
    Bytes,
    Calls,
    Average,
    Accurate,
    Rows,
    Backing,
    Measure(Measure),
    Extra(Name),
}

#[derive(Clone, Debug)]
pub(super) enum Test {
    Text(Text),
    Number(Compare),
    Share(Share),
    Flag(bool),
}

impl Predicate {
    /// Whether there is such a field.
    pub(super) fn has(field: &str) -> bool {
        Field::named(field).is_ok()
    }

    /// A word alone: a part of what a site is called.
    pub(super) fn part(word: &str) -> Predicate {
        Predicate { field: Field::Site, test: Test::Text(Text::Part(word.to_owned())), inverted: false }
    }

    /// Reads one comparison. A subsystem is one of `subsystems`.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub(super) fn new(field: &str, op: Op, value: &str, subsystems: &Subsystems) -> Result<Predicate, String> {
        let field = Field::named(field)?;
        let (test, inverted) = match field {
            Field::Measure(measure) if measure.is_time() => {
                let (test, inverted) = Compare::times(op, value)?;
                (Test::Number(test), inverted)
            }
            Field::Measure(Measure::Waste) => {
                let (test, inverted) = Share::new(op, value)?;
                (Test::Share(test), inverted)
            }
            Field::Line | Field::Bytes | Field::Calls | Field::Average | Field::Rows | Field::Measure(_) => {
                let (test, inverted) = Compare::new(op, value)?;
                (Test::Number(test), inverted)
            }
            // What a kernel says besides is a number if it is compared as one.
            Field::Extra(_) if matches!(op, Op::Above | Op::AtLeast | Op::Below | Op::AtMost) => {
                let (test, inverted) = Compare::new(op, value)?;
                (Test::Number(test), inverted)
            }
            Field::Accurate | Field::Backing => flag(op, value)?,
            Field::Subsystem => {
                let (test, inverted) = Text::of_subsystem(op, value, subsystems)?;
                (Test::Text(test), inverted)
            }
            // The name that tables show for built-in code.
            Field::Module if value == "-" => {
                let (test, inverted) = Text::new(op, "")?;
                (Test::Text(test), inverted)
            }
            _ => {
                let (test, inverted) = Text::new(op, value)?;
                (Test::Text(test), inverted)
            }
        };
        Ok(Predicate { field, test, inverted })
    }

    /// What it compares that only some kernels count.
    pub(super) fn measure(&self) -> Option<Measure> {
        match self.field {
            Field::Measure(measure) => Some(measure),
            _ => None,
        }
    }

    /// Whether it holds for `row`.
    pub(super) fn holds(&self, row: &Row, subsystems: &Subsystems) -> bool {
        let passes = match &self.test {
            Test::Text(test) => self.text_passes(test, row, subsystems),
            Test::Number(test) => self.number(row).is_some_and(|number| test.passes(number)),
            Test::Share(test) => self.amount(row).map(Amount::real).is_some_and(|number| test.passes(number)),
            Test::Flag(expected) => {
                let found = if self.field == Field::Backing { row.backing().is_some() } else { row.accurate };
                found == *expected
            }
        };
        passes != self.inverted
    }

    fn text_passes(&self, test: &Text, row: &Row, subsystems: &Subsystems) -> bool {
        let site = &row.site;
        let name = |name: &str| passes_clipped(test, name, row.clipped);
        match &self.field {
            // As people write it, or as the kernel does.
            Field::File => name(site.path()) || (site.path().len() != site.file.len() && name(&site.file)),
            Field::Func => name(&site.func),
            Field::Module => name(site.module.as_deref().unwrap_or_default()),
            Field::Dir => test.passes(site.dir()),
            Field::Subsystem => test.passes(subsystems.of(site)),
            Field::Extra(key) => row.extra(key).is_some_and(|value| test.passes(value)),
            _ => test.passes(&site.to_string()),
        }
    }

    fn number(&self, row: &Row) -> Option<i64> {
        match &self.field {
            Field::Extra(key) => row.extra(key)?.parse().ok(),
            Field::Line => Some(row.site.line.into()),
            Field::Bytes => Some(row.bytes),
            Field::Calls => Some(row.calls),
            Field::Rows => Some(row.merged.into()),
            Field::Measure(_) => self.amount(row).map(Amount::whole),
            _ => row.average(),
        }
    }

    /// What it compares that only some kernels count.
    fn amount(&self, row: &Row) -> Option<Amount> {
        let measured = Measured { bytes: row.bytes, numbers: &row.numbers, time_ms: None };
        self.measure()?.of(&measured)
    }
}

impl Field {
    fn named(name: &str) -> Result<Field, String> {
        Ok(match name {
            "file" => Field::File,
            "func" | "function" => Field::Func,
            "module" | "mod" => Field::Module,
            "line" => Field::Line,
            "dir" => Field::Dir,
            "subsystem" => Field::Subsystem,
            "site" | "tag" => Field::Site,
            "bytes" | "size" => Field::Bytes,
            "calls" => Field::Calls,
            "avg" => Field::Average,
            "accurate" => Field::Accurate,
            "rows" => Field::Rows,
            "backing" => Field::Backing,
            _ => match name.strip_prefix("extra.").filter(|key| !key.is_empty()) {
                Some(key) => Field::Extra(key.into()),
                None => match Measure::named(name) {
                    // A row alone does not say for how long it was counted.
                    Some(measure) if measure != Measure::Rate => Field::Measure(measure),
                    _ => return Err(format!("`{name}` is no field; there are {FIELDS}")),
                },
            },
        })
    }
}

fn flag(op: Op, value: &str) -> Result<(Test, bool), String> {
    let expected = match value {
        "yes" | "true" | "1" => true,
        "no" | "false" | "0" => false,
        _ => return Err(format!("`{value}` is neither yes nor no")),
    };
    match op {
        Op::Equal => Ok((Test::Flag(expected), false)),
        Op::NotEqual => Ok((Test::Flag(expected), true)),
        _ => Err("yes and no are compared with = or !=".into()),
    }
}

/// Compares a name; one that may lack its beginning also with the end of a longer value, as the kernel's filter does.
fn passes_clipped(test: &Text, name: &str, clipped: bool) -> bool {
    test.passes(name)
        || match test {
            Text::Exact(value) => {
                clipped && name.len() == NAME_BYTES && value.len() > NAME_BYTES && value.ends_with(name)
            }
            _ => false,
        }
}
