// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A user's own subsystems.
//!
//! ```toml
//! ["Storage team"]
//! files = ["drivers/nvme/", "block/blk-mq*.c"]   # patterns as in MAINTAINERS
//! modules = ["nvme*", "acme_raid"]
//! ```

use std::collections::BTreeMap;

use glob::Pattern;
use serde::Deserialize;

use super::index::Index;
use crate::model::Site;
use crate::printable::printable;

/// The entries of a TOML file. A match by module goes before one by file.
#[derive(Debug, Default)]
pub struct Overrides {
    sections: Index,
    /// Patterns of modules, with the numbers of their sections.
    modules: Vec<(Pattern, usize)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    modules: Vec<String>,
}

impl Overrides {
    /// Reads the TOML text.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and where, in one line.
    pub fn parse(text: &str) -> Result<Overrides, String> {
        let sections: BTreeMap<String, Section> = toml::from_str(text).map_err(|error| one_line(text, &error))?;
        let mut overrides = Overrides::default();
        for (number, (name, section)) in sections.iter().enumerate() {
            if name.is_empty() || name.chars().any(char::is_control) {
                return Err(format!("{name:?} cannot be the name of a subsystem"));
            }
            overrides.sections.section(name);
            for pattern in &section.files {
                if pattern.is_empty() || !overrides.sections.pattern(pattern) {
                    return Err(format!("[{name:?}]: {pattern:?} is no file pattern"));
                }
            }
            for pattern in &section.modules {
                let compiled =
                    Pattern::new(pattern).map_err(|_| format!("[{name:?}]: {pattern:?} is no module pattern"))?;
                overrides.modules.push((compiled, number));
            }
        }
        Ok(overrides)
    }

    /// The number of the entry that has `site`.
    pub fn find(&self, site: &Site) -> Option<usize> {
        let by_module = site.module.as_deref().and_then(|module| {
            self.modules.iter().find(|(pattern, _)| pattern.matches(module)).map(|(_, number)| *number)
        });
        by_module.or_else(|| self.sections.find(site.path()))
    }

    /// The names of all entries.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.sections.names()
    }

    /// The name of an entry.
    pub fn name(&self, number: usize) -> &str {
        self.sections.name(number)
    }
}

/// The message with its line, and without the excerpt that the library draws.
fn one_line(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    format!("line {line}: {}", printable(&error.message().replace('\n', ", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(overrides: &Overrides, file: &str, module: Option<&str>) -> Option<String> {
        let site = Site { file: file.into(), line: 1, func: "f".into(), module: module.map(Into::into) };
        overrides.find(&site).map(|number| overrides.name(number).to_owned())
    }

    #[test]
    fn files_and_modules_are_claimed() {
        let overrides = Overrides::parse(
            "[storage]\nfiles = ['drivers/nvme/', 'block/blk-mq*.c']\n['My driver']\nmodules = ['acme_*']\nfiles = ['/src/acme/']\n",
        )
        .unwrap();
        for (file, module, expected) in [
            ("drivers/nvme/host/pci.c", Some("nvme"), Some("storage")),
            ("block/blk-mq-tag.c", None, Some("storage")),
            ("drivers/nvme/host/pci.c", Some("acme_raid"), Some("My driver")),
            ("/src/acme/raid.c", Some("other"), Some("My driver")),
            ("mm/slub.c", None, None),
        ] {
            assert_eq!(of(&overrides, file, module).as_deref(), expected, "{file} {module:?}");
        }
    }

    #[test]
    fn mistakes_are_told_in_one_line_with_their_place() {
        for (text, expected) in [
            ("[a]\nfiles = 3\n", "line 2: "),
            ("[a]\nfile = ['x']\n", "line 2: unknown field `file`"),
            ("x = 1\n", "line 1: "),
            ("[a\n", "line 1: "),
            ("[a]\nfiles = ['a**[']\n", "is no file pattern"),
            ("[a]\nfiles = ['']\n", "is no file pattern"),
            ("[a]\nmodules = ['[']\n", "is no module pattern"),
            ("[\"a\\u001b\"]\n", "cannot be the name"),
        ] {
            let problem = Overrides::parse(text).expect_err(text);
            assert!(problem.contains(expected) && problem.lines().count() == 1, "{text:?}: {problem}");
        }
    }
}
