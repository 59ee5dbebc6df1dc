// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag ctl`: shows and sets the kernel's profiling, and explains why it is not available.

mod measure;

use std::io::{self, Write};

use clap::{Args, ValueEnum};

use super::Context;
use crate::error::{Error, Outcome, Result};
use crate::render::units::count;
use crate::source::kernel::{Access, Config, State};

/// Options of `ctl`.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit status 1 if the running kernel's profile cannot be read, with the reason.

Turning profiling off keeps the counts that there are. Memory freed while it is off stays counted: after `off` and \
`on`, only changes can be trusted, not values.

Examples:
  alloctag ctl              is it there, is it on, by which interfaces
  alloctag ctl on           count
  alloctag ctl --measure    what a reading costs on this kernel, by each interface")]
pub struct CtlArgs {
    /// Turn counting on or off
    #[arg(value_name = "STATE")]
    pub state: Option<Switch>,
    /// Time the kernel's interfaces
    #[arg(long, conflicts_with = "state")]
    pub measure: bool,
}

/// What to set profiling to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// Count.
    On,
    /// Do not count.
    Off,
}

/// Runs the command.
///
/// # Errors
///
/// Why profiling is not available, or cannot be set.
pub fn run(args: &CtlArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let state = State::look(&context.global.procfs);
    if args.measure {
        return measure::run(&state, context);
    }
    if let Some(switch) = args.state {
        state.set(switch == Switch::On).map_err(Error::Failed)?;
        return Ok(Outcome::Done);
    }
    show(&state, context.out)?;
    match state.obstacle() {
        // First what was found, then what that means.
        Some(obstacle) => {
            context.out.flush()?;
            Err(Error::Failed(obstacle))
        }
        None => Ok(Outcome::Done),
    }
}

fn show(state: &State, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "kernel      {}", state.release)?;
    let profiling = match state.profiling.enabled {
        Some(true) => "on",
        Some(false) => "off: the counts stand still",
        None => "no such switch",
    };
    writeln!(out, "profiling   {profiling}")?;
    let references = match state.profiling.compressed {
        Some(true) => "in page flags (compressed)",
        Some(false) => "in page extensions",
        None => "unknown",
    };
    writeln!(out, "page refs   {references}")?;
    if let Some(uncounted) = state.profiling.uncounted {
        writeln!(out, "uncounted   {}", count(uncounted, "allocation"))?;
    }
    let access = match &state.access {
        Access::Readable { ioctls: true } => "readable, by text and by ioctl",
        Access::Readable { ioctls: false } => "readable, by text",
        Access::Denied => "there, for root only",
        Access::Absent => "not there",
        Access::Failed(problem) => problem,
    };
    writeln!(out, "allocinfo   {access}")?;
    match &state.boot {
        Some(value) => writeln!(out, "booted with sysctl.vm.mem_profiling={value}")?,
        None => writeln!(out, "booted with no sysctl.vm.mem_profiling")?,
    }
    writeln!(out, "built with  {}", state.config.map_or_else(|| "unknown".to_owned(), built_with))
}

fn built_with(config: Config) -> String {
    const PROFILING: &str = "CONFIG_MEM_ALLOC_PROFILING";
    if !config.profiling {
        return format!("no {PROFILING}");
    }
    let further = [(config.on_by_default, "_ENABLED_BY_DEFAULT"), (config.debug, "_DEBUG")];
    let further = further.iter().filter(|(set, _)| *set).map(|(_, suffix)| format!(", {PROFILING}{suffix}"));
    further.fold(PROFILING.to_owned(), |text, part| text + &part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_is_told_by_its_symbols() {
        let config = |profiling, on_by_default, debug| Config { profiling, on_by_default, debug };
        for (config, expected) in [
            (config(false, false, false), "no CONFIG_MEM_ALLOC_PROFILING"),
            (config(true, false, false), "CONFIG_MEM_ALLOC_PROFILING"),
            (
                config(true, true, true),
                "CONFIG_MEM_ALLOC_PROFILING, CONFIG_MEM_ALLOC_PROFILING_ENABLED_BY_DEFAULT, CONFIG_MEM_ALLOC_PROFILING_DEBUG",
            ),
        ] {
            assert_eq!(built_with(config), expected);
        }
    }
}
