// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Where profiles come from: the running kernel, saved files, a pipe.
//!
//! [`read`] is where to begin. [`text`], [`records`] and [`ioctl`] know the kernel's interfaces, [`live`] chooses among them and makes
//! sure that no module came or went meanwhile, [`mod@file`] recognises what a file
//! holds and `packed` how it is compressed, [`kernel`] knows the state of profiling.

pub mod base;
pub mod file;
pub mod filter;
pub mod guard;
pub mod ioctl;
pub mod kernel;
pub mod live;
mod packed;
pub mod records;
pub mod surroundings;
pub mod text;

mod moment;
mod request;

use crate::error::Result;
use crate::model::{Names, Profile};
pub use moment::Moment;
pub use request::{Input, Interface, Request};

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
