// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The circumstances in which a profile was read.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::printable::printable;

/// Where the bytes came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The running kernel.
    Live(PathBuf),
    /// A saved file.
    File(PathBuf),
    /// A pipe.
    #[default]
    Stdin,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Live(path) | Origin::File(path) => f.write_str(&printable(&path.to_string_lossy())),
            Origin::Stdin => f.write_str("standard input"),
        }
    }
}

/// Which of the kernel's interfaces was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The text of `/proc/allocinfo`.
    #[default]
    Text,
    /// The ioctls of `<uapi/linux/alloctag.h>` or `<uapi/linux/alloc_tag.h>`.
    Ioctl,
}

/// The version in the text's first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Version {
    /// Changes when old readers would go wrong.
    pub major: u32,
    /// Changes when they would not.
    pub minor: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Which kernel this is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uname {
    /// `uname -r`.
    pub release: String,
    /// `uname -v`.
    pub version: String,
    /// `uname -m`.
    pub machine: String,
    /// `uname -n`.
    pub node: String,
}

/// What the sysctls say, where they exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profiling {
    /// `vm.mem_profiling`: whether allocations are being counted.
    pub enabled: Option<bool>,
    /// `vm.mem_profiling_compressed`: whether page references are kept in page flags.
    pub compressed: Option<bool>,
    /// `vm.mem_profiling_uncounted`: how many allocations since boot the kernel could not count. Only Alloctag's core has it.
    pub uncounted: Option<u64>,
}

/// `/proc/meminfo`: its fields, those in kB converted to bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Memory(pub BTreeMap<String, u64>);

impl Memory {
    /// The field `name`, in bytes.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.0.get(name).copied()
    }

    /// `MemTotal` less `MemFree`: the bytes that somebody holds.
    pub fn used(&self) -> Option<u64> {
        self.get("MemTotal")?.checked_sub(self.get("MemFree")?)
    }
}

/// When, where and how a profile was read. What a source cannot know is `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Meta {
    /// Where from.
    pub origin: Origin,
    /// By which interface.
    pub source: Source,
    /// The version of the text.
    pub version: Option<Version>,
    /// Whether modules came or went during every attempt at reading: rows may be missing or be there twice.
    pub torn: bool,
    /// Whether the kernel was asked for matching rows only, so that this is not all that it has.
    pub filtered: bool,
    /// The number that changes with every module loaded or unloaded.
    pub content_id: Option<u64>,
    /// Wall clock at the end of reading: milliseconds since 1970 (UTC).
    pub time_ms: Option<u64>,
    /// Time since boot, with that suspended, at the end of reading: milliseconds.
    pub uptime_ms: Option<u64>,
    /// Random per boot: profiles with different ones are of different lives of a machine.
    pub boot_id: Option<String>,
    /// The kernel's names.
    pub uname: Option<Uname>,
    /// The kernel's GNU build ID, in hexadecimal.
    pub build_id: Option<String>,
    /// Whether the kernel was counting.
    pub profiling: Profiling,
    /// Processors configured.
    pub cpus: Option<u32>,
    /// Bytes a page.
    pub page_size: Option<u64>,
    /// What `/proc/meminfo` said right after.
    pub memory: Memory,
    /// Bytes of its file behind the end of what is packed in it, which are none of it. Of another file they say nothing.
    #[serde(skip)]
    pub behind: usize,
}
