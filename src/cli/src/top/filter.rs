// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is typed to pick rows: a condition, or simply a part of a name.

use crate::model::{Measure, Row};
use crate::query::{Text, Where, FIELDS};
use crate::subsystem::Subsystems;

/// Other names that [`Where`] knows fields by.
const ALIASES: [&str; 4] = ["function", "mod", "tag", "size"];

/// Picks rows.
#[derive(Clone, Debug, Default)]
pub enum Filter {
    /// All.
    #[default]
    All,
    /// Those for which a condition of `--where` holds.
    Condition(Where),
    /// Those whose `FILE:LINE [MODULE] func:FUNC` has this in it. Lower case stands for both.
    Part(String),
}

impl Filter {
    /// Reads what was typed: a condition if it compares a field, in which words alone are parts of names; else one part. Its
    /// subsystems are those of `subsystems`.
    ///
    /// # Errors
    ///
    /// What is wrong with a condition, in words.
    ///
    /// # Examples
    ///
    /// ```
    /// use alloctag::subsystem::Subsystems;
    /// use alloctag::top::Filter;
    /// let subsystems = Subsystems::built_in();
    /// assert!(matches!(Filter::parse("bytes>1M", &subsystems), Ok(Filter::Condition(_))));
    /// assert!(matches!(Filter::parse("ext4", &subsystems), Ok(Filter::Part(_))));
    /// assert!(Filter::parse("bytes>lots", &subsystems).is_err());
    /// ```
    pub fn parse(text: &str, subsystems: &Subsystems) -> Result<Filter, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Filter::All);
        }
        match Where::parse(text, subsystems) {
            Ok(condition) => Ok(Filter::Condition(condition)),
            Err(_) if compares(text) => {
                Where::parse_with_words(text, subsystems).map(Filter::Condition).map_err(|error| error.to_string())
            }
            Err(_) => Ok(Filter::Part(text.to_owned())),
        }
    }

    /// What it compares that only some kernels count.
    pub fn measures(&self) -> Vec<Measure> {
        match self {
            Filter::Condition(condition) => condition.measures(),
            _ => Vec::new(),
        }
    }

    /// Whether a row is picked.
    pub fn matches(&self, row: &Row, subsystems: &Subsystems) -> bool {
        match self {
            Filter::All => true,
            Filter::Condition(condition) => condition.matches(row, subsystems),
            Filter::Part(part) => Text::Part(part.clone()).passes(&row.site.to_string()),
        }
    }
}

/// Whether the first operator follows the name of a field: `bytes>` does, the `<` of `Vec<T>` does not, and what stands in
/// quotes has no operators.
fn compares(text: &str) -> bool {
    let mut quote = None;
    let unquoted = text.chars().filter(|&c| match quote {
        Some(open) => {
            quote = (c != open).then_some(open);
            false
        }
        None => {
            quote = (c == '\'' || c == '"').then_some(c);
            quote.is_none()
        }
    });
    let text = &*unquoted.collect::<String>();
    let Some(end) = text.find(['=', '~', '<', '>', '!']) else { return false };
    let before = text[..end].trim_end();
    let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '.' && c != '_').map_or(0, |at| at + 1);
    // The character found is ASCII or not; step over all of it.
    let name = before.get(start..).unwrap_or_default();
    name.starts_with("extra.") || ALIASES.contains(&name) || FIELDS.split(' ').any(|field| field == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Site;

    fn row(file: &str, func: &str, module: Option<&str>) -> Row {
        let site = Site { file: file.into(), line: 7, func: func.into(), module: module.map(Into::into) };
        Row { bytes: 4096, calls: 1, ..Row::empty(site) }
    }

    #[test]
    fn what_compares_a_field_is_a_condition_and_the_rest_a_part_of_a_name() {
        for (text, kind) in [
            ("", "all"),
            ("   ", "all"),
            ("ext4", "part"),
            ("Vec<T>::push", "part"),
            ("a b", "part"),
            ("é=", "part"),
            ("not", "part"),
            ("bytes>1M", "condition"),
            ("file~^fs/ext4 not module=-", "condition"),
            ("bytes>", "error"),
            ("subsystem=ext4", "condition"),
            ("subsystem=ext9", "error"),
            ("size>x", "error"),
            ("extra.node=", "error"),
            ("(func=f", "error"),
            ("func~[", "error"),
        ] {
            let found = match Filter::parse(text, &Subsystems::built_in()) {
                Ok(Filter::All) => "all",
                Ok(Filter::Part(_)) => "part",
                Ok(Filter::Condition(_)) => "condition",
                Err(problem) => {
                    assert_eq!(problem.lines().count(), 1);
                    "error"
                }
            };
            assert_eq!(found, kind, "{text:?}");
        }
    }

    #[test]
    fn a_part_is_looked_for_in_the_whole_name_and_lower_case_stands_for_both() {
        let subsystems = Subsystems::built_in();
        let row = row("fs/ext4/inode.c", "Vec<T>::push", Some("ext4"));
        for (text, expected) in [
            ("inode", true),
            ("vec<t>", true),
            ("Vec<T>", true),
            ("VEC", false),
            ("[ext4]", true),
            (".c:7", true),
            ("xfs", false),
            ("bytes=4096", true),
            ("inode bytes=4096", true),
            ("bytes>1k ext4", true),
            ("bytes>1k xfs", false),
            ("xfs or bytes=4096", true),
            ("not xfs bytes=4096", true),
            ("fs/ext4 (xfs or vec) calls=1", true),
            ("'vec<t>' bytes=4096", true),
            ("INODE bytes=4096", false),
            ("bytes>1M", false),
        ] {
            assert_eq!(Filter::parse(text, &subsystems).unwrap().matches(&row, &subsystems), expected, "{text}");
        }
    }
}
