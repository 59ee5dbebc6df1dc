// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What to read.

use std::path::{Path, PathBuf};

use clap::Args;

use super::GlobalArgs;
use crate::query::Where;
use crate::source::{Input, Interface, Request};

/// Options of every command that reads one profile.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Input")]
pub struct InputArgs {
    /// A saved profile, packed by gzip or zstd or not; a recording, DIR or DIR@first, DIR@-1h, DIR@2026-11-21T07:00, which is its
    /// latest snapshot without a moment; - is standard input. The running kernel without
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The same as FILE
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    pub path: Option<PathBuf>,
    /// Which of the kernel's interfaces to read by
    #[arg(long, value_name = "INTERFACE", default_value = "auto")]
    pub source: Interface,
}

impl InputArgs {
    /// The request. What the kernel can check of `condition` it is asked to.
    pub fn resolve(&self, global: &GlobalArgs, condition: Option<&Where>) -> Request {
        Request {
            input: input(self.file.as_deref().or(self.path.as_deref())),
            procfs: global.procfs.clone(),
            interface: self.source,
            filter: condition.and_then(Where::pushdown),
            contexts: false,
            timings: false,
        }
    }
}

/// What a file argument means.
pub fn input(file: Option<&Path>) -> Input {
    match file {
        None => Input::Live,
        Some(file) if file.as_os_str() == "-" => Input::Stdin,
        Some(file) => Input::File(file.to_owned()),
    }
}
