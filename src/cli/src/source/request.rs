// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is to be read.

use std::path::{Path, PathBuf};

use super::filter::Filter;

/// Which of the kernel's interfaces to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Interface {
    /// Alloctag's ioctls if the kernel has them; else the older ones if they can do the filtering, else the text.
    #[default]
    Auto,
    /// The text of `/proc/allocinfo`.
    Text,
    /// The ioctls, which recent kernels have (7.3 does).
    Ioctl,
}

/// What to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The running kernel.
    Live,
    /// A saved file.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

/// What to read, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where from.
    pub input: Input,
    /// Where procfs is mounted: `/proc` but for containers that see the host's elsewhere.
    pub procfs: PathBuf,
    /// By which interface, if the kernel is read.
    pub interface: Interface,
    /// Rows that the kernel may leave out. The caller filters again: this only saves work.
    pub filter: Option<Filter>,
    /// Whether contexts are wanted too, if there are some; of a saved file they are all that there needs to be.
    pub contexts: bool,
    /// The same of how long allocations took and lived.
    pub timings: bool,
}

impl Request {
    /// Everything that the running kernel has.
    pub fn live(procfs: &Path) -> Request {
        Request {
            input: Input::Live,
            procfs: procfs.to_owned(),
            interface: Interface::Auto,
            filter: None,
            contexts: false,
            timings: false,
        }
    }
}
