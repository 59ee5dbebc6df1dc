// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The state of memory allocation profiling in the running kernel, and why it is not available if it is not.
//!
//! Kernel source: `mm/alloc_tag.c` (`setup_early_mem_profiling`, `proc_mem_profiling_handler`, `shutdown_mem_profiling`).

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{ioctl, surroundings};
use crate::error::describe;
use crate::model::Profiling;

/// Whether `allocinfo` can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// Yes. `ioctls` tells whether it has them too.
    Readable {
        /// Whether the kernel answers `ALLOCINFO_IOC_CONTENT_ID`.
        ioctls: bool,
    },
    /// It is there, for somebody else.
    Denied,
    /// It is not there.
    Absent,
    /// Something rare, in words.
    Failed(String),
}

/// What the kernel was built with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// `CONFIG_MEM_ALLOC_PROFILING`.
    pub profiling: bool,
    /// `CONFIG_MEM_ALLOC_PROFILING_ENABLED_BY_DEFAULT`.
    pub on_by_default: bool,
    /// `CONFIG_MEM_ALLOC_PROFILING_DEBUG`.
    pub debug: bool,
}

/// Everything that bears on whether profiling works here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Where procfs is looked for.
    pub procfs: PathBuf,
    /// Whether it is there.
    pub mounted: bool,
    /// The sysctls.
    pub profiling: Profiling,
    /// `allocinfo`.
    pub access: Access,
    /// The value of the last `sysctl.vm.mem_profiling=` on the kernel's command line.
    pub boot: Option<String>,
    /// What the kernel was built with, if that is to be found.
    pub config: Option<Config>,
    /// `uname -r`.
    pub release: String,
    /// Whether this process is root's.
    pub root: bool,
}

impl State {
    /// Looks at the running kernel.
    pub fn look(procfs: &Path) -> State {
        let release = rustix::system::uname().release().to_string_lossy().into_owned();
        State {
            mounted: procfs.join("cmdline").exists(),
            profiling: surroundings::profiling(procfs),
            access: access(&procfs.join("allocinfo")),
            boot: fs::read_to_string(procfs.join("cmdline")).ok().and_then(|line| boot_value(&line)),
            config: configuration(procfs).1.ok().map(|text| config_of(&String::from_utf8_lossy(&text))),
            procfs: procfs.to_owned(),
            release,
            root: rustix::process::geteuid().is_root(),
        }
    }

    /// Why `allocinfo` cannot be read and what to do, in one line; `None` if it can.
    pub fn obstacle(&self) -> Option<String> {
        let file = self.procfs.join("allocinfo");
        let file = file.display();
        match &self.access {
            Access::Readable { .. } => None,
            Access::Denied => Some(format!("{file}: only root may read it; run this as root, or give it a saved copy")),
            Access::Failed(problem) => Some(format!("{file}: {problem}")),
            Access::Absent if !self.mounted => Some(format!(
                "{}: procfs is not mounted here; mount it, or name its place by --procfs",
                self.procfs.display()
            )),
            Access::Absent => Some(format!("{file} does not exist: {}", self.absence())),
        }
    }

    /// Why the file is not there.
    fn absence(&self) -> String {
        let release = &self.release;
        if self.profiling.enabled.is_none() {
            return match self.config {
                Some(Config { profiling: false, .. }) => {
                    format!("this kernel ({release}) is built without CONFIG_MEM_ALLOC_PROFILING; boot one that has it")
                }
                Some(_) => format!("this kernel ({release}) has CONFIG_MEM_ALLOC_PROFILING, but this procfs hides it; leave the container"),
                None => format!(
                    "this kernel ({release}) is older than 6.10 or built without CONFIG_MEM_ALLOC_PROFILING; boot one that has it"
                ),
            };
        }
        match (self.boot.as_deref(), self.config) {
            (Some(value), _) if value.starts_with("never") => {
                "sysctl.vm.mem_profiling=never is on the kernel's command line; boot with sysctl.vm.mem_profiling=1".into()
            }
            (None, Some(Config { on_by_default: false, .. })) => {
                "profiling is off by default in this kernel, for good; boot with sysctl.vm.mem_profiling=1".into()
            }
            (Some(value), _) if value.ends_with(",compressed") => {
                "the kernel has shut profiling down, most likely because its tags do not fit into page flags (see dmesg); \
                 boot without `,compressed`"
                    .into()
            }
            _ => "the kernel has shut profiling down or was never told to support it (see dmesg); \
                  boot with sysctl.vm.mem_profiling=1"
                .into(),
        }
    }

    /// Turns counting on or off.
    ///
    /// # Errors
    ///
    /// Why the kernel does not want that, in one line.
    pub fn set(&self, on: bool) -> Result<(), String> {
        let switch = self.procfs.join("sys/vm/mem_profiling");
        // Without O_CREAT: a missing switch must stay missing.
        let written = fs::OpenOptions::new().write(true).open(&switch).and_then(|file| {
            let value: &[u8] = if on { b"1\n" } else { b"0\n" };
            io::Write::write_all(&mut &file, value)
        });
        written.map_err(|error| format!("{}: {}", switch.display(), self.refusal(&error)))
    }

    /// What the kernel means by an error from writing the switch.
    fn refusal(&self, error: &io::Error) -> String {
        match error.kind() {
            io::ErrorKind::NotFound if !self.mounted => "procfs is not mounted here; name its place by --procfs".into(),
            io::ErrorKind::NotFound => format!("it does not exist: {}", self.absence()),
            io::ErrorKind::PermissionDenied if !self.root => {
                "only root may turn profiling on or off; run this as root".into()
            }
            io::ErrorKind::PermissionDenied => {
                "the kernel does not allow it: with CONFIG_MEM_ALLOC_PROFILING_DEBUG the switch is fixed at boot; \
                 boot with sysctl.vm.mem_profiling=1 or =0"
                    .into()
            }
            io::ErrorKind::InvalidInput => {
                format!("profiling cannot be turned on or off in this boot: {}", self.absence())
            }
            io::ErrorKind::ReadOnlyFilesystem => "it is mounted read-only; leave the container".into(),
            _ => describe(error),
        }
    }
}

fn access(path: &Path) -> Access {
    match File::open(path) {
        Ok(file) => Access::Readable { ioctls: ioctl::content_id(&file).is_ok() },
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound => Access::Absent,
            io::ErrorKind::PermissionDenied => Access::Denied,
            _ => Access::Failed(describe(&error)),
        },
    }
}

/// The value of the last `sysctl.vm.mem_profiling=` of a kernel command line, where `-` and `_` are the same.
pub fn boot_value(command_line: &str) -> Option<String> {
    let parameters = command_line.split_ascii_whitespace().take_while(|&word| word != "--");
    let values = parameters.filter_map(|word| {
        let (name, value) = word.split_once('=')?;
        (name.replace('-', "_") == "sysctl.vm.mem_profiling").then_some(value)
    });
    values.last().map(|value| value.trim_matches('"').to_owned())
}

/// The text of the running kernel's configuration, and where it is or was expected: from the kernel itself if it has it,
/// else from where distributions put it.
pub fn configuration(procfs: &Path) -> (PathBuf, io::Result<Vec<u8>>) {
    /// Bytes. Real ones have some 300 KiB.
    const LIMIT: u64 = 16 << 20;
    let bounded = |source: &mut dyn Read| {
        let mut bytes = Vec::new();
        source.take(LIMIT).read_to_end(&mut bytes).map(|_| bytes)
    };
    let own = procfs.join("config.gz");
    let release = rustix::system::uname().release().to_string_lossy().into_owned();
    let kept = [format!("/boot/config-{release}"), format!("/lib/modules/{release}/config")].map(PathBuf::from);
    match kept.into_iter().find(|path| !own.exists() && path.exists()) {
        Some(path) => {
            let bytes = File::open(&path).and_then(|mut file| bounded(&mut file));
            (path, bytes)
        }
        None => {
            let bytes = File::open(&own).and_then(|file| bounded(&mut flate2::read::GzDecoder::new(file)));
            (own, bytes)
        }
    }
}

/// What the text of a kernel's configuration says.
pub fn config_of(text: &str) -> Config {
    let has = |name: &str| text.lines().any(|line| line.strip_suffix("=y") == Some(name));
    Config {
        profiling: has("CONFIG_MEM_ALLOC_PROFILING"),
        on_by_default: has("CONFIG_MEM_ALLOC_PROFILING_ENABLED_BY_DEFAULT"),
        debug: has("CONFIG_MEM_ALLOC_PROFILING_DEBUG"),
    }
}

#[cfg(test)]
#[path = "kernel/tests.rs"]
mod tests;
