// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What all commands work with.

use std::io::Write;

use crate::args::GlobalArgs;
use crate::printable::printable;
use crate::render::Style;
use crate::time::Clock;

/// What a command works with besides its options.
pub struct Context<'a> {
    /// Options of every command.
    pub global: GlobalArgs,
    /// What standard output can show.
    pub style: Style,
    /// By which clock it tells moments.
    pub clock: Clock,
    /// Standard output, buffered.
    pub out: &'a mut dyn Write,
}

impl Context<'_> {
    /// Says something that the user should know and that is not part of the output.
    pub fn note(&self, text: impl std::fmt::Display) {
        note(text);
    }
}

/// The same where the output is somebody else's at the moment.
pub fn note(text: impl std::fmt::Display) {
    // Nobody can be told that standard error is gone.
    let _ = writeln!(std::io::stderr(), "alloctag: {}", printable(&text.to_string()));
}
