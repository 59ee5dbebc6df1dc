// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Where profiles come from: the running kernel, saved files, a pipe.
//!
//! [`read`] is where to begin. [`text`], [`records`] and [`ioctl`] know the kernel's interfaces, [`live`] chooses among them and makes
//! sure that no module came or went meanwhile, [`mod@file`] recognises what a file
//! holds and `packed` how it is compressed, [`kernel`] knows the state of profiling.
//!
//! What chosen call sites have by where it comes from and for whom is read by [`contexts()`], how long
//! allocations took and lived by [`timings()`]; [`control`] chooses them.

pub mod base;
pub mod cgroups;
pub mod contexts;
pub mod control;
pub mod debugfs;
pub mod escape;
pub mod file;
pub mod filter;
pub mod guard;
pub mod ioctl;
pub mod kallsyms;
pub mod kernel;
pub mod kmsg;
pub mod live;
mod mounts;
mod packed;
pub mod records;
pub mod surroundings;
pub mod text;
pub mod timings;
pub mod tracefs;

mod moment;
mod request;

use crate::error::{Error, Result};
use crate::model::{Meta, Names, Origin, Profile, Timed};
pub use moment::Moment;
pub use request::{Input, Interface, Request};

/// Reads one profile. Names go into `names`, which many reads may share.
///
/// # Errors
///
/// If nothing can be read, with what to do about it; if there are contexts or times alone, unless these are wanted. Single rows that
/// cannot be read are counted in the profile.
pub fn read(request: &Request, names: &mut Names) -> Result<Profile> {
    let mut profile = load(request, names)?;
    if let Some((timed, _)) = profile.timings.known().next().filter(|_| !request.timings && profile.rows().is_empty()) {
        let name = timed.name();
        let problem = format_args!("holds {name}, and not all that call sites have; `alloctag {name}` shows it");
        return Err(Error::failed(&profile.meta.origin, problem));
    }
    if !request.contexts && profile.rows().is_empty() && !profile.contexts.is_empty() {
        let problem = "holds contexts, and not all that call sites have; `alloctag contexts` shows it";
        return Err(Error::failed(&profile.meta.origin, problem));
    }
    if request.contexts && request.input == Input::Live {
        if let Some(live) = contexts::read_any(&request.procfs, names)? {
            profile.contexts = live.contexts;
        }
    }
    if request.timings && request.input == Input::Live {
        profile.timings = timings::read_any(&request.procfs, names);
    }
    Ok(profile)
}

/// Reads contexts alone: of the running kernel nothing else is asked, so that the profile has no rows.
///
/// # Errors
///
/// If they cannot be read, with what to do about it. Single ones that cannot be read are counted.
pub fn contexts(request: &Request, names: &mut Names) -> Result<Profile> {
    if request.input != Input::Live {
        return load(request, names);
    }
    let contexts::Live { contexts, file } = contexts::read(&request.procfs, names)?;
    let mut meta = Meta { origin: Origin::Live(file), ..Meta::default() };
    surroundings::describe(&mut meta, &request.procfs);
    Ok(Profile::of_contexts(contexts, meta))
}

/// Reads alone how long allocations took or lived: of the running kernel nothing else is asked, so that the profile has no rows.
///
/// # Errors
///
/// If it cannot be read, with what to do about it. Single lines that cannot be read are counted.
pub fn timings(request: &Request, timed: Timed, names: &mut Names) -> Result<Profile> {
    if request.input != Input::Live {
        return load(request, names);
    }
    let timings::Live { timings, file } = timings::read(&request.procfs, timed, names)?;
    let mut meta = Meta { origin: Origin::Live(file), ..Meta::default() };
    surroundings::describe(&mut meta, &request.procfs);
    Ok(Profile::of_timings(timings, meta))
}

fn load(request: &Request, names: &mut Names) -> Result<Profile> {
    match &request.input {
        Input::Live => live::read(request, names),
        Input::File(path) => file::read(path, request, names),
        Input::Stdin => file::read_stdin(names),
    }
}
