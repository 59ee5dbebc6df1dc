// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The paths of cgroups by their ids: on machines of 64 bits these are the numbers of their directories' inodes.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::mounts;

/// The cgroups that there are when one is first asked for.
#[derive(Debug)]
pub struct Cgroups {
    root: Option<PathBuf>,
    paths: OnceCell<HashMap<u64, String>>,
}

impl Cgroups {
    /// Those of the hierarchy that the procfs at `procfs` says is mounted.
    pub fn of(procfs: &Path) -> Cgroups {
        Cgroups { root: mounts::first(procfs, "cgroup2"), paths: OnceCell::new() }
    }

    /// The path of one, from the root of the hierarchy, which is `/`; `gone` if there is none any more, and nothing if that
    /// cannot be known.
    pub fn path(&self, id: u64) -> Option<String> {
        let root = self.root.as_deref()?;
        let paths = self.paths.get_or_init(|| walk(root));
        Some(paths.get(&id).cloned().unwrap_or_else(|| "gone".to_owned()))
    }
}

/// All directories, without following links.
fn walk(root: &Path) -> HashMap<u64, String> {
    let mut paths = HashMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        let Ok(meta) = fs::symlink_metadata(&directory) else { continue };
        let name = directory.strip_prefix(root).unwrap_or(&directory).to_string_lossy();
        paths.insert(meta.ino(), format!("/{name}"));
        let entries = fs::read_dir(&directory).into_iter().flatten().flatten();
        open.extend(
            entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()),
        );
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cgroups_are_found_by_their_directories() {
        let root = tempfile::tempdir().unwrap();
        let (procfs, cgroups) = (root.path().join("proc"), root.path().join("a b"));
        fs::create_dir_all(cgroups.join("one/two")).unwrap();
        fs::write(cgroups.join("one/memory.max"), "max\n").unwrap();
        fs::create_dir(&procfs).unwrap();
        assert_eq!(Cgroups::of(&procfs).path(1), None, "nothing is mounted");
        let mounts = format!("none {}/a\\040b cgroup2 rw 0 0\n", root.path().display());
        fs::write(procfs.join("mounts"), mounts).unwrap();
        let known = Cgroups::of(&procfs);
        for (path, expected) in [("", "/"), ("one", "/one"), ("one/two", "/one/two")] {
            let id = fs::metadata(cgroups.join(path)).unwrap().ino();
            assert_eq!(known.path(id).as_deref(), Some(expected));
        }
        let file = fs::metadata(cgroups.join("one/memory.max")).unwrap().ino();
        assert_eq!(known.path(file).as_deref(), Some("gone"), "a file is no cgroup");
    }
}
