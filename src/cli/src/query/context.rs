// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Conditions on contexts: on the fields of a row, which are those of the call site and the context's numbers, on its keys, and
//! on the functions of its stack.

use super::{Compare, Expr, Op, Predicate, SyntaxError, Text, FIELDS};
use crate::model::{Context, EVERY, STACK};
use crate::subsystem::Subsystems;

/// The keys that are known; others are `key.NAME`.
pub const KEYS: [&str; 9] = ["caller", "comm", "pid", "cgroup", "node", "order", "gfp", "age", EVERY];

/// Those of them whose values are mostly numbers, so that `=` takes units and ranges.
const NUMBERS: [&str; 4] = ["pid", "node", "order", EVERY];

/// A condition on contexts.
#[derive(Clone, Debug)]
pub struct OfContext(Expr<Part>);

#[derive(Clone, Debug)]
enum Part {
    Field(Predicate),
    Number(String, Compare, bool),
    Name(String, Text, bool),
    Stack(Text, bool),
}

impl OfContext {
    /// Reads a condition. Its subsystems are those of `subsystems`.
    ///
    /// # Errors
    ///
    /// Where and why it cannot be read.
    pub fn parse(text: &str, subsystems: &Subsystems) -> Result<OfContext, SyntaxError> {
        Expr::parse(text, |field, op, value| Part::new(field, op, value, subsystems)).map(OfContext)
    }

    /// Whether `context` fulfils the condition.
    pub fn matches(&self, context: &Context, subsystems: &Subsystems) -> bool {
        self.0.holds(&mut |part| part.holds(context, subsystems))
    }
}

impl Part {
    fn new(field: &str, op: Op, value: &str, subsystems: &Subsystems) -> Result<Part, String> {
        if field == STACK {
            let (test, inverted) = Text::new(op, value)?;
            return Ok(Part::Stack(test, inverted));
        }
        let key = field.strip_prefix("key.").or_else(|| KEYS.contains(&field).then_some(field));
        let Some(key) = key.filter(|key| !key.is_empty()) else {
            if !Predicate::has(field) {
                return Err(format!("`{field}` is no field; there are {STACK} {} key.NAME {FIELDS}", KEYS.join(" ")));
            }
            return Predicate::new(field, op, value, subsystems).map(Part::Field);
        };
        let is_order = matches!(op, Op::Above | Op::AtLeast | Op::Below | Op::AtMost);
        let number = Compare::new(op, value).ok().filter(|_| is_order || NUMBERS.contains(&key));
        if let Some((test, inverted)) = number {
            return Ok(Part::Number(key.to_owned(), test, inverted));
        }
        if is_order {
            // What is wrong with the number.
            Compare::new(op, value)?;
        }
        let (test, inverted) = Text::new(op, value)?;
        Ok(Part::Name(key.to_owned(), test, inverted))
    }

    /// Not even `!=` holds of a key that is not there.
    fn holds(&self, context: &Context, subsystems: &Subsystems) -> bool {
        match self {
            Part::Field(predicate) => predicate.holds(&context.row, subsystems),
            Part::Number(key, test, inverted) => {
                context.key(key).and_then(number).is_some_and(|number| test.passes(number) != *inverted)
            }
            Part::Name(key, test, inverted) => context
                .key(key)
                .is_some_and(|value| readings(key, value).any(|reading| test.passes(reading)) != *inverted),
            Part::Stack(test, inverted) => {
                let passes =
                    || context.stack.iter().any(|frame| test.passes(frame.function()) || test.passes(frame.as_str()));
                !context.stack.is_empty() && passes() != *inverted
            }
        }
    }
}

/// The number that a value is or begins with: seconds from which an age is, the id of a cgroup.
fn number(value: &str) -> Option<i64> {
    value.split(['-', ',']).next()?.parse().ok()
}

/// What people may mean by a value: all of it, the id or the path of a cgroup, one of several flags, a function alone.
fn readings<'v>(key: &str, value: &'v str) -> impl Iterator<Item = &'v str> {
    let parts: Vec<&str> = match key {
        "cgroup" => value.split_once(',').map_or(Vec::new(), |(id, path)| vec![id, path]),
        "gfp" => value.split('|').collect(),
        "caller" => value.split(['+', ' ']).take(1).collect(),
        _ => Vec::new(),
    };
    std::iter::once(value).chain(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Names;
    use crate::source::contexts::parse;

    fn chosen(condition: &str) -> Vec<u64> {
        let text = include_bytes!("../../tests/data/contexts-later-1.0.txt");
        let contexts = parse(text, &mut Names::new()).unwrap();
        let subsystems = Subsystems::built_in();
        let condition = OfContext::parse(condition, &subsystems).unwrap();
        let chosen = contexts.list().iter().filter(|context| condition.matches(context, &subsystems));
        chosen.map(|context| context.number).collect()
    }

    #[test]
    fn fields_keys_and_stacks_are_compared_in_one_condition() {
        for (condition, expected) in [
            ("comm='my task'", &[3][..]),
            ("comm='back\\134slash'", &[4]),
            ("comm=''", &[5]),
            ("comm!='my task'", &[4, 5]),
            ("comm~^my", &[3]),
            ("cgroup=17", &[3]),
            ("cgroup='/a b'", &[3]),
            ("cgroup=gone", &[4]),
            ("gfp=__GFP_ZERO", &[3]),
            ("gfp=GFP_*", &[3, 4]),
            ("age>=960", &[4]),
            ("age=0-60", &[3]),
            ("every=512K bytes>2M", &[3]),
            ("every>1M", &[]),
            ("pid=irq", &[6]),
            ("pid=10-20", &[7]),
            ("pid!=17", &[]),
            ("key.colour=red", &[4]),
            ("caller=g", &[5]),
            ("node=any", &[5]),
            ("stack=new_inode", &[3]),
            ("stack~ext4_c", &[4]),
            ("stack!~new_inode", &[4]),
            ("func=ext4_alloc_inode module=ext4 slack<0", &[3]),
            ("not stack=* or bytes=0", &[5, 6, 7]),
        ] {
            assert_eq!(chosen(condition), expected, "{condition}");
        }
    }

    #[test]
    fn mistakes_name_all_fields() {
        let error = OfContext::parse("com=x", &Subsystems::built_in()).unwrap_err().to_string();
        assert!(
            error.contains("`com` is no field; there are stack caller comm pid") && error.contains("key.NAME file"),
            "{error}"
        );
        for text in ["pid>x", "stack>1", "key.=1"] {
            assert!(OfContext::parse(text, &Subsystems::built_in()).is_err(), "{text}");
        }
    }
}
