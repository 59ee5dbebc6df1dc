// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Leaks that are known: a file of patterns in the manner of LeakSanitizer.
//!
//! ```text
//! # the page cache's own business
//! leak:page_cache_ra_*
//! leak:fs/ext4/
//! where:module=nvme bytes<1M
//! ```
//!
//! `leak:` takes a part of the function's, the module's or the file's name; `*` stands for anything, `^` and `$` for the
//! beginning and the end. `where:` takes a condition as `--where` does.

use crate::error::{Error, Result};
use crate::model::Row;
use crate::query::Where;
use crate::subsystem::Subsystems;
use regex_lite::Regex;
use std::path::Path;

/// The patterns of a file.
#[derive(Debug, Default)]
pub struct Suppressions {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    text: String,
    test: Test,
    uses: usize,
}

#[derive(Debug)]
enum Test {
    Name(Regex),
    Where(Where),
}

impl Suppressions {
    /// Reads a file of patterns.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or which line makes no sense.
    pub fn load(path: &Path, subsystems: &Subsystems) -> Result<Suppressions> {
        let text =
            std::fs::read_to_string(path).map_err(|e| Error::failed(path.display(), crate::error::describe(&e)))?;
        Suppressions::parse(&text, subsystems).map_err(|problem| Error::failed(path.display(), problem))
    }

    /// Reads patterns.
    ///
    /// # Errors
    ///
    /// Which line makes no sense, and why.
    pub fn parse(text: &str, subsystems: &Subsystems) -> std::result::Result<Suppressions, String> {
        let mut rules = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let test = rule(line, subsystems).map_err(|problem| format!("line {}: {problem}", index + 1))?;
            rules.push(Rule { text: line.to_owned(), test, uses: 0 });
        }
        Ok(Suppressions { rules })
    }

    /// Whether `row` is known. The first rule that says so has been used once more.
    pub fn matches(&mut self, row: &Row, subsystems: &Subsystems) -> bool {
        let names = [row.site.func.as_str(), row.site.module.as_deref().unwrap_or_default(), row.site.path()];
        let found = self.rules.iter_mut().find(|rule| match &rule.test {
            Test::Name(pattern) => names.iter().any(|name| pattern.is_match(name)),
            Test::Where(condition) => condition.matches(row, subsystems),
        });
        found.map(|rule| rule.uses += 1).is_some()
    }

    /// The rules that were of no use.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().filter(|rule| rule.uses == 0).map(|rule| rule.text.as_str())
    }
}

fn rule(line: &str, subsystems: &Subsystems) -> std::result::Result<Test, String> {
    if let Some(condition) = line.strip_prefix("where:") {
        return Where::parse(condition, subsystems).map(Test::Where).map_err(|error| error.to_string());
    }
    let Some(pattern) = line.strip_prefix("leak:").map(str::trim) else {
        return Err("expected leak:PATTERN or where:EXPR".to_owned());
    };
    if pattern.trim_matches(['^', '$', '*']).is_empty() {
        return Err("a pattern is missing; this would match everything".to_owned());
    }
    let (start, rest) = pattern.strip_prefix('^').map_or(("", pattern), |rest| ("^", rest));
    let (rest, end) = rest.strip_suffix('$').map_or((rest, ""), |rest| (rest, "$"));
    let middle: Vec<String> = rest.split('*').map(regex_lite::escape).collect();
    let expression = format!("{start}{}{end}", middle.join(".*"));
    Regex::new(&expression).map(Test::Name).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Site;

    fn row(func: &str) -> Row {
        let site = Site { file: "./fs/ext4/inode.c".into(), line: 7, func: func.into(), module: Some("ext4".into()) };
        Row { bytes: 5000, calls: 1, ..Row::empty(site) }
    }

    #[test]
    fn patterns_match_parts_of_names() {
        let subsystems = Subsystems::built_in();
        for (rule, expected) in [
            ("leak:alloc_inode", true),
            ("leak:^ext4_*inode$", true),
            ("leak:^alloc_inode", false),
            ("leak:fs/ext4/", true),
            ("leak:ext?", false),
            ("leak:(", false),
            ("where:bytes>4k module=ext4", true),
            ("where:subsystem=ext4", true),
            ("where:bytes>5k module=nvme", false),
        ] {
            let mut suppressions = Suppressions::parse(&format!("# known\n\n{rule}\n"), &subsystems).unwrap();
            assert_eq!(suppressions.matches(&row("ext4_alloc_inode"), &subsystems), expected, "{rule}");
            assert_eq!(suppressions.unused().count(), usize::from(!expected), "{rule}");
        }
    }

    #[test]
    fn lines_that_make_no_sense_are_named() {
        for (text, expected) in [
            ("leak:x\nleek:y\n", "line 2: expected leak:PATTERN"),
            ("leak:**\n", "line 1: a pattern is missing"),
            ("\nwhere:size>\n", "line 2: at character"),
            ("where:subsystem=ext9\n", "line 1: at character 1: `ext9` is no subsystem"),
        ] {
            let problem = Suppressions::parse(text, &Subsystems::built_in()).unwrap_err();
            assert!(problem.starts_with(expected), "{problem}");
        }
    }
}
