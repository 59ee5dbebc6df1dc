// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Which rows of which profile.

use clap::Args;

use super::input::InputArgs;
use super::view::FilterArgs;

/// Options of every command that takes a part of one profile.
#[derive(Args, Debug, Clone)]
pub struct RowsArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,
    /// Which rows.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Count pages that only back other rows like the rest
    #[arg(long, help_heading = "Selection")]
    pub include_backing: bool,
}
