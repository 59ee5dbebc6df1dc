// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Which subsystem a call site belongs to.
//!
//! A table made from the kernel's MAINTAINERS is built in ([`index`] says how its patterns compete); users put their own
//! entries, for modules that live outside of the tree above all, into a TOML file ([`overrides`]), which goes first.

pub mod index;
pub mod overrides;

use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::error::{describe, Error, Result};
use crate::model::{Name, Site};
use index::Index;
use overrides::Overrides;

/// The name for sites that no pattern matches.
pub const NONE: &str = "(none)";

/// Made by `scripts/make-subsystems`.
static TABLE: LazyLock<Index> = LazyLock::new(|| Index::parse(include_str!("subsystem/table.txt")));

/// The table in force: the user's entries and then the built-in ones.
#[derive(Debug, Default)]
pub struct Subsystems {
    overrides: Option<Overrides>,
    /// The last answer: rows of a profile come file by file.
    last: Mutex<Option<(Name, Option<Name>, Place)>>,
}

/// Where the name of a subsystem is.
#[derive(Clone, Copy, Debug)]
enum Place {
    User(usize),
    Table(usize),
    Nowhere,
}

impl Subsystems {
    /// The built-in table alone.
    pub fn built_in() -> Subsystems {
        Subsystems::default()
    }

    /// The built-in table behind the entries of `file`, or of [`user_file`] if that exists and none is given.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or makes no sense.
    pub fn load(file: Option<&Path>) -> Result<Subsystems> {
        let path = match (file, user_file()) {
            (Some(file), _) => file.to_owned(),
            (None, Some(file)) if file.exists() => file,
            _ => return Ok(Subsystems::built_in()),
        };
        let text = std::fs::read_to_string(&path).map_err(|error| Error::failed(path.display(), describe(&error)))?;
        let overrides = Overrides::parse(&text).map_err(|problem| Error::failed(path.display(), problem))?;
        Ok(Subsystems { overrides: Some(overrides), last: Mutex::default() })
    }

    /// The subsystem of `site`; [`NONE`] if there is none.
    pub fn of(&self, site: &Site) -> &str {
        match self.place(site) {
            Place::User(number) => self.overrides.as_ref().map_or(NONE, |overrides| overrides.name(number)),
            Place::Table(number) => TABLE.name(number),
            Place::Nowhere => NONE,
        }
    }

    /// The subsystems that people mean by `words`: the one of that name, else all that begin with these words. Lower case
    /// stands for both.
    pub fn meant(&self, words: &str) -> Vec<&str> {
        let names = || self.overrides.iter().flat_map(Overrides::names).chain(TABLE.names()).chain([NONE]);
        let exact: Vec<&str> = names().filter(|name| name.eq_ignore_ascii_case(words)).collect();
        if !exact.is_empty() {
            return exact;
        }
        let begins = |name: &&str| {
            let (head, rest) = match name.split_at_checked(words.len()) {
                Some(parts) if !words.is_empty() => parts,
                _ => return false,
            };
            head.eq_ignore_ascii_case(words) && !rest.starts_with(|c: char| c.is_alphanumeric())
        };
        names().filter(begins).collect()
    }

    fn place(&self, site: &Site) -> Place {
        // What a thread wrote that panicked is as good as any.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((file, module, place)) = &*last {
            if *file == site.file && *module == site.module {
                return *place;
            }
        }
        let by_user = self.overrides.as_ref().and_then(|overrides| overrides.find(site)).map(Place::User);
        let place = by_user.or_else(|| TABLE.find(site.path()).map(Place::Table)).unwrap_or(Place::Nowhere);
        *last = Some((site.file.clone(), site.module.clone(), place));
        place
    }
}

/// Where a user's own table lies: `alloctag/subsystems.toml` in `$XDG_CONFIG_HOME` or `~/.config`.
pub fn user_file() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CONFIG_HOME").or_else(|| Some(set("HOME")?.join(".config")))?;
    Some(base.join("alloctag/subsystems.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(file: &str) -> Site {
        Site { file: file.into(), line: 1, func: "f".into(), module: None }
    }

    #[test]
    fn people_need_not_write_the_whole_name_of_a_subsystem() {
        let table = Subsystems::built_in();
        for (words, expected) in [
            ("EXT4 FILE SYSTEM", Some("EXT4 FILE SYSTEM")),
            ("ext4", Some("EXT4 FILE SYSTEM")),
            ("ext4 file", Some("EXT4 FILE SYSTEM")),
            ("(none)", Some(NONE)),
            ("ext", None),
            ("ex\u{130}t", None),
            ("", None),
        ] {
            assert_eq!(table.meant(words).first().copied(), expected, "{words}");
        }
        // The whole name means one, although others begin with it.
        let networking = table.meant("networking");
        assert!(
            networking.len() > 3 && networking.iter().all(|name| name.starts_with("NETWORKING ")),
            "{networking:?}"
        );
        assert_eq!(table.meant("NETWORKING DRIVERS"), ["NETWORKING DRIVERS"]);
    }

    #[test]
    fn well_known_files_belong_where_their_maintainers_say() {
        let table = Subsystems::built_in();
        for (file, expected) in [
            ("fs/ext4/inode.c", "EXT4 FILE SYSTEM"),
            ("mm/slub.c", "SLAB ALLOCATOR"),
            ("mm/percpu-vm.c", "PER-CPU MEMORY ALLOCATOR"),
            ("drivers/nvme/host/pci.c", "NVM EXPRESS DRIVER"),
            ("block/blk-mq.c", "BLOCK LAYER"),
            ("fs/xfs/xfs_buf.c", "XFS FILESYSTEM"),
            ("kernel/bpf/hashtab.c", "BPF [GENERAL] (Safe Dynamic Programs and Tools)"),
            ("out/of/tree.c", NONE),
            ("", NONE),
        ] {
            assert_eq!(table.of(&site(file)), expected, "{file}");
        }
    }

    #[test]
    fn headers_of_the_tree_are_found_with_and_without_the_dot_in_front() {
        let table = Subsystems::built_in();
        assert_eq!(table.of(&site("./include/linux/slab.h")), "SLAB ALLOCATOR");
        assert_eq!(table.of(&site("include/linux/slab.h")), "SLAB ALLOCATOR");
    }
}
