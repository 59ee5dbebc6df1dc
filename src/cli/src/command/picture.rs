// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What `treemap` and `flame` share.

use std::io::{self, Write};

use clap::builder::RangedI64ValueParser;
use clap::Args;

use super::told::Told;
use super::{backing, Chosen, Context};
use crate::args::output::UnitArgs;
use crate::args::rows::RowsArgs;
use crate::args::sink::SinkArgs;
use crate::draw::{icicle, Frame};
use crate::error::{Error, Outcome, Result};
use crate::model::Profile;
use crate::render::Units;
use crate::report::Picture;
use crate::sink;
use crate::subsystem::Subsystems;
use crate::time::Clock;
use crate::view::contexts::ContextView;
use crate::view::stacks::{grow, Top};
use crate::view::tree::{By, Node};
use crate::view::Key;

/// Options of every command that draws.
#[derive(Args, Debug)]
pub struct PictureArgs {
    /// Which rows of what.
    #[command(flatten)]
    pub rows: RowsArgs,
    /// What the branches are
    #[arg(long, value_name = "KIND", default_value = "dir", help_heading = "Selection")]
    pub by: By,
    /// Width in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 1200, value_parser = pixels(), help_heading = "Output")]
    pub width: u32,
    /// Where to.
    #[command(flatten)]
    pub sink: SinkArgs,
    /// The units.
    #[command(flatten)]
    pub units: UnitArgs,
}

/// Lengths that show something and that viewers can open.
pub fn pixels() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(100..=20_000)
}

/// Reads a profile and draws it by `write`.
///
/// # Errors
///
/// If nothing can be read or drawn, or the output cannot be written.
pub fn draw(
    args: &PictureArgs,
    height: u32,
    write: impl FnOnce(&Node, &Frame, &mut dyn Write) -> io::Result<()>,
    context: &mut Context<'_>,
) -> Result<Outcome> {
    let chosen = Chosen::read(&args.rows, context)?;
    draw_chosen(args, &chosen, height, write, context)
}

/// Draws what was read by `write`.
///
/// # Errors
///
/// If there is nothing to draw, or the output cannot be written.
pub fn draw_chosen(
    args: &PictureArgs,
    chosen: &Chosen,
    height: u32,
    write: impl FnOnce(&Node, &Frame, &mut dyn Write) -> io::Result<()>,
    context: &mut Context<'_>,
) -> Result<Outcome> {
    let profile = &chosen.reading.profile;
    let mut root = chosen.tree(args.by);
    root.fold();
    if root.bytes <= 0 {
        return Err(Error::failed(&profile.meta.origin, "no row that is to be drawn holds anything"));
    }
    let units = args.units.resolve();
    let what = format!("{} of kernel memory by call site", units.format(root.bytes));
    let mut title = title(profile, what, &context.clock);
    for line in backing::left_out(&chosen.whole(), chosen.include_backing, units) {
        title.push_str(&format!(" · {line}"));
    }
    let frame = Frame { width: args.width, height, title, units, things: "sites" };
    sink::write(args.sink.file(), context.out, |out| write(&root, &frame, out))?;
    Ok(chosen.reading.outcome)
}

/// Contexts whose stacks are to be drawn.
pub struct Stacks<'t> {
    /// The contexts.
    pub told: &'t Told,
    /// Which of them.
    pub view: &'t ContextView,
    /// Which end is on top.
    pub top: Top,
    /// Whether all that was ever allocated stands in place of what is alive.
    pub ever: bool,
}

/// Draws a flame graph of stacks.
///
/// # Errors
///
/// If there is nothing to draw, or the output cannot be written.
pub fn draw_stacks(
    args: &PictureArgs,
    stacks: &Stacks<'_>,
    subsystems: &Subsystems,
    context: &mut Context<'_>,
) -> Result<Outcome> {
    let (root, frame) = stacks.picture(args.width, args.units.resolve(), subsystems, &context.clock)?;
    sink::write(args.sink.file(), context.out, |out| icicle::write(&root, &frame, out))?;
    Ok(stacks.told.outcome)
}

impl Stacks<'_> {
    /// Their tree, and what is said above it.
    ///
    /// # Errors
    ///
    /// If none of them holds anything.
    pub fn picture(&self, width: u32, units: Units, subsystems: &Subsystems, clock: &Clock) -> Result<(Node, Frame)> {
        let profile = &self.told.profile;
        let mut root = grow(self.view.chosen(&profile.contexts, subsystems), &[Key::Stack], self.top, subsystems);
        root.sort();
        if root.bytes <= 0 {
            return Err(Error::failed(&profile.meta.origin, "no context that is to be drawn holds anything"));
        }
        let how = if self.ever { "allocated so far" } else { "of kernel memory" };
        let what = format!("{} {how} by who called", units.format(root.bytes));
        let mut title = title(profile, what, clock);
        if let Some(period) = profile.contexts.period() {
            title.push_str(&format!(" · estimated by a sample every {}", units.format(period)));
        }
        Ok((root, Frame { width, height: 0, title, units, things: "contexts" }))
    }
}

/// A flame graph of a profile's contexts, if it has some that hold anything, without what is too small to be seen.
///
/// # Errors
///
/// None: memory takes every byte.
pub fn of_contexts(profile: &Profile, units: Units, subsystems: &Subsystems, clock: &Clock) -> Result<Option<Picture>> {
    /// Pixels: what most screens show.
    const WIDTH: u32 = 1200;
    let view = ContextView::default();
    let mut root = grow(view.chosen(&profile.contexts, subsystems), &[Key::Stack], Top::Root, subsystems);
    if root.bytes <= 0 {
        return Ok(None);
    }
    root.sort();
    let least = (root.bytes / 500).max(1);
    root.prune(&|node, _| node.bytes >= least);
    let title = title(profile, format!("{} of watched call sites by who called", units.format(root.bytes)), clock);
    let frame = Frame { width: WIDTH, height: 0, title: title.clone(), units, things: "contexts" };
    let mut svg = Vec::new();
    icicle::write(&root, &frame, &mut svg)?;
    Ok(Some(Picture { title, svg: String::from_utf8_lossy(&svg).into_owned() }))
}

/// What is drawn, of which kernel, of when: as far as that is known.
fn title(profile: &Profile, what: String, clock: &Clock) -> String {
    let meta = &profile.meta;
    let mut parts = vec![what];
    match &meta.uname {
        Some(uname) => parts.push(format!("{} {}", uname.node, uname.release)),
        None => parts.push(meta.origin.to_string()),
    }
    parts.extend(meta.time_ms.map(|time| clock.date(time)));
    parts.join(" · ")
}
