// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Options that several commands have.
//!
//! clap fills in the structures of this module, which hold what was typed. Each of them resolves itself to what the commands
//! work with: [`input::InputArgs`] to a request, [`view::ViewArgs`] to a view, [`output::OutputArgs`] to a layout.

pub mod choice;
pub mod fail_if;
pub mod input;
pub mod output;
pub mod rows;
pub mod sink;
pub mod view;

use std::path::PathBuf;

use clap::Args;

use crate::render::style::ColorChoice;

/// Options of every command.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Everywhere")]
pub struct GlobalArgs {
    /// When to colour; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
    /// Never colour
    #[arg(long, global = true, conflicts_with = "color")]
    pub no_color: bool,
    /// Show and read times by UTC; by TZ or /etc/localtime without
    #[arg(long, global = true)]
    pub utc: bool,
    /// Where procfs is mounted (a container may see the host's elsewhere)
    #[arg(long, global = true, value_name = "DIR", default_value = "/proc")]
    pub procfs: PathBuf,
}
