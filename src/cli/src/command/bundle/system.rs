// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a kernel engineer asks for first.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::describe;
use crate::source::debugfs;
use crate::source::kernel::configuration;

/// The most that is taken of a file, in bytes. The largest table of contexts comes to some 100 MiB, and nothing else near that.
const LIMIT: u64 = 128 << 20;

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
    parts.extend(details(procfs));
    parts
}

fn part(name: &'static str, origin: PathBuf) -> Part {
    let content = File::open(&origin).and_then(bounded).map_err(|error| describe(&error));
    Part { name, origin, content }
}

/// What only Alloctag's core tells, in debugfs. It, too, is missing nowhere.
const DETAILS: [(&str, &str); 6] = [
    ("sites.txt", "sites"),
    ("contexts.txt", "contexts"),
    ("stalls.txt", "stalls"),
    ("latency.txt", "latency"),
    ("lifetimes.txt", "lifetimes"),
    ("control.txt", "control"),
];

fn details(procfs: &Path) -> impl Iterator<Item = Part> {
    let directory = debugfs::directory(procfs);
    let there = DETAILS.into_iter().map(move |(name, file)| (name, directory.join(file)));
    there.filter(|(_, file)| file.exists()).map(|(name, file)| part(name, file))
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
