// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! No Parquet: without the feature `parquet` there is nothing to write it with.

use super::args::ExportArgs;
use crate::command::Context;
use crate::error::{Error, Outcome, Result};
use crate::subsystem::Subsystems;
use crate::view::View;

/// Says that there is none.
///
/// # Errors
///
/// In any case.
pub(super) fn write(_: &ExportArgs, _: &View, _: &Subsystems, _: &mut Context<'_>) -> Result<Outcome> {
    let problem = "--format parquet: this alloctag is built without it; cargo build --features parquet";
    Err(Error::Usage(problem.to_owned()))
}
