// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! File patterns as MAINTAINERS writes them, indexed by the directory in which they can match.
//!
//! Of the sections whose patterns match a file, the one with the most specific pattern has it: the pattern with more path
//! components, then with more literal characters; then the section with fewer patterns, which is the narrower one, and last
//! the one further up. A section is out if one of its exclusions matches.

use std::cmp::Reverse;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use glob::{MatchOptions, Pattern};

/// `*` stays within a path component, as in MAINTAINERS.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

/// Sections and their patterns, ready for look-ups.
#[derive(Debug, Default)]
pub struct Index {
    sections: Vec<Section>,
    /// Exact files.
    files: HashMap<String, Vec<usize>, RandomState>,
    /// Whole directories, without the slash.
    directories: HashMap<String, Vec<usize>, RandomState>,
    /// Patterns with wildcards by the directory in front of the first one.
    globs: HashMap<String, Vec<(Glob, usize)>, RandomState>,
}

#[derive(Debug)]
struct Section {
    name: String,
    patterns: usize,
    exclusions: Vec<Glob>,
}

#[derive(Debug)]
struct Glob {
    pattern: Pattern,
    components: usize,
    literals: usize,
}

impl Index {
    /// Reads a table: `=NAME` begins a section, `!PATTERN` is an exclusion, `#` a comment, all else a pattern.
    ///
    /// Lines that are no patterns are passed over: the table is ours, and a test looks at all of it.
    pub fn parse(table: &str) -> Index {
        let mut index = Index::default();
        for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('=') {
                index.section(name);
            } else if let Some(pattern) = line.strip_prefix('!') {
                index.exclude(pattern);
            } else {
                index.pattern(line);
            }
        }
        index
    }

    /// Begins a section; patterns and exclusions that follow belong to it.
    pub fn section(&mut self, name: &str) {
        self.sections.push(Section { name: name.to_owned(), patterns: 0, exclusions: Vec::new() });
    }

    /// Adds a pattern to the last section. Returns whether it is one.
    pub fn pattern(&mut self, pattern: &str) -> bool {
        let Some(section) = self.sections.len().checked_sub(1) else { return false };
        let place = if let Some(wildcard) = pattern.find(['*', '?', '[']) {
            let Some(glob) = Glob::new(pattern) else { return false };
            let parent = pattern[..wildcard].rsplit_once('/').map_or("", |(parent, _)| parent);
            self.globs.entry(parent.to_owned()).or_default().push((glob, section));
            None
        } else if let Some(directory) = pattern.strip_suffix('/') {
            Some(self.directories.entry(directory.to_owned()))
        } else {
            Some(self.files.entry(pattern.to_owned()))
        };
        if let Some(place) = place {
            place.or_default().push(section);
        }
        self.sections[section].patterns += 1;
        true
    }

    fn exclude(&mut self, pattern: &str) {
        if let (Some(section), Some(glob)) = (self.sections.last_mut(), Glob::new(pattern)) {
            section.exclusions.push(glob);
        }
    }

    /// The number of the section that has the file.
    pub fn find(&self, file: &str) -> Option<usize> {
        let slashes = |text: &str| text.bytes().filter(|&byte| byte == b'/').count();
        let exact = self.files.get(file).into_iter().flatten().map(|&section| (slashes(file) + 1, file.len(), section));
        let above = parents(file).flat_map(|parent| {
            let whole = self.directories.get(parent).into_iter().flatten();
            let whole = whole.map(move |&section| (slashes(parent) + 1, parent.len() + 1, section));
            let globs = self.globs.get(parent).into_iter().flatten();
            let globs = globs.filter(|(glob, _)| glob.matches(file));
            whole.chain(globs.map(|(glob, section)| (glob.components, glob.literals, *section)))
        });
        exact
            .chain(above)
            .filter(|&(_, _, section)| !self.sections[section].exclusions.iter().any(|glob| glob.matches(file)))
            .max_by_key(|&(components, literals, section)| {
                (components, literals, Reverse(self.sections[section].patterns), Reverse(section))
            })
            .map(|(_, _, section)| section)
    }

    /// The name of a section.
    pub fn name(&self, section: usize) -> &str {
        &self.sections[section].name
    }

    /// The names of all sections.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|section| section.name.as_str())
    }

    /// How many sections there are.
    pub fn len(&self) -> usize {
        self.sections.len()
    }

    /// Whether there is no section.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }
}

impl Glob {
    fn new(pattern: &str) -> Option<Glob> {
        let trimmed = pattern.trim_end_matches('/');
        let whole = if trimmed.len() < pattern.len() { format!("{trimmed}/**/*") } else { pattern.to_owned() };
        Some(Glob {
            pattern: Pattern::new(&whole).ok()?,
            components: trimmed.split('/').count(),
            literals: pattern.bytes().filter(|byte| !b"*?[]".contains(byte)).count(),
        })
    }

    fn matches(&self, file: &str) -> bool {
        self.pattern.matches_with(file, OPTIONS)
    }
}

/// The directories above a file, nearest first, down to the empty one.
fn parents(file: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(file), |path| {
        (!path.is_empty()).then(|| path.rsplit_once('/').map_or("", |(parent, _)| parent))
    })
    .skip(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "# comment\n=NET\nnet/\ninclude/net/\n!net/ipv6/\n=IPV6\nnet/ipv6/\n=SOCKETS\nnet/core/sock*.c\nnet/core/\n\
        =SOCK\nnet/core/sock.c\n=ANY KVM\narch/*/kvm/\n=X86 KVM\narch/x86/kvm/\n=FOO\nfs/**/*foo*.c\n=WIDE\nlib/\na/\nb/\n\
        =NARROW\nlib/\n=TOP\n*.c\n=DA\nsound/da[79]*.[ch]\n";

    #[test]
    fn the_most_specific_pattern_wins() {
        let index = Index::parse(TABLE);
        for (file, expected) in [
            ("net/x.c", Some("NET")),
            ("net/a/b/x.c", Some("NET")),
            ("net/ipv6/route.c", Some("IPV6")),
            ("net/core/x.c", Some("SOCKETS")),
            ("net/core/sock_diag.c", Some("SOCKETS")),
            ("net/core/sock.c", Some("SOCK")),
            ("arch/arm64/kvm/mmu.c", Some("ANY KVM")),
            ("arch/arm64/kvm/hyp/vhe.c", Some("ANY KVM")),
            ("arch/x86/kvm/mmu.c", Some("X86 KVM")),
            ("arch/x86/kvmx/mmu.c", None),
            ("fs/a/b/afoob.c", Some("FOO")),
            ("lib/x.c", Some("NARROW")),
            ("init.c", Some("TOP")),
            ("init/main.c", None),
            ("sound/da7213.h", Some("DA")),
            ("sound/da8213.h", None),
            ("networks/x.c", None),
            ("net", None),
            ("/net/x.c", None),
            ("", None),
        ] {
            let found = index.find(file).map(|section| index.name(section));
            assert_eq!(found, expected, "{file}");
        }
    }

    #[test]
    fn every_line_of_the_built_in_table_is_a_pattern() {
        let mut index = Index::default();
        for line in include_str!("table.txt").lines().filter(|line| !line.starts_with('#')) {
            match (line.strip_prefix('='), line.strip_prefix('!')) {
                (Some(name), _) => index.section(name),
                (_, Some(pattern)) => assert!(Glob::new(pattern).is_some(), "{line}"),
                _ => assert!(index.pattern(line), "{line}"),
            }
        }
        assert!(index.len() > 2000);
    }
}
