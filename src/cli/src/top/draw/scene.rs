// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is drawn.

use crate::model::{Contexts, Meta};
use crate::render::Style;
use crate::time::Clock;
use crate::top::{Board, History, State};

/// Everything there is to draw.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// What the user has chosen.
    pub state: &'a State,
    /// The lines.
    pub board: &'a Board,
    /// What was earlier.
    pub history: &'a History,
    /// About the latest reading.
    pub meta: &'a Meta,
    /// What watched call sites have by who called; only looked at where one line is shown.
    pub contexts: &'a Contexts,
    /// What the terminal can show.
    pub style: Style,
    /// By which clock moments are told.
    pub clock: &'a Clock,
    /// Why there is no newer reading, or what is doubtful about this one.
    pub trouble: Option<&'a str>,
}
