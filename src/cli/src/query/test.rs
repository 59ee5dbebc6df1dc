// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The right-hand sides of comparisons: texts, patterns, numbers.

use glob::Pattern;
use regex_lite::Regex;

use super::Op;
use crate::render::units;
use crate::subsystem::Subsystems;
use crate::time::span;

/// A test of a text.
#[derive(Clone, Debug)]
pub enum Text {
    /// Equal to this (`=`).
    Exact(String),
    /// Of this shape (`=` with `*`, `?` or `[` in it).
    Glob(Pattern),
    /// Containing a match of this (`~`).
    Regex(Regex),
    /// Containing this; lower case stands for both.
    Part(String),
    /// Equal to one of these.
    OneOf(Vec<String>),
}

impl Text {
    /// The test, and whether it is to fail, that `op value` asks for.
    ///
    /// # Errors
    ///
    /// If `value` is no pattern, or `op` is not for texts.
    pub fn new(op: Op, value: &str) -> Result<(Text, bool), String> {
        match op {
            Op::Equal | Op::NotEqual => {
                let test = if value.contains(['*', '?', '[']) {
                    Text::Glob(Pattern::new(value).map_err(|error| format!("`{value}` is no pattern: {}", error.msg))?)
                } else {
                    Text::Exact(value.to_owned())
                };
                Ok((test, op == Op::NotEqual))
            }
            Op::Match | Op::NoMatch => {
                let regex =
                    Regex::new(value).map_err(|error| format!("`{value}` is no regular expression: {error}"))?;
                Ok((Text::Regex(regex), op == Op::NoMatch))
            }
            _ => Err("names are compared with =, !=, ~ or !~".into()),
        }
    }

    /// The same of the name of a subsystem: what `=` and `!=` are given stands for what people mean by it.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and if there is no such subsystem: a condition with a slip in it would never hold.
    pub fn of_subsystem(op: Op, value: &str, subsystems: &Subsystems) -> Result<(Text, bool), String> {
        if matches!(op, Op::Equal | Op::NotEqual) {
            // Names may have brackets, which are no pattern then.
            let meant: Vec<String> = subsystems.meant(value).into_iter().map(str::to_owned).collect();
            if !meant.is_empty() {
                return Ok((Text::OneOf(meant), op == Op::NotEqual));
            }
        }
        match Text::new(op, value)? {
            (Text::Exact(_), _) => Err(format!("`{value}` is no subsystem, nor do names of any begin with it")),
            other => Ok(other),
        }
    }

    /// Whether `text` passes.
    pub fn passes(&self, text: &str) -> bool {
        match self {
            Text::Exact(value) => value == text,
            Text::Glob(pattern) => pattern.matches(text),
            Text::Regex(regex) => regex.is_match(text),
            Text::Part(part) => {
                let small = !part.chars().any(char::is_uppercase);
                text.contains(part.as_str()) || (small && text.to_lowercase().contains(part.as_str()))
            }
            Text::OneOf(values) => values.iter().any(|value| value == text),
        }
    }
}

/// A test of a number: a range, both ends within.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compare {
    /// The least that passes.
    pub least: i64,
    /// The most that passes.
    pub most: i64,
}

impl Compare {
    /// The test, and whether it is to fail, that `op value` asks for. `value` may be a range, `10-90`, for `=` and `!=`.
    ///
    /// # Errors
    ///
    /// If `value` is no number or range, or `op` is not for numbers.
    pub fn new(op: Op, value: &str) -> Result<(Compare, bool), String> {
        Compare::by(op, value, number)
    }

    /// The same of nanoseconds, with units of time.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn times(op: Op, value: &str) -> Result<(Compare, bool), String> {
        Compare::by(op, value, time)
    }

    fn by(op: Op, value: &str, number: fn(&str) -> Result<i64, String>) -> Result<(Compare, bool), String> {
        let (least, most) = match op {
            Op::Equal | Op::NotEqual => range(value, number)?,
            Op::AtLeast => (number(value)?, i64::MAX),
            Op::AtMost => (i64::MIN, number(value)?),
            Op::Above => (number(value)?.saturating_add(1), i64::MAX),
            Op::Below => (i64::MIN, number(value)?.saturating_sub(1)),
            Op::Match | Op::NoMatch => return Err("numbers are compared with =, !=, <, <=, > or >=".into()),
        };
        Ok((Compare { least, most }, op == Op::NotEqual))
    }

    /// Whether `value` passes.
    pub fn passes(&self, value: i64) -> bool {
        (self.least..=self.most).contains(&value)
    }
}

/// Both ends of a range of numbers, or of one number.
pub(super) fn range<N: Copy + PartialOrd>(
    value: &str,
    number: fn(&str) -> Result<N, String>,
) -> Result<(N, N), String> {
    // A minus at the very front is a sign.
    let Some(dash) = value.char_indices().skip(1).find_map(|(at, c)| (c == '-').then_some(at)) else {
        let value = number(value)?;
        return Ok((value, value));
    };
    let (least, most) = (number(&value[..dash])?, number(&value[dash + 1..])?);
    if least > most {
        return Err(format!("`{value}` ends before it begins"));
    }
    Ok((least, most))
}

/// A number with an optional sign and unit: `1M`, `-64k`.
///
/// # Errors
///
/// If it is none.
pub fn number(text: &str) -> Result<i64, String> {
    units::parse(text).ok_or_else(|| format!("`{text}` is no number such as 4096, 64k, 1.5M or 2GB"))
}

/// A number of nanoseconds, with an optional unit: `1500`, `48us`, `1.5ms`.
fn time(text: &str) -> Result<i64, String> {
    span::nanoseconds(text).ok_or_else(|| format!("`{text}` is no time such as 1500 (nanoseconds), 48us, 1.5ms or 2s"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(op: Op, value: &str, against: &str) -> bool {
        let (test, inverted) = Text::new(op, value).unwrap();
        test.passes(against) != inverted
    }

    #[test]
    fn texts_are_compared_whole_by_shape_or_by_expression() {
        for (op, value, against, expected) in [
            (Op::Equal, "mm/slub.c", "mm/slub.c", true),
            (Op::Equal, "slub.c", "mm/slub.c", false),
            (Op::Equal, "fs/*", "fs/ext4/inode.c", true),
            (Op::Equal, "fs/[ex]*.c", "fs/xfs/x.c", true),
            (Op::Equal, "", "", true),
            (Op::NotEqual, "fs/*", "mm/slub.c", true),
            (Op::Match, "slub", "mm/slub.c", true),
            (Op::Match, "^slub", "mm/slub.c", false),
            (Op::NoMatch, "^(fs|net)/", "mm/slub.c", true),
        ] {
            assert_eq!(text(op, value, against), expected, "{against} {op:?} {value}");
        }
        for (op, value) in [(Op::Match, "("), (Op::Equal, "[a"), (Op::Above, "x")] {
            assert!(Text::new(op, value).is_err(), "{op:?} {value}");
        }
    }

    #[test]
    fn subsystems_are_named_as_people_name_them() {
        let table = Subsystems::built_in();
        let bpf = "BPF [GENERAL] (Safe Dynamic Programs and Tools)";
        for (op, value, against, expected) in [
            (Op::Equal, "ext4", "EXT4 FILE SYSTEM", true),
            (Op::NotEqual, "ext4", "EXT4 FILE SYSTEM", false),
            (Op::Equal, "ext4", "XFS FILESYSTEM", false),
            (Op::Equal, bpf, bpf, true),
            (Op::Equal, "bpf", bpf, true),
            (Op::Equal, "BPF*", bpf, true),
            (Op::Match, "^EXT4", "EXT4 FILE SYSTEM", true),
        ] {
            let (test, inverted) = Text::of_subsystem(op, value, &table).unwrap();
            assert_eq!(test.passes(against) != inverted, expected, "{against} {op:?} {value}");
        }
        for (op, value) in [(Op::Equal, "ext9"), (Op::NotEqual, "ext"), (Op::Equal, ""), (Op::Above, "ext4")] {
            assert!(Text::of_subsystem(op, value, &table).is_err(), "{op:?} {value}");
        }
    }

    #[test]
    fn times_are_compared_with_their_units() {
        for (op, value, inside, outside) in [
            (Op::AtLeast, "1ms", vec![1_000_000], vec![999_999]),
            (Op::Above, "1500", vec![1501], vec![1500]),
            (Op::Equal, "1us-1ms", vec![1000, 1_000_000], vec![999, 1_000_001]),
        ] {
            let (test, inverted) = Compare::times(op, value).unwrap();
            assert!(inside.iter().all(|&number| test.passes(number) != inverted), "{op:?} {value}");
            assert!(outside.iter().all(|&number| test.passes(number) == inverted), "{op:?} {value}");
        }
        assert!(Compare::times(Op::Above, "64k").unwrap_err().contains("is no time such as"));
    }

    #[test]
    fn numbers_are_compared_at_their_boundaries() {
        for (op, value, inside, outside) in [
            (Op::Equal, "5", vec![5], vec![4, 6]),
            (Op::Equal, "10-90", vec![10, 50, 90], vec![9, 91, -10]),
            (Op::Equal, "-9--7", vec![-9, -7], vec![-6, -10, 9]),
            (Op::NotEqual, "10-90", vec![9, 91], vec![10, 90]),
            (Op::Above, "1k", vec![1025, i64::MAX], vec![1024]),
            (Op::AtLeast, "1k", vec![1024], vec![1023]),
            (Op::Below, "-1", vec![-2, i64::MIN], vec![-1]),
            (Op::AtMost, "-1", vec![-1], vec![0]),
        ] {
            let (test, inverted) = Compare::new(op, value).unwrap();
            assert!(inside.iter().all(|&number| test.passes(number) != inverted), "{op:?} {value}");
            assert!(outside.iter().all(|&number| test.passes(number) == inverted), "{op:?} {value}");
        }
        for (op, value) in
            [(Op::Equal, "x"), (Op::Equal, "9-1"), (Op::Match, "1"), (Op::Above, "1-2"), (Op::Equal, "-")]
        {
            assert!(Compare::new(op, value).is_err(), "{op:?} {value}");
        }
    }
}
