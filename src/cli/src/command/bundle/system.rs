// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a kernel engineer asks for first.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::describe;
use crate::source::kernel::configuration;

/// The most that is taken of a file, in bytes: none of these comes near.
const LIMIT: u64 = 16 << 20;

/// A file of the archive.
pub(super) struct Part {
    /// Its name there.
    pub(super) name: &'static str,
    /// Where it comes from.
    pub(super) origin: PathBuf,
    /// What is in it, or why not.
    pub(super) content: Result<Vec<u8>, String>,
}

const FILES: [(&str, &str); 10] = [
    ("meminfo.txt", "meminfo"),
    ("vmstat.txt", "vmstat"),
    ("buddyinfo.txt", "buddyinfo"),
    ("slabinfo.txt", "slabinfo"),
    ("modules.txt", "modules"),
    ("cmdline.txt", "cmdline"),
    ("version.txt", "version"),
    ("mem_profiling.txt", "sys/vm/mem_profiling"),
    ("mem_profiling_compressed.txt", "sys/vm/mem_profiling_compressed"),
    ("tainted.txt", "sys/kernel/tainted"),
];

/// What only kernels with Alloctag's core have: nothing is missing elsewhere.
const UNCOUNTED: (&str, &str) = ("mem_profiling_uncounted.txt", "sys/vm/mem_profiling_uncounted");

/// Everything that the running system says, as far as it does.
pub(super) fn parts(procfs: &Path) -> Vec<Part> {
    let mut parts = vec![uname(), config(procfs)];
    let uncounted = Some(&UNCOUNTED).filter(|(_, file)| procfs.join(file).exists());
    parts.extend(FILES.iter().chain(uncounted).map(|&(name, file)| part(name, procfs.join(file))));
    parts.extend(sites(procfs).map(|file| part("sites.txt", file)));
    parts
}

fn part(name: &'static str, origin: PathBuf) -> Part {
    let content = File::open(&origin).and_then(bounded).map_err(|error| describe(&error));
    Part { name, origin, content }
}

/// What the kernel counts of every call site, wherever debugfs is mounted. It, too, is missing nowhere.
fn sites(procfs: &Path) -> Option<PathBuf> {
    let mounts = fs::read_to_string(procfs.join("mounts")).ok()?;
    let mut mounts = mounts.lines().map(|line| line.split(' '));
    let debugfs = mounts.find_map(|mut words| words.nth(1).filter(|_| words.next() == Some("debugfs")))?;
    Some(Path::new(debugfs).join("alloctag/sites")).filter(|file| file.exists())
}

fn uname() -> Part {
    let uname = rustix::system::uname();
    let fields = [uname.sysname(), uname.nodename(), uname.release(), uname.version(), uname.machine()];
    let mut text = fields.map(|field| field.to_string_lossy()).join(" ");
    text.push('\n');
    Part { name: "uname.txt", origin: "uname(2)".into(), content: Ok(text.into_bytes()) }
}

fn config(procfs: &Path) -> Part {
    let (origin, content) = configuration(procfs);
    Part { name: "config.txt", origin, content: content.map_err(|error| describe(&error)) }
}

fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LIMIT).read_to_end(&mut bytes)?;
    Ok(bytes)
}
