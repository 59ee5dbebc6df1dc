// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Where profiles come from: the running kernel, saved files, a pipe.
//!
//! [`read`] is the door. [`text`] and [`ioctl`] know the kernel's two interfaces, [`live`] chooses between them and makes
//! sure that no module came or went meanwhile, [`mod@file`] recognises what a file
//! holds, [`kernel`] knows the state of profiling.

pub mod file;
pub mod filter;
pub mod guard;
pub mod ioctl;
pub mod kernel;
pub mod live;
pub mod surroundings;
pub mod text;

use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::model::{Names, Profile};
use filter::Filter;

/// Which of the kernel's interfaces to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Interface {
    /// The ioctls if they can do the filtering and the kernel has them, else the text.
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
}

impl Request {
    /// Everything that the running kernel has.
    pub fn live(procfs: &Path) -> Request {
        Request { input: Input::Live, procfs: procfs.to_owned(), interface: Interface::Auto, filter: None }
    }
}

/// Reads one profile. Names go into `names`, which many reads may share.
///
/// # Errors
///
/// If nothing can be read, with what to do about it. Single rows that cannot be read are counted in the profile.
pub fn read(request: &Request, names: &mut Names) -> Result<Profile> {
    match &request.input {
        Input::Live => live::read(request, names),
        Input::File(path) => file::read(path, request, names),
        Input::Stdin => file::read_stdin(names),
    }
}
