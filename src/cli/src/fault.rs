// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What commands are given nothing by, with all that they start: a kernel that can have call sites fail, and tasks that are
//! marked (`/proc/PID/make-it-fail`), which rules with `task-filter=Y` are about.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::error::{describe, Error, Result};
use crate::model::{Names, Number, Profile};
use crate::source::{self, surroundings, Request};

/// The running kernel's profile, of one that has call sites fail.
///
/// # Errors
///
/// If it cannot be read, or is no such kernel's.
pub fn read(procfs: &Path, names: &mut Names) -> Result<Profile> {
    let profile = source::read(&Request::live(procfs), names)?;
    if profile.counts(Number::Injected) {
        return Ok(profile);
    }
    let problem = "has no call site fail; one with Alloctag's core and CONFIG_ALLOCTAG_FAULTS does";
    Err(Error::failed("this kernel", problem))
}

/// Asks whether rules hold now.
///
/// # Errors
///
/// If they do not.
pub fn require_profiling(procfs: &Path) -> Result<()> {
    match surroundings::profiling(procfs).enabled {
        Some(false) => {
            Err(Error::Failed("profiling is off, and so are rules; `alloctag ctl on` turns it on".to_owned()))
        }
        _ => Ok(()),
    }
}

/// Asks whether this process may mark tasks as those that may be given nothing, and only asks.
///
/// # Errors
///
/// If it may not.
pub fn require_marking(procfs: &Path) -> Result<()> {
    let mark = procfs.join("self/make-it-fail");
    fs::write(&mark, "0").map_err(|error| Error::failed(mark.display(), describe(&error)))
}

/// A command that may be given nothing, and what it starts: this program marks itself and becomes it, so that nothing of a
/// shell's comes in between.
///
/// # Errors
///
/// If this program cannot be found.
pub fn marked(procfs: &Path, command: &[OsString]) -> io::Result<Command> {
    let mut marked = Command::new(std::env::current_exe()?);
    marked.arg("--procfs").arg(procfs).args(["marked", "--"]).args(command);
    Ok(marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_marked_by_the_procfs_that_is_meant() {
        let marked = marked(Path::new("/host/proc"), &["make".into(), "-j4".into()]).unwrap();
        assert!(marked.get_args().eq(["--procfs", "/host/proc", "marked", "--", "make", "-j4"]));
    }
}
