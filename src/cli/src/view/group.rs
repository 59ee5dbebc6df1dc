// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What rows are added up by.

use std::fmt;
use std::str::FromStr;

use super::Field;
use crate::model::{Measure, Number, Profile, Row};
use crate::subsystem::Subsystems;

/// What rows are added up by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Group {
    /// Nothing: every call site for itself.
    #[default]
    Site,
    /// The function, told apart by file and module.
    Func,
    /// The file.
    File,
    /// The directory, or only so many of its components.
    Dir(Option<usize>),
    /// The module; built-in code is one.
    Module,
    /// The subsystem.
    Subsystem,
}

/// What two rows must share to be added up.
pub(crate) type Key<'p> = (&'p str, &'p str, Option<&'p str>);

impl Group {
    /// Their names. With a depth there are more: `dir:2`.
    pub const NAMES: [&str; 6] = ["site", "func", "file", "dir", "module", "subsystem"];

    /// The key of a row. Its first part is the group's name.
    pub(crate) fn key<'p>(self, row: &'p Row, subsystems: &'p Subsystems) -> Key<'p> {
        let site = &row.site;
        match self {
            Group::Site | Group::Func => (&site.func, site.path(), site.module.as_deref()),
            Group::File => (site.path(), "", None),
            Group::Dir(depth) => (cut(site.dir(), depth), "", None),
            Group::Module => (site.module.as_deref().unwrap_or_default(), "", None),
            Group::Subsystem => (subsystems.of(site), "", None),
        }
    }

    /// Whether all rows of a group have the same `field`, or it can be added up.
    pub fn has(self, field: Field) -> bool {
        match field {
            Field::Bytes | Field::Share | Field::Calls | Field::Average | Field::Sites | Field::Rows => true,
            Field::Accurate | Field::Flags | Field::Backing | Field::Measure(_) => true,
            Field::Line | Field::Site | Field::Extra => self == Group::Site,
            Field::Func => matches!(self, Group::Site | Group::Func),
            Field::Module => matches!(self, Group::Site | Group::Func | Group::Module),
            Field::File => matches!(self, Group::Site | Group::Func | Group::File),
            Field::Dir => matches!(self, Group::Site | Group::Func | Group::File | Group::Dir(_)),
            // A user's table may give a file to one subsystem in one module and to another in the next.
            Field::Subsystem => matches!(self, Group::Site | Group::Func | Group::Subsystem),
        }
    }

    /// The fields shown to people unless they ask for others.
    pub fn fields(self) -> &'static [Field] {
        use Field::{Average, Bytes, Calls, Dir, File, Flags, Func, Module, Share, Site, Sites, Subsystem};
        match self {
            Group::Site => &[Bytes, Calls, Average, Module, Site, Func, Flags],
            Group::Func => &[Bytes, Share, Calls, Sites, Module, Func, File, Flags],
            Group::File => &[Bytes, Share, Calls, Sites, File, Flags],
            Group::Dir(_) => &[Bytes, Share, Calls, Sites, Dir, Flags],
            Group::Module => &[Bytes, Share, Calls, Sites, Module, Flags],
            Group::Subsystem => &[Bytes, Share, Calls, Sites, Subsystem, Flags],
        }
    }

    /// The fields given to machines unless they ask for others: everything that `profile` tells and that is not derived from
    /// another.
    pub fn machine_fields(self, profile: &Profile) -> Vec<Field> {
        let counted = Number::all().filter(|&number| profile.counts(number)).map(Measure::Counted);
        self.certain_fields().iter().copied().chain(counted.map(Field::Measure)).collect()
    }

    /// Those of every profile.
    fn certain_fields(self) -> &'static [Field] {
        use Field::{Accurate, Backing, Bytes, Calls, Dir, Extra, File, Func, Line, Module, Rows, Sites, Subsystem};
        match self {
            Group::Site => &[Bytes, Calls, Module, File, Line, Func, Accurate, Rows, Backing, Extra],
            Group::Func => &[Bytes, Calls, Sites, Module, File, Func, Accurate, Backing],
            Group::File => &[Bytes, Calls, Sites, File, Accurate, Backing],
            Group::Dir(_) => &[Bytes, Calls, Sites, Dir, Accurate, Backing],
            Group::Module => &[Bytes, Calls, Sites, Module, Accurate, Backing],
            Group::Subsystem => &[Bytes, Calls, Sites, Subsystem, Accurate, Backing],
        }
    }
}

/// The first `depth` components of a directory.
fn cut(dir: &str, depth: Option<usize>) -> &str {
    let Some(depth) = depth else { return dir };
    // The slash of an absolute path begins its first component.
    let ends = dir.match_indices('/').map(|(at, _)| at).filter(|&at| at > 0);
    ends.chain([dir.len()]).nth(depth - 1).map_or(dir, |end| &dir[..end])
}

impl FromStr for Group {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "site" => Group::Site,
            "func" | "function" => Group::Func,
            "file" => Group::File,
            "dir" => Group::Dir(None),
            "module" => Group::Module,
            "subsystem" => Group::Subsystem,
            _ => {
                let depth = text.strip_prefix("dir:").and_then(|depth| depth.parse().ok()).filter(|&depth| depth > 0);
                let choices = "there are site, func, file, dir, dir:DEPTH, module, subsystem";
                Group::Dir(Some(depth.ok_or_else(|| format!("`{text}` is no group; {choices}"))?))
            }
        })
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Group::Site => "site",
            Group::Func => "func",
            Group::File => "file",
            Group::Dir(None) => "dir",
            Group::Dir(Some(depth)) => return write!(f, "dir:{depth}"),
            Group::Module => "module",
            Group::Subsystem => "subsystem",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_cut_at_their_components() {
        for (dir, depth, expected) in [
            ("fs/ext4/a", None, "fs/ext4/a"),
            ("fs/ext4/a", Some(1), "fs"),
            ("fs/ext4/a", Some(2), "fs/ext4"),
            ("fs/ext4/a", Some(9), "fs/ext4/a"),
            ("/src/x", Some(1), "/src"),
            (".", Some(1), "."),
        ] {
            assert_eq!(cut(dir, depth), expected, "{dir} {depth:?}");
        }
    }

    #[test]
    fn groups_are_written_as_they_are_read() {
        for text in ["site", "func", "file", "dir", "dir:3", "module", "subsystem"] {
            assert_eq!(text.parse::<Group>().unwrap().to_string(), text);
        }
        for text in ["", "dir:", "dir:0", "dir:x", "dirs"] {
            assert!(text.parse::<Group>().unwrap_err().contains("is no group"), "{text}");
        }
    }

    #[test]
    fn the_default_fields_exist_in_their_groups() {
        for group in [Group::Site, Group::Func, Group::File, Group::Dir(None), Group::Module, Group::Subsystem] {
            assert!(group.fields().iter().chain(group.certain_fields()).all(|&field| group.has(field)), "{group}");
        }
    }
}
