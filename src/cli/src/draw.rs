// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Pictures of a tree, as SVG that stands for itself: no script, no font, no network.

pub mod icicle;
mod palette;
mod squarify;
mod svg;
pub mod treemap;

use crate::render::Units;

pub use svg::escape;

/// What a picture says besides its tree.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels; an icicle takes what it needs.
    pub height: u32,
    /// The line above it.
    pub title: String,
    /// How sizes are written.
    pub units: Units,
    /// What a node has a number of: call sites, contexts.
    pub things: &'static str,
}
