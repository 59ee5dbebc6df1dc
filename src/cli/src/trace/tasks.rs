// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What threads are called, and to which process each belongs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::head::Task;

/// What a thread is called of which nothing is known any more, as the kernel's tracer has it.
const UNKNOWN: &str = "<...>";

/// What is known of these threads: of those that live by procfs, of others by what the tracer remembers.
pub fn look(threads: BTreeSet<u32>, procfs: &Path, tracefs: &Path) -> BTreeMap<u32, Task> {
    let mut found = BTreeMap::new();
    let mut gone = BTreeSet::new();
    for thread in threads {
        let status = fs::read_to_string(procfs.join(format!("{thread}/status")));
        match status.ok().and_then(|status| living(&status)) {
            Some(task) => drop(found.insert(thread, task)),
            // No process has this number; it is what a CPU does that has nothing to do.
            None if thread == 0 => drop(found.insert(0, Task { process: 0, name: "swapper".to_owned() })),
            None => drop(gone.insert(thread)),
        }
    }
    if gone.is_empty() {
        return found;
    }
    let remembered = remembered(&fs::read_to_string(tracefs.join("saved_cmdlines")).unwrap_or_default());
    for thread in gone {
        let name = remembered.get(&thread).map_or(UNKNOWN, String::as_str);
        found.insert(thread, Task { process: thread, name: name.to_owned() });
    }
    found
}

/// Reads a thread's `status`.
fn living(status: &str) -> Option<Task> {
    let value = |head: &str| status.lines().find_map(|line| line.strip_prefix(head)).map(str::trim);
    Some(Task { process: value("Tgid:")?.parse().ok()?, name: value("Name:")?.to_owned() })
}

/// Reads `saved_cmdlines`: a thread and its name in each line.
fn remembered(text: &str) -> BTreeMap<u32, String> {
    let lines = text.lines().filter_map(|line| line.trim().split_once(' '));
    lines.filter_map(|(thread, name)| Some((thread.parse().ok()?, name.to_owned()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_known_by_procfs_or_by_the_tracer_or_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("12")).unwrap();
        fs::write(directory.path().join("12/status"), "Name:\tmy task\nUmask:\t0022\nTgid:\t11\n").unwrap();
        fs::write(directory.path().join("saved_cmdlines"), "13 cc1 plus\nx y\n\n").unwrap();
        let task = |process, name: &str| Task { process, name: name.into() };
        assert_eq!(
            look([0, 12, 13, 14].into(), directory.path(), directory.path()),
            [(0, task(0, "swapper")), (12, task(11, "my task")), (13, task(13, "cc1 plus")), (14, task(14, UNKNOWN))]
                .into()
        );
    }
}
