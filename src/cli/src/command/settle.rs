// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag settle`: has the kernel write and free what it can, once for each line that is read. It is for `sweep` alone, and
//! not shown.

use std::io;

use super::Context;
use crate::error::{Outcome, Result};
use crate::sweep::settler;

/// Answers until nobody asks any more.
///
/// # Errors
///
/// If nobody listens.
pub fn run(context: &mut Context<'_>) -> Result<Outcome> {
    settler::serve(&context.global.procfs, io::stdin().lock(), &mut context.out)?;
    Ok(Outcome::Done)
}
